import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { openSessions } from '../open-sessions.ts';
import type { RecordedSession, Session } from '../session.ts';

const FOLDER = resolve('test/fixtures/sessions');

type Read = Omit<Session, 'file' | 'read'> & RecordedSession;

/** The sessions of a fixture with everything that is read of them. */
async function readFixture(name: string): Promise<Read[]> {
  const notes: string[] = [];
  const sessions = await openSessions([{ path: `${FOLDER}/${name}`, name, isNamed: true }], (note) =>
    notes.push(note),
  );
  expect(notes).toEqual([]);
  return Promise.all(
    sessions.map(async ({ file, read, ...facts }) => {
      expect(file).toBe(name);
      return Object.assign(facts, await read());
    }),
  );
}

test('reads a session of Claude Code with the calls of its helpers', async () => {
  expect(await readFixture('claude-code.jsonl')).toEqual([
    {
      id: '5b1f6a52-7f0e-4c55-9a53-6a2f0d1f8a11',
      names: ['claude-code'],
      format: 'claude',
      agent: 'claude-code',
      input: 'The total of the cart is wrong. Fix it.',
      duration_ms: 6500,
      error: undefined,
      transcript: {
        output: 'The total is right now.',
        tool_calls: [
          {
            name: 'Read',
            arguments: { file_path: '/home/ann/shop/cart.ts' },
            result: 'export const total = 1;',
          },
          { name: 'Bash', arguments: { command: 'npm test' }, error: '1 test failed' },
        ],
        // The lines of one message repeat its counts.
        usage: { input_tokens: 1127, output_tokens: 64 },
        messages: [
          { role: 'user', content: 'The total of the cart is wrong. Fix it.' },
          { role: 'assistant', content: 'I look at the cart.' },
          { role: 'assistant', content: 'The total is right now.' },
        ],
      },
    },
  ]);
});

test('reads a session of Codex with what the user typed, not what the model was told', async () => {
  expect(await readFixture('codex.jsonl')).toEqual([
    {
      id: '019c2a00-41c4-78b1-b7cc-a45d62a89cd5',
      names: ['codex'],
      format: 'codex',
      agent: 'codex',
      input: 'How many files are here?',
      duration_ms: 3100,
      error: undefined,
      transcript: {
        output: 'There are two files.',
        tool_calls: [
          {
            name: 'shell',
            arguments: { command: ['ls'], workdir: '/home/ann/shop' },
            result: 'a.ts\nb.ts\n',
          },
          { name: 'apply_patch', arguments: '*** Begin Patch', result: 'Success' },
        ],
        usage: { input_tokens: 2000, output_tokens: 50 },
        messages: [
          { role: 'user', content: 'How many files are here?' },
          { role: 'assistant', content: 'There are two files.' },
        ],
      },
    },
  ]);
});

test('reads the items of an older Codex, which has no times', async () => {
  expect(await readFixture('codex-bare.jsonl')).toEqual([
    {
      id: 'c0ffee00-0000-4000-8000-000000000001',
      names: ['codex-bare'],
      format: 'codex',
      agent: 'codex',
      input: 'Say hi.',
      duration_ms: undefined,
      error: undefined,
      transcript: {
        output: 'hi',
        tool_calls: [
          {
            name: 'local_shell',
            arguments: { type: 'exec', command: ['echo', 'hi'] },
            error: 'not allowed',
          },
        ],
        messages: [
          { role: 'user', content: 'Say hi.' },
          { role: 'assistant', content: 'hi' },
        ],
      },
    },
  ]);
});

test('reads an ATIF trajectory with its observations and final metrics', async () => {
  expect(await readFixture('atif.json')).toEqual([
    {
      id: 'trial-7',
      names: ['atif'],
      format: 'atif',
      agent: 'terminus-2',
      input: 'Create hello.txt with the text hello.',
      duration_ms: 9000,
      error: undefined,
      transcript: {
        output: 'hello.txt is there.',
        tool_calls: [
          { name: 'bash', arguments: { command: 'echo hello > hello.txt' }, result: '' },
          { name: 'bash', arguments: { command: 'cat hello.txt' }, result: 'hello' },
        ],
        usage: { input_tokens: 1100, output_tokens: 50 },
        cost_usd: 0.003,
        messages: [
          { role: 'system', content: 'You work in a terminal.' },
          { role: 'user', content: 'Create hello.txt with the text hello.' },
          { role: 'assistant', content: 'I write the file.' },
          { role: 'assistant', content: 'hello.txt is there.' },
        ],
      },
    },
  ]);
});

test('reads an OTLP document: agent, model calls and tools of one trace', async () => {
  expect(await readFixture('otlp.json')).toEqual([
    {
      id: '5b8efff798038103d269b633813fc60c',
      names: ['conv-1', 'otlp'],
      format: 'otel',
      agent: 'weather',
      input: 'Weather in Paris?',
      duration_ms: 2500,
      error: undefined,
      transcript: {
        output: 'Rain, 57 degrees.',
        tool_calls: [{ name: 'get_weather', arguments: { location: 'Paris' }, result: 'rainy, 57' }],
        usage: { input_tokens: 217, output_tokens: 20 },
        messages: [
          { role: 'user', content: 'Weather in Paris?' },
          { role: 'assistant', content: 'Rain, 57 degrees.' },
        ],
      },
    },
  ]);
});

test('joins the spans of a trace over several lines, with messages as events and indexed attributes', async () => {
  const shared = { names: [], format: 'otel', agent: 'helper', error: undefined };
  expect(await readFixture('otlp-lines.jsonl')).toEqual([
    {
      ...shared,
      id: '11111111111111111111111111111111',
      input: '2 + 2?',
      duration_ms: 1000,
      transcript: {
        output: '4',
        tool_calls: [],
        usage: { input_tokens: 10, output_tokens: 2 },
        messages: [
          { role: 'user', content: '2 + 2?' },
          { role: 'assistant', content: '4' },
        ],
      },
    },
    {
      ...shared,
      id: '22222222222222222222222222222222',
      input: 'Call the tool.',
      duration_ms: 3000,
      transcript: {
        output: 'It is there.',
        tool_calls: [{ name: 'look', arguments: { q: 1 }, result: 'found' }],
        messages: [
          { role: 'user', content: 'Call the tool.' },
          { role: 'assistant', content: 'It is there.' },
        ],
      },
    },
  ]);
});

test('reads spans as the console exporter prints them, with the error of an agent that has no answer', async () => {
  expect(await readFixture('otel-console.jsonl')).toEqual([
    {
      id: 'abcdefabcdefabcdefabcdefabcdefab',
      names: ['otel-console'],
      format: 'otel',
      agent: 'adder',
      input: '1 + x',
      duration_ms: 2000,
      error: 'the tool failed',
      transcript: {
        output: null,
        tool_calls: [{ name: 'add', arguments: { a: 1 }, error: 'no such number' }],
        messages: [{ role: 'user', content: '1 + x' }],
      },
    },
  ]);
});
