import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Application } from './read-tools.fixture.ts';
import { createApplication, MATH, math, SCHEMA } from './read-tools.fixture.ts';

let application: Application;
let root: string;
beforeEach(() => {
  application = createApplication();
  ({ root } = application);
});
afterEach(() => application.remove());

const write: Application['write'] = (path, content) => application.write(path, content);
const read: Application['read'] = (mcp, env) => application.read(mcp, env);

/** What is wrong with the server math. */
async function problemsIn(server: unknown) {
  write(MATH, server);
  const { problems, servers } = await read({ servers: ['agents.calc.math'] });
  expect(servers).toEqual([]);
  return problems;
}

test('what a server file may say', async () => {
  expect(await problemsIn({})).toEqual([
    { message: 'transport: is missing', at: `${MATH}:1`, hint: 'it is one of http, process, sse, stdio' },
  ]);
  expect(await problemsIn({ transport: 'stdo' })).toEqual([
    {
      message: 'transport: expected "http", "process", "sse" or "stdio"',
      at: `${MATH}:2`,
      hint: 'did you mean "stdio"?',
    },
  ]);
  expect(await problemsIn('{"transport": ')).toEqual([
    { message: 'invalid JSON: value expected', at: `${MATH}:1` },
    { message: 'invalid JSON: close brace expected', at: `${MATH}:1` },
  ]);
  expect(await problemsIn({ transport: 'http', url: 'ftp://x', headers: { 'a b': 'x', c: [] } })).toEqual([
    { message: 'url: is not an http:// or https:// address', at: `${MATH}:3` },
    { message: 'headers.a b: is not the name of a header', at: `${MATH}:5` },
    { message: 'headers.c: expected text', at: `${MATH}:6` },
  ]);
  expect(await problemsIn({ transport: 'http', url: '$ENV.NOWHERE' })).toEqual([
    {
      message: 'environment variable NOWHERE is not set; url needs it',
      at: `${MATH}:3`,
      hint: 'set NOWHERE, or write it into the .env file',
    },
  ]);
  expect(await problemsIn({ transport: 'stdio', command: 'no-such-program' })).toEqual([
    {
      message: `command: no program "no-such-program" in PATH, nor in ${root}`,
      at: `${MATH}:3`,
      hint: 'install it, or write the path of the program',
    },
  ]);
  expect(await problemsIn({ transport: 'stdio', command: './nowhere.sh', arguments: 'x' })).toEqual([
    { message: 'arguments: expected a list of texts', at: `${MATH}:4`, hint: 'write ["server.js"]' },
  ]);
  expect(await problemsIn({ transport: 'stdio', command: './server.sh' })).toEqual([
    { message: `command: no such file: ${join(root, 'server.sh')}`, at: `${MATH}:3` },
  ]);
});

test('functions that cannot be called', async () => {
  expect(await problemsIn({ transport: 'process', tools: {} })).toEqual([
    {
      message: 'tools: is empty',
      at: `${MATH}:3`,
      hint: 'write {"add": "agents.calc.tools.Add"}',
    },
  ]);
  const tools = {
    add: 'agents.calc.tools.Ad',
    'a b': 'agents.calc.tools.Add',
    sub: 1,
    mul: 'scripts.nowhere.Mul',
  };
  expect(await problemsIn({ transport: 'process', tools })).toEqual([
    { message: 'tools.a b: the name of a tool has letters, digits, "_", "-" and "."', at: `${MATH}:5` },
    {
      message: 'tools.sub: expected the name of a function',
      at: `${MATH}:6`,
      hint: 'write "agents.<id>.<module>.<Function>"',
    },
    {
      message:
        'tools.add: agents.calc.tools.Ad: no function "Ad" in assistants/calc/src/tools.ts; did you mean "Add"?',
      at: `${MATH}:4`,
    },
    {
      message: `tools.mul: scripts.nowhere.Mul: no such script; looked for scripts/nowhere.ts, scripts/nowhere.js, scripts/nowhere.mjs below ${root}`,
      at: `${MATH}:7`,
    },
  ]);
  write('assistants/calc/src/broken.ts', 'export function Add() {\n  return 1 +;\n}');
  expect(await problemsIn({ transport: 'process', tools: { add: 'agents.calc.broken.Add' } })).toEqual([
    {
      message: 'Unexpected ";"',
      at: 'assistants/calc/src/broken.ts:2:13',
      hint: '2 |   return 1 +;\n                ^',
    },
  ]);
});

test('schemas that are none', async () => {
  const problemsWith = async (schema: unknown) => {
    write(SCHEMA, schema);
    return problemsIn(math);
  };
  expect(await problemsWith({ type: 'objekt' })).toEqual([
    {
      message: 'the arguments of a tool are an object',
      at: `${SCHEMA}:2`,
      hint: 'write "type": "object" and name the arguments in "properties"',
    },
  ]);
  expect(await problemsWith({ properties: { a: { type: 'nummer' } } })).toEqual([
    {
      message:
        'is not JSON Schema: schema is invalid: data/properties/a/type must be equal to one of the allowed values, data/properties/a/type must be array, data/properties/a/type must match a schema in anyOf',
      at: `${SCHEMA}:1`,
    },
  ]);
  expect(await problemsWith([])).toEqual([
    { message: 'a tool needs a JSON Schema in braces', at: `${SCHEMA}:1` },
  ]);
  expect(await problemsWith('{')).toEqual([
    { message: 'invalid JSON: close brace expected', at: `${SCHEMA}:1` },
  ]);
  expect(await problemsWith({ 'x-process-args': ':arguments' })).toEqual([
    {
      message: 'x-process-args: expected a list',
      at: `${SCHEMA}:2`,
      hint: 'write [":arguments"] or ["$args.field", …]',
    },
  ]);
  expect(
    await problemsWith({ properties: { amount: {} }, 'x-process-args': ['$args.amont', '$args.amount.x'] }),
  ).toEqual([
    {
      message: 'x-process-args: the schema has no property "amont"',
      at: `${SCHEMA}:5`,
      hint: 'did you mean "amount"?',
    },
  ]);
});
