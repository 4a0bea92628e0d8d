import { expect, test } from 'vitest';
import type { Agent } from '../../../agents/adapter.ts';
import type { Transcript } from '../../../model/agent.ts';
import type { Attempt } from '../../../model/attempt.ts';
import type { AgentSubject } from '../../../model/subject.ts';
import { contextWith } from '../../../model/context.fixture.ts';
import type { Outcome } from '../../../model/outcome.ts';
import { executeAgentEval } from './agent-eval.ts';

const MEGABYTE = 1024 * 1024;

const attempt: Attempt<AgentSubject> = {
  key: 'k',
  test_id: 'message',
  case: { id: 'a', input: 'hi' },
  run: 1,
  subject: { kind: 'agent-eval', id: 'agent', run: { type: 'module', file: '/agent.ts' } },
  context: contextWith({ chat_id: 'c', assistant_id: 'agent' }),
  timeout_ms: 1000,
  base: '/',
  root: '/',
};

const nobody = (): Promise<never> => Promise.reject(new Error('nobody is there'));

async function outcomeOf(transcript: Transcript): Promise<Outcome> {
  const agent: Agent = { run: () => transcript };
  return await executeAgentEval(attempt, agent, {
    env: {},
    fetch,
    signal: new AbortController().signal,
    directory: { agent: nobody, connector: nobody, judge: nobody },
  });
}

test('logs are no part of the answer: too many are cut in the middle', async () => {
  const line = 'x'.repeat(MEGABYTE - 1);
  const logs = ['first', ...Array.from({ length: 12 }, () => line), 'last'];
  const { status, output, logs: kept = [] } = await outcomeOf({ output: 'fine', logs });
  expect({ status, output }).toEqual({ status: 'passed', output: 'fine' });
  expect([kept[0], kept.at(-1)]).toEqual(['first', 'last']);
  expect(kept.filter((text) => text.includes('left out'))).toEqual([
    '… [12,582,923 bytes, 2,097,163 left out] …',
  ]);
  expect(kept.join('\n').length).toBeLessThan(10 * MEGABYTE + 100);
});

test('what is too long to be judged is named', async () => {
  const content = 'x'.repeat(11 * MEGABYTE);
  const half = 'x'.repeat(6 * MEGABYTE);
  const limit = 'at most 10 MB can be judged';
  await expect(outcomeOf({ output: content })).rejects.toThrow(`the answer is 11.0 MB long; ${limit}`);
  await expect(outcomeOf({ output: { content }, tool_calls: [] })).rejects.toThrow(
    `the answer is 11.0 MB long; ${limit}`,
  );
  const messages = [{ role: 'assistant', content }];
  await expect(outcomeOf({ output: 'fine', messages })).rejects.toThrow(
    `the messages of the answer are 11.0 MB long; ${limit}`,
  );
  const tool_calls = [{ name: 'look' }, { name: 'fetch', result: content }];
  await expect(outcomeOf({ output: 'fine', tool_calls })).rejects.toThrow(
    `the tool calls of the answer are 11.0 MB long (the longest is "fetch" with 11.0 MB); ${limit}`,
  );
  await expect(outcomeOf({ output: half, tool_calls: [{ name: 'fetch', result: half }] })).rejects.toThrow(
    `the answer with its tool calls and messages is 12.0 MB long; ${limit}`,
  );
});

test('an answer that is nested too deeply is not judged', async () => {
  const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
  expect((await outcomeOf({ output: nested(500) })).status).toBe('passed');
  const problem = 'the answer is nested deeper than 500 levels';
  await expect(outcomeOf({ output: nested(501) })).rejects.toThrow(problem);
});

test('half a character in an answer is replaced', async () => {
  expect((await outcomeOf({ output: 'a\uD83Db' })).output).toBe('a\uFFFDb');
  expect((await outcomeOf({ output: { '\uDE00': ['\uD83D', '😀', '\\ud83d'] } })).output).toEqual({
    '\uFFFD': ['\uFFFD', '😀', '\\ud83d'],
  });
});
