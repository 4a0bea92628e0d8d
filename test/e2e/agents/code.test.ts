// Agents that are code: assistants with hooks, and modules.

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assay, folder, logIn, outputsIn, readLog } from '../support/assay.ts';

const PACKAGE = '{\n  // an assistant in the wild has comments\n  "name": "Keyword",\n}\n';

describe('an assistant', () => {
  test('is found by the nearest package.yao; its id is the dotted path below assistants/', async () => {
    const cwd = folder({
      'assistants/workers/keyword/package.yao': PACKAGE,
      'assistants/workers/keyword/src/index.ts': `
        export function Create(ctx: any, messages: any[], options: any) { return { messages, metadata: { from: 'Create' } }; }
        export function Next(ctx: any, payload: any, options: any) {
          return { data: { words: payload.messages[0].content.split(' '), from: ctx.metadata.from } };
        }`,
      'assistants/workers/keyword/tests/inputs.jsonl': [
        { id: 'T1', input: 'a b', expected: { from: 'Create', words: ['a', 'b'] } },
      ],
    });
    const { exitCode } = await assay(['test', '-i', 'assistants/workers/keyword/tests/inputs.jsonl'], {
      cwd,
    });
    const { start, results } = readLog(logIn(join(cwd, 'assistants/workers/keyword/tests')));
    expect({ exitCode, agent: start.agent_id, total: start.total_cases }).toEqual({
      exitCode: 0,
      agent: 'workers.keyword',
      total: 1,
    });
    expect(results[0]).toMatchObject({
      type: 'result',
      id: 'T1',
      run: 1,
      status: 'passed',
      output: { words: ['a', 'b'], from: 'Create' },
      test_id: 'assistants/workers/keyword/tests/inputs.jsonl',
      kind: 'agent-eval',
      line: 1,
    });
  });

  test('does not need to export its hooks; Create may rewrite messages and options', async () => {
    const cwd = folder({
      'assistants/plain/package.yao': '{"options": {"style": "short", "size": 1}}',
      'assistants/plain/src/index.ts': `
        async function Create(ctx, messages, options) {
          ctx.memory.context.Set('seen', options.size);
          return { messages: [{ role: 'user', content: messages[0].content.toUpperCase() }], size: 2 };
        }
        function Next(ctx, payload, options) {
          const { messages, completion, tools } = payload;
          return { data: { text: messages[0].content, completion, tools, options, seen: ctx.memory.context.Get('seen') } };
        }`,
      'cases.jsonl': [{ id: 'T1', input: 'hello' }],
    });
    const { exitCode } = await assay(['test', '-i', 'cases.jsonl', '-n', 'plain', '-o', 'log.jsonl'], {
      cwd,
    });
    expect(exitCode).toBe(0);
    expect(outputsIn(join(cwd, 'log.jsonl'))).toEqual({
      T1: { text: 'HELLO', completion: null, tools: [], options: { style: 'short', size: 2 }, seen: 1 },
    });
  });

  test('gets the options of the case over those of package.yao', async () => {
    const cwd = folder({
      'assistants/plain/package.yao': '{"options": {"style": "short", "size": 1}}',
      'assistants/plain/src/index.ts': 'function Next(ctx, payload, options) { return { data: options }; }',
      'cases.jsonl': [{ id: 'T1', input: 'hello', options: { size: 3, more: [true] } }],
    });
    await assay(['test', '-i', 'cases.jsonl', '-n', 'plain', '-o', 'log.jsonl'], { cwd });
    expect(outputsIn(join(cwd, 'log.jsonl'))).toEqual({ T1: { style: 'short', size: 3, more: [true] } });
  });

  test('that returns nothing has not answered', async () => {
    const cwd = folder({
      'assistants/quiet/package.yao': '{}',
      'assistants/quiet/src/index.ts': 'function Next() { return null; }',
      'cases.jsonl': [{ id: 'T1', input: 'hello' }],
    });
    const { exitCode } = await assay(['test', '-i', 'cases.jsonl', '-n', 'agents:quiet', '-o', 'log.jsonl'], {
      cwd,
    });
    expect(exitCode).toBe(1);
    expect(readLog(join(cwd, 'log.jsonl')).results[0]).toMatchObject({
      status: 'failed',
      error: 'no answer',
      output: null,
    });
  });
});

describe('a module', () => {
  const TS_AGENT = `import type { Message } from './types.ts';
import { shout } from './shout.ts';

interface Answer { text: string }

export default async function agent(messages: Message[], ctx: { User: { ID: string } }): Promise<unknown> {
  const text = String(messages[0]?.content);
  if (text === 'transcript') {
    return {
      output: 'done',
      tool_calls: [{ name: 'search', arguments: { q: 'x' }, result: [1] }],
      usage: { input_tokens: 3, output_tokens: 4 },
      messages: [{ role: 'assistant', content: 'done' }],
    };
  }
  if (text === 'throws') {
    const answer: Answer | undefined = undefined;
    throw new RangeError('out of ' + String(answer));
  }
  return shout(text) + ' ' + ctx.User.ID;
}
`;

  test('is TypeScript without a build step: text, transcript, and a stack that points at the .ts line', async () => {
    const cwd = folder({
      'agent.ts': TS_AGENT,
      'types.ts': 'export type Message = { content: unknown };\n',
      'shout.ts': 'export const shout = (text: string): string => `${text}!`;\n',
      'cases.jsonl': [
        { id: 'text', input: 'hi', expected: 'hi! test-user' },
        { id: 'transcript', input: 'transcript' },
        { id: 'throws', input: 'throws' },
      ],
    });
    const { exitCode } = await assay(['test', '-i', 'cases.jsonl', '-n', './agent.ts', '-o', 'log.jsonl'], {
      cwd,
    });
    const { results } = readLog(join(cwd, 'log.jsonl'));
    expect(exitCode).toBe(1);
    expect(results.map(({ id, status, code, error }) => [id, status, code, error])).toEqual([
      ['text', 'passed', undefined, undefined],
      ['transcript', 'passed', undefined, undefined],
      ['throws', 'error', 'agent', 'out of undefined'],
    ]);
    expect(results[1]).toMatchObject({
      output: 'done',
      tool_calls: [{ name: 'search', arguments: { q: 'x' }, result: [1] }],
      usage: { input_tokens: 3, output_tokens: 4 },
      messages: [{ role: 'assistant', content: 'done' }],
    });
    expect(results[2]?.stack).toMatch(/^RangeError: out of undefined\n {4}at agent \(.*agent\.ts:18:11\)$/);
  });

  test.each([
    ['sync', `export default (messages) => messages.length;`, 1],
    ['an object without output', `export default () => ({ answer: 1 });`, { answer: 1 }],
    ['CommonJS', `module.exports = async (messages) => messages[0].role;`, 'user'],
    ['a stream', `export default async function* () { yield 'a'; yield 'b'; }`, 'ab'],
    ['a list', `export default () => [1, { a: null }];`, [1, { a: null }]],
    ['false', `export default () => false;`, false],
  ])('may answer in its own way: %s', async (name, code, expected) => {
    const file = name === 'CommonJS' ? 'agent.cjs' : 'agent.mjs';
    const cwd = folder({ [file]: code, 'cases.jsonl': [{ id: 'T1', input: 'hi', expected }] });
    const { exitCode } = await assay(['test', '-i', 'cases.jsonl', '-n', `./${file}`, '-o', 'log.jsonl'], {
      cwd,
    });
    expect({ exitCode, ...outputsIn(join(cwd, 'log.jsonl')) }).toEqual({ exitCode: 0, T1: expected });
  });

  test('is named by run.module of package.yao', async () => {
    const cwd = folder({
      'assistants/mod/package.yao': '{"run": {"module": "./agent.ts"}}',
      'assistants/mod/agent.ts': 'export default () => "from the module" as string;',
      'assistants/mod/tests/a.jsonl': [{ id: 'T1', input: 'hi', expected: 'from the module' }],
    });
    expect((await assay(['test', '-i', 'assistants/mod/tests/a.jsonl'], { cwd })).exitCode).toBe(0);
  });

  test('that cannot be compiled is a problem of the set-up, with file and line', async () => {
    const cwd = folder({
      'agent.ts': 'export default () => {\n  return 1 +;\n};\n',
      'cases.jsonl': [{ id: 'T1', input: 'hi' }],
    });
    const { exitCode, stderr } = await assay(['test', '-i', 'cases.jsonl', '-n', './agent.ts'], { cwd });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringMatching(/^agent\.ts:2.*Unexpected/),
    });
  });

  test('without a default export says what it has', async () => {
    const cwd = folder({
      'agent.ts': 'export const run = () => 1;',
      'cases.jsonl': [{ id: 'T1', input: 'hi' }],
    });
    const { exitCode, stderr } = await assay(['test', '-i', 'cases.jsonl', '-n', './agent.ts'], { cwd });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr:
        'agent.ts: has no default export (it exports run)\n' +
        '  hint: an agent is: export default async (messages, ctx) => output\n',
    });
  });
});

const RUN = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'];
const cases = (...ids: string[]): unknown[] => ids.map((id) => ({ id, input: id }));

test('long inputs and answers are no hang, whatever the timeout', async () => {
  const agent = "export default (m) => (m[0].content === 'answer' ? '\\u0001'.repeat(9e6 / 6) : 'ok');";
  const long = Array.from({ length: 8 }, (_, index) => ({
    id: `long ${String(index)}`,
    input: 'é'.repeat(4_000_000),
  }));
  const cwd = folder({ 'agent.mjs': agent, 'cases.jsonl': [...long, ...cases('answer')] });
  const { exitCode } = await assay([...RUN, '--timeout', '3s', '--parallel', '4'], { cwd });
  expect(exitCode).toBe(0);
  expect(readLog(join(cwd, 'log.jsonl')).summary).toMatchObject({ total: 9, passed: 9 });
});

test('changes to context and options do not reach the next attempt', async () => {
  const cwd = folder({
    'agent.mjs': `export default (messages, ctx) => {
      ctx.metadata.list.push(1);
      ctx.authorized.constraints.extra.list.push(1);
      return [ctx.metadata.list.length, ctx.authorized.constraints.extra.list.length];
    };`,
    'assistants/hooked/package.yao': { options: { response_format: { list: [] } } },
    'assistants/hooked/src/index.ts': `
      function Create(ctx: any, messages: any, options: any) { options.response_format.list.push(1); return null; }
      function Next(ctx: any, payload: any, options: any) { return { data: options.response_format.list.length }; }`,
    'ctx.json': { metadata: { list: [] }, authorized: { constraints: { extra: { list: [] } } } },
    'cases.jsonl': cases('one', 'two', 'three'),
  });
  const outputs = async (...args: string[]): Promise<unknown[]> => {
    await assay([...RUN.slice(0, 3), '-o', 'log.jsonl', ...args], { cwd });
    return readLog(join(cwd, 'log.jsonl')).results.map(({ output }) => output);
  };
  expect(await outputs('-n', './agent.mjs', '--ctx', 'ctx.json')).toEqual([
    [1, 1],
    [1, 1],
    [1, 1],
  ]);
  expect(await outputs('-n', 'hooked')).toEqual([1, 1, 1]);
});
