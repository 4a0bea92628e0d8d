// Where variables arrive: at models, hooks and scripts.

import { describe, expect, test } from 'vitest';
import { assay, folder } from '../support/assay.ts';
import { env, modelServer, openai } from '../support/assistant-files.ts';
import { refusal, variable } from '../support/definition-files.ts';

describe('the request that reaches the model', () => {
  const chat = (url: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
    'assistants/chat/package.yao': {},
    'assistants/chat/prompts.yml': '- role: system\n  content: T={{Temperature}} other={{unknown}}\n',
    'connectors/small.conn.yao': openai(url),
    'connectors/big.conn.yao': openai(url, {
      model: 'gpt-4o-mini',
      temperature: 0.1,
      max_completion_tokens: 7,
    }),
    'tests/warm.type.json': {
      id: 'warm',
      name: 'Warm',
      kind: 'agent-eval',
      variablesSchema: {
        schemaVersion: '1.0',
        variables: [
          variable('AIConfiguration', 'string', { valueSource: 'entity', entity: 'connectors' }),
          variable('Temperature', 'number', { defaultValue: 0.7 }),
          variable('MaxTokens', 'number'),
        ],
      },
    },
    'tests/chat.test.json': {
      id: 'chat',
      name: 'Chat',
      type: 'warm',
      agent: 'chat',
      cases: [{ id: 'a', input: 'hi' }],
      variables: { variables: { AIConfiguration: { exposed: true, defaultValue: 'small' } } },
    },
    ...more,
  });
  const packaged = { 'assistants/chat/package.yao': { options: { temperature: 0.4 } } };
  const hooked = {
    'assistants/chat/src/index.ts':
      "export function Create() { return { temperature: 0.9, connector: 'big' }; }\n",
  };
  const withCase = {
    'tests/chat.test.json': {
      id: 'chat',
      name: 'Chat',
      type: 'warm',
      agent: 'chat',
      cases: [{ id: 'a', input: 'hi', options: { temperature: 0.3, connector: 'small' } }],
    },
  };
  const rules: [string, Record<string, unknown>, string[], unknown][] = [
    ['the default of the type fills a gap', {}, [], { model: 'gpt-4o', temperature: 0.7 }],
    ['package.yao over the default of the type', packaged, [], { model: 'gpt-4o', temperature: 0.4 }],
    [
      'the connector over the default of the type',
      {},
      ['--var', 'AIConfiguration=big'],
      { model: 'gpt-4o-mini', temperature: 0.1, max_completion_tokens: 7 },
    ],
    [
      'a variable over package.yao and the connector',
      packaged,
      ['--var', 'AIConfiguration=big', '--var', 'Temperature=0', '--var', 'MaxTokens=5'],
      { model: 'gpt-4o-mini', temperature: 0, max_completion_tokens: 5 },
    ],
    [
      'the case over a variable',
      withCase,
      ['--var', 'AIConfiguration=big', '--var', 'Temperature=0'],
      { model: 'gpt-4o', temperature: 0.3 },
    ],
    ['-c over the case', withCase, ['-c', 'big'], { model: 'gpt-4o-mini', temperature: 0.3 }],
    [
      'a hook over everything',
      { ...withCase, ...hooked },
      ['-c', 'small', '--var', 'Temperature=0'],
      { model: 'gpt-4o-mini', temperature: 0.9 },
    ],
  ];

  test.each(rules)('%s', async (_name, files, args, wanted) => {
    const server = await modelServer(() => 'ok');
    const cwd = folder(chat(server.url, files));
    const { exitCode, stderr } = await assay(['run', 'chat', ...args], { cwd, env });
    expect([exitCode, stderr]).toEqual([0, '']);
    const body = server.requests[0]?.body ?? {};
    expect(body).toMatchObject(wanted as object);
    expect('max_tokens' in body).toBe(false);
    expect(JSON.stringify(body['messages'])).toMatch(/T=[\d.]+ other=\{\{unknown\}\}/);
  });

  test('has nothing that nobody set: not of the agent, not of its judge', async () => {
    const server = await modelServer(() => '{"reason": "fine", "score": 1, "passed": true, "best": 1}');
    const judged = { type: 'agent', connector: 'small', value: 'is kind' };
    const chosen = { type: 'select_best', connector: 'small', value: 'the kinder answer' };
    const definition = { id: 'plain', name: 'Plain', type: 'agent-eval', agent: 'chat' };
    const cwd = folder(
      chat(server.url, {
        'assistants/chat/prompts.yml': '- role: system\n  content: Be brief.\n',
        'connectors/other.conn.yao': openai(server.url),
        'tests/plain.test.json': {
          ...definition,
          cases: [{ id: 'a', input: 'hi', assert: [judged, chosen] }],
        },
      }),
    );
    const args = ['run', 'plain', '--matrix', 'AIConfiguration=small,other'];
    expect((await assay(args, { cwd, env })).exitCode).toBe(0);
    // Two answers, two judgements, one choice.
    expect(server.requests.map(({ body }) => Object.keys(body))).toEqual(
      Array.from({ length: 5 }, () => ['model', 'messages', 'stream', 'stream_options']),
    );
  });

  test('a connector that is not there is refused', async () => {
    const cwd = folder(chat('http://127.0.0.1:1'));
    expect(await refusal(['run', 'chat', '--var', 'AIConfiguration=bg'], cwd)).toEqual([
      2,
      expect.stringContaining('bg is not one of the allowed values: big, small'),
    ]);
  });
});

test('scripts, hooks and HTTP bodies see the variables', async () => {
  const schema = {
    schemaVersion: '1.0',
    variables: [variable('Day', 'date', { defaultValue: '2026-01-31' })],
  };
  const cwd = folder({
    'app.yao': '{}',
    'assistants/expense/package.yao': {},
    'assistants/expense/src/index.ts':
      'export function Next(ctx: any) { return { data: ctx.variables.Day.toISOString() }; }\n',
    'assistants/expense/src/day_test.ts':
      'function TestDay(t: any, ctx: any) { t.assert.Equal(ctx.variables.Day.getUTCDate(), 5); }\n',
    'tests/day.type.json': { id: 'day', name: 'Day', kind: 'script', variablesSchema: schema },
    'tests/ask.type.json': { id: 'ask', name: 'Ask', kind: 'agent-eval', variablesSchema: schema },
    'tests/day.test.json': { id: 'day-test', name: 'Day', type: 'day', script: 'scripts.expense.day' },
    'tests/ask.test.json': {
      id: 'ask-test',
      name: 'Ask',
      type: 'ask',
      agent: 'expense',
      cases: [{ id: 'a', input: 'x', expected: '2026-02-05T00:00:00.000Z' }],
    },
    'tests/all.suite.json': {
      id: 'all',
      name: 'All',
      tests: ['*'],
      variables: { variables: { Day: '2026-02-05' } },
    },
  });
  const { exitCode, stdout } = await assay(['suite', 'all'], { cwd });
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('2 passed')]);
});
