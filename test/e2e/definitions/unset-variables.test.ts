// A variable that is not set matters where its value is used, and nowhere else.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, endsIn, folder } from '../support/assay.ts';
import { chat, env, INPUT, modelServer, openai } from '../support/assistant-files.ts';

const CASES = [{ id: 'a', input: 'x' }];
const UNSET = { type: 'openai', options: { model: 'm', key: '$ENV.OTHER_KEY', host: '$ENV.OTHER_HOST' } };

async function run(
  files: Record<string, unknown>,
  ...args: string[]
): Promise<{ exitCode: number | null; stderr: string; ends: Record<string, string> }> {
  const server = await modelServer(() => 'fine');
  const cwd = folder({ ...chat(openai(server.url), CASES), 'app.yao': {}, ...files });
  const { exitCode, stderr } = await assay(
    ['test', '-i', INPUT, '-o', 'log.jsonl', '--retries', '0', ...args],
    {
      cwd,
      env,
    },
  );
  return { exitCode, stderr, ends: exitCode === 2 ? {} : endsIn(join(cwd, 'log.jsonl')) };
}
const PASSED = { exitCode: 0, stderr: '', ends: { a: 'passed' } };

const PACKAGE = 'assistants/chat/package.yao';
const hook = (returned: object): Record<string, unknown> => ({
  'assistants/chat/src/index.ts': `export function Create() { return ${JSON.stringify(returned)}; }`,
});

test.each<[string, Record<string, unknown>, string[]]>([
  ['another connector', { 'connectors/other.conn.yao': UNSET }, []],
  ['another agent', { 'assistants/other/package.yao': { connector: '$ENV.NONE' } }, []],
  [
    'a server that no package names',
    { 'assistants/chat/mcps/x.mcp.yao': { transport: 'http', url: '$ENV.NONE' } },
    [],
  ],
  [
    'fields that are not used',
    { [PACKAGE]: { connector: 'small', sandbox: false, kb: { key: '$ENV.NONE' } } },
    [],
  ],
  ['a connector that -c replaces', { [PACKAGE]: { connector: '$ENV.NONE' } }, ['-c', 'small']],
  [
    'a connector with a key that -c replaces',
    { [PACKAGE]: { connector: 'other' }, 'connectors/other.conn.yao': UNSET },
    ['-c', 'small'],
  ],
  [
    'a connector that a variable replaces',
    { [PACKAGE]: { connector: '$ENV.NONE' } },
    ['--var', 'AIConfiguration=small'],
  ],
  [
    'a connector that a hook replaces',
    {
      [PACKAGE]: { connector: 'other' },
      'connectors/other.conn.yao': UNSET,
      ...hook({ connector: 'small' }),
    },
    [],
  ],
  [
    'a preset that no hook asks for',
    { 'assistants/chat/prompts/formal.yml': '- role: system\n  content: $ENV.NONE\n' },
    [],
  ],
  [
    'a field of a server that its transport does not use',
    {
      [PACKAGE]: { connector: 'small', mcp: { servers: ['agents.chat.x'] } },
      'assistants/chat/mcps/x.mcp.yao': {
        transport: 'process',
        tools: { f: 'scripts.f.F' },
        url: '$ENV.NONE',
        env: { A: '$ENV.NONE' },
      },
      'scripts/f.ts': 'export function F() { return 1; }',
    },
    [],
  ],
])('%s', async (_name, files, args) => {
  expect(await run(files, ...args)).toEqual(PASSED);
});

test.each<[string, Record<string, unknown>, string[], string]>([
  [
    'the connector',
    { 'connectors/small.conn.yao': UNSET },
    [],
    'connectors/small.conn.yao:1: environment variable OTHER_KEY is not set; options.key needs it',
  ],
  [
    'the connector of -c',
    { 'connectors/other.conn.yao': UNSET },
    ['-c', 'other'],
    'connectors/other.conn.yao:1: environment variable OTHER_HOST is not set; options.host needs it',
  ],
  [
    'the package',
    { [PACKAGE]: { connector: '$ENV.NONE' } },
    [],
    'assistants/chat/package.yao:1: environment variable NONE is not set; connector needs it',
  ],
  [
    'a server of the package',
    {
      [PACKAGE]: { connector: 'small', mcp: { servers: ['agents.chat.x'] } },
      'assistants/chat/mcps/x.mcp.yao': {
        transport: 'http',
        url: 'http://127.0.0.1:9',
        headers: { authorization: '$ENV.NONE' },
      },
    },
    [],
    'assistants/chat/mcps/x.mcp.yao:1: environment variable NONE is not set; headers.authorization needs it',
  ],
])('is an error in %s, before anything runs', async (_name, files, args, message) => {
  const { exitCode, stderr } = await run(files, ...args);
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(message) });
});

test.each<[string, Record<string, unknown>, string]>([
  [
    'connector',
    { 'connectors/other.conn.yao': UNSET, ...hook({ connector: 'other' }) },
    'environment variable OTHER_KEY is not set; options.key needs it',
  ],
  [
    'preset',
    {
      'assistants/chat/prompts/formal.yml': '- role: system\n  content: $ENV.NONE\n',
      ...hook({ prompt_preset: 'formal' }),
    },
    'environment variable NONE is not set; the prompt needs it',
  ],
])('is an error of the attempt in a %s that a hook chooses', async (_name, files, message) => {
  const { exitCode, ends } = await run(files);
  expect({ exitCode, ends }).toEqual({ exitCode: 3, ends: { a: expect.stringContaining(message) } });
});
