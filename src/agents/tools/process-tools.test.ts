import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AttemptError } from '../../errors.ts';
import { contextWith } from '../../model/context.fixture.ts';
import type { ProcessTool } from '../../model/tool-server.ts';
import { openToolbox } from './toolbox.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-process-tools-'));
const context = contextWith({ assistant_id: 'calc' });
const never = new AbortController().signal;
const numbers = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' }, deep: { type: 'object' } },
  required: ['a'],
};

beforeAll(() => {
  mkdirSync(join(root, 'assistants/calc/src'), { recursive: true });
  writeFileSync(
    join(root, 'assistants/calc/src/tools.ts'),
    [
      'export function Show(...args: any[]) { const ctx = args.pop(); return { args, user: ctx.User.ID }; }',
      'export async function Later(given: any) { given.a = 0; return { at: new Date(0), gone: undefined }; }',
      'export function Nothing() {}',
      'export function Loop() { const loop: any = {}; loop.loop = loop; return loop; }',
      "export function Fail() { throw new Error('division by zero'); }",
      "export function FailOddly() { throw ''; }",
      'export function Hang() { return new Promise(() => {}); }',
    ].join('\n'),
  );
});
afterAll(() => rmSync(root, { recursive: true }));

function call(name: string, args: unknown, options: Partial<ProcessTool> & { signal?: AbortSignal } = {}) {
  const { signal = never, ...rest } = options;
  const tool: ProcessTool = {
    name: 'show',
    process: `agents.calc.tools.${name}`,
    parameters: { type: 'object' },
    args: [':arguments'],
    ...rest,
  };
  const toolbox = openToolbox([{ id: 'agents.calc.math', transport: 'process', functions: [tool] }]);
  const offered = { name: 'x', server: 'agents.calc.math', tool: 'show', parameters: {} };
  return toolbox.call(offered, args, { root, context, signal });
}

test('passes the arguments as the tool says, and the context after them', async () => {
  const args = [
    ':arguments',
    '$args.a',
    '$args.deep.list.1',
    '$args.b',
    '$args.toString',
    7,
    { a: '$args.a' },
  ];
  const given = { a: 1, deep: { list: ['x', 'y'] } };
  expect(await call('Show', given, { args })).toEqual({
    result: { args: [given, 1, 'y', null, null, 7, { a: '$args.a' }], user: 'u1' },
  });
  expect(await call('Show', undefined)).toEqual({ result: { args: [{}], user: 'u1' } });
});

test('answers with plain JSON and leaves the arguments as the model gave them', async () => {
  const given = { a: 1 };
  expect(await call('Later', given)).toEqual({ result: { at: '1970-01-01T00:00:00.000Z' } });
  expect(given).toEqual({ a: 1 });
  expect(await call('Nothing', {})).toEqual({ result: null });
});

test('answers with what a function throws', async () => {
  expect(await call('Fail', {})).toEqual({ error: 'division by zero' });
  expect(await call('FailOddly', {})).toEqual({ error: 'the tool failed without a message' });
  const { error } = await call('Loop', {});
  expect(error).toMatch(/^its result cannot be written as JSON: Converting circular structure/);
});

test('does not call a function whose arguments do not fit its schema', async () => {
  const invalid = (given: unknown, parameters = numbers) => call('Fail', given, { parameters });
  expect(await invalid({ a: 'one' })).toEqual({ error: 'invalid arguments: /a must be number' });
  expect(await invalid({ b: 'x' })).toEqual({
    error: "invalid arguments: must have required property 'a'; /b must be number",
  });
  expect(await invalid('{"a": 1')).toEqual({
    error: 'invalid arguments: must be an object, as JSON, not "{\\"a\\": 1"',
  });
  const closed = { ...numbers, additionalProperties: false, properties: { a: { enum: [1, 2] } } };
  expect(await call('Fail', { a: 3, c: 1 }, { parameters: closed })).toEqual({
    error:
      'invalid arguments: must NOT have additional properties: "c"; /a must be equal to one of the allowed values: [1,2]',
  });
});

test('ends at the deadline', async () => {
  const controller = new AbortController();
  const reason = new Error('deadline');
  const work = call('Hang', {}, { signal: controller.signal });
  controller.abort(reason);
  await expect(work).rejects.toBe(reason);
});

test('a function that is gone cannot be measured', async () => {
  const error = await call('Gone', {}).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AttemptError);
  expect(error).toMatchObject({
    code: 'harness',
    message: 'agents.calc.tools.Gone: no function "Gone" in assistants/calc/src/tools.ts',
  });
});
