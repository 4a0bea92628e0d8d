// An agent or a model as the judge: its opinion decides; an unclear opinion is an error, not a failure.

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROMPTS } from '../../../src/judge/presets/prompts.ts';
import { endsIn, folder, readLog } from '../support/assay.ts';
import { chat, lastOf, modelServer, openai, run } from '../support/assistant-files.ts';

test('a judge that quotes a judgement before its own is not taken at its word', async () => {
  const server = await modelServer((request) =>
    JSON.stringify(request.body).includes('You judge the answer')
      ? 'It says {"passed": true, "score": 1}, but: {"passed": false, "reason": "wrong"}'
      : '{"passed": true, "score": 1}',
  );
  const assert = { type: 'agent', connector: 'small', value: 'is right' };
  const cwd = folder(chat(openai(server.url), [{ id: 'a', input: 'x', assert }]));
  expect((await run(cwd)).exitCode).toBe(3);
  expect(endsIn(join(cwd, 'log.jsonl'))['a']).toMatch(/^error \| judge \| .*one judgement, not several/);
});

test.each([
  '{"quoted":{"passed":true,"score":1},"passed":fal',
  `{"passed": true} ${'{} '.repeat(30)}{"passed": false}`,
  'It says {"passed": true}, but {\'passed\': False}',
  '<think>If polite then {"passed": true}</think> No verdict possible.',
  '{"passed":false,"passed":true}',
])('an invalid judgement is an error: %s', async (judgement) => {
  const server = await modelServer(() => judgement);
  const assert = { type: 'agent', connector: 'small', value: 'is right' };
  const cases = [
    { id: 'a', input: 'x', assert },
    { id: 'negated', input: 'x', assert: { ...assert, negate: true } },
  ];
  const cwd = folder(chat(openai(server.url), cases));
  expect((await run(cwd)).exitCode).toBe(3);
  expect(Object.values(endsIn(join(cwd, 'log.jsonl')))).toEqual([
    expect.stringMatching(/^error \| judge \| the judge answered/),
    expect.stringMatching(/^error \| judge \| the judge answered/),
  ]);
});

test('the built-in judge gets the criteria of a preset', async () => {
  const questions: unknown[] = [];
  const server = await modelServer((request) => {
    const text = JSON.stringify(request.body);
    if (!text.includes('You judge the answer')) return 'Paris';
    questions.push(JSON.parse(lastOf(request)));
    return '{"passed": true, "score": 0.6, "reason": "close"}';
  });
  const judged = { type: 'agent', connector: 'small' };
  const cwd = folder(
    chat(openai(server.url), [
      { id: 'factual', input: 'x', expected: 'Rome', assert: { ...judged, preset: 'factual' } },
      {
        id: 'faithful',
        input: 'x',
        metadata: { page: 'France: Paris.' },
        assert: { ...judged, preset: 'faithful', context: 'metadata.page', threshold: 0.7 },
      },
    ]),
  );
  expect((await run(cwd, '--parallel', '1')).exitCode).toBe(1);
  const shared = { output: 'Paris', input: 'x', tool_calls: [] };
  expect(questions).toEqual([
    { ...shared, criteria: PROMPTS.factual, reference: 'Rome', expected: 'Rome' },
    { ...shared, criteria: PROMPTS.faithful, context: 'France: Paris.' },
  ]);
  expect(endsIn(join(cwd, 'log.jsonl'))).toEqual({
    factual: 'passed',
    faithful: 'failed | the judge says no to "faithful" (score 0.6, wanted 0.7): close',
  });
});

describe('judged by an agent', () => {
  const judged = (assert: Record<string, unknown>): unknown[] => [
    { id: 'a', input: 'x', assert: { type: 'agent', value: 'is kind', ...assert } },
  ];

  test('the built-in judge on a connector says yes, no, or nonsense', async () => {
    const opinions = [
      '{"passed": true, "score": 0.9, "reason": "warm"}',
      '{"passed": false, "reason": "cold"}',
      'I would say so',
    ];
    let asked = 0;
    const server = await modelServer((request) => {
      if (!JSON.stringify(request.body).includes('You judge the answer')) return 'hello';
      asked += 1;
      return opinions[asked - 1] ?? '';
    });
    const cwd = folder(chat(openai(server.url), judged({ connector: 'small' })));
    expect((await run(cwd)).exitCode).toBe(0);
    expect(readLog(join(cwd, 'log.jsonl')).results[0]?.verdicts).toEqual(
      [
        {
          type: 'agent',
          status: 'passed',
          score: 0.9,
          reason: 'warm',
          cost_usd: null,
          usage: expect.anything() as unknown,
        },
      ].map(({ usage: _usage, cost_usd: _cost, ...verdict }) => expect.objectContaining(verdict) as unknown),
    );
    expect((await run(cwd)).exitCode).toBe(1);
    expect(endsIn(join(cwd, 'log.jsonl'))['a']).toMatch(/^failed \| .*cold/);
    expect((await run(cwd)).exitCode).toBe(3);
    expect(endsIn(join(cwd, 'log.jsonl'))['a']).toMatch(/^error \| judge \| .*I would say so/);
  });

  test('a judge that cannot be reached is an error, not a failure', async () => {
    const server = await modelServer(() => 'hello');
    const cwd = folder({
      ...chat(openai(server.url), judged({ use: 'agents:judge' })),
      'assistants/judge/package.yao': { connector: 'dead' },
      'assistants/judge/prompts.yml': '- {role: system, content: Judge.}',
      'connectors/dead.conn.yao': { type: 'openai', options: { model: 'm', host: 'http://127.0.0.1:1' } },
    });
    expect((await run(cwd, '--retries', '0')).exitCode).toBe(3);
    expect(endsIn(join(cwd, 'log.jsonl'))['a']).toMatch(/^error \| judge \| /);
  });
});
