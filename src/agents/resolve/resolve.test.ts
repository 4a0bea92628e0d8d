import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConfigError } from '../../errors.ts';
import { listAgents } from './find-agent.ts';
import type { ResolveOptions } from './resolve.ts';
import { resolveAgent } from './resolve.ts';

/** An application of its own for every test. */
let root = '';
const env = {
  PATH: process.env['PATH'],
  API_KEY: 'key-12345678',
  HOST: 'example.test',
  EMPTY: '',
  WORD: 'innocent-word',
};

function write(path: string, text: string): string {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  return join(root, path);
}

const resolve = (options: Partial<ResolveOptions>) =>
  resolveAgent({ from: root, root, cwd: root, env, ...options });

async function problemsOf(options: Partial<ResolveOptions>) {
  const error: unknown = await resolve(options).catch((thrown: unknown) => thrown);
  return error instanceof ConfigError ? error.problems : error;
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-resolve-'));
  write(
    'assistants/keyword/package.yao',
    '{ // an assistant\n  "name": "Keywords", "connector": "a.b", "options": {"t": 1},\n}',
  );
  write(
    'assistants/keyword/src/index.ts',
    'import { x } from "./part.ts";\nfunction Next() { return { data: x }; }',
  );
  write('assistants/keyword/src/part.ts', 'export const x = 1;');
  write('assistants/keyword/tests/inputs.jsonl', '');
  write('assistants/workers/system/search/package.yao', '{"run": {"module": "./agent.mjs"}}');
  write('assistants/workers/system/search/agent.mjs', 'export default () => 1;');
  write('agent.ts', 'export default (): number => 1;');
});
afterEach(() => rmSync(root, { recursive: true }));

test('finds an assistant by id, by folder, and upward from an input', async () => {
  const folder = join(root, 'assistants/keyword');
  const expected = {
    definition: {
      id: 'keyword',
      name: 'Keywords',
      connector: 'a.b',
      options: { t: 1 },
      run: { type: 'assistant', folder, hooks: join(folder, 'src/index.ts'), tool_loop: true, max_turn: 5 },
    },
    files: ['package.yao', 'src/index.ts', 'src/part.ts'].map((path) => join(folder, path)),
    sha256: expect.stringMatching(/^[\da-f]{64}$/),
    secrets: [],
    root,
  };
  const first = await resolve({ name: 'keyword' });
  expect(first).toEqual(expected);
  for (const name of ['agents:keyword', './assistants/keyword', join(root, 'assistants/keyword')]) {
    expect(await resolve({ name })).toEqual(first);
  }
  expect(await resolve({ name: '.', cwd: folder })).toEqual(first);
  expect(await resolve({ from: join(folder, 'tests/inputs.jsonl') })).toEqual(first);
  expect((await resolve({ name: 'keyword', connector: 'c.d' })).definition).toMatchObject({
    connector: 'a.b',
    forced_connector: 'c.d',
  });

  write('assistants/keyword/src/part.ts', 'export const x = 2;');
  expect((await resolve({ name: 'keyword' })).sha256).not.toBe(first.sha256);
  write('assistants/keyword/src/part.ts', 'export const x = 1;');
  expect((await resolve({ name: 'keyword' })).sha256).toBe(first.sha256);
});

test('an id is the dotted path below assistants', async () => {
  const folder = join(root, 'assistants/workers/system/search');
  const { definition, files } = await resolve({ name: 'workers.system.search' });
  expect(definition).toEqual({
    id: 'workers.system.search',
    run: { type: 'module', file: join(folder, 'agent.mjs') },
  });
  expect(files).toEqual([join(folder, 'package.yao'), join(folder, 'agent.mjs')]);
  expect(await listAgents(root)).toEqual(['keyword', 'workers.system.search']);
  expect(await listAgents(join(root, 'nothing'))).toEqual([]);
});

test('a module file and a URL are agents without a package', async () => {
  expect(await resolve({ name: './agent.ts' })).toEqual({
    definition: { id: 'agent.ts', run: { type: 'module', file: join(root, 'agent.ts') } },
    files: [join(root, 'agent.ts')],
    sha256: expect.any(String),
    secrets: [],
    root,
  });
  const url = 'http://me:password1@localhost:3000/chat?token=abcdefgh&q=1';
  expect(await resolve({ name: url })).toEqual({
    definition: { id: 'http://localhost:3000/chat', run: { type: 'http', http: { url } } },
    files: [],
    sha256: expect.any(String),
    secrets: ['password1', 'me:password1', Buffer.from('me:password1').toString('base64'), 'abcdefgh'],
    root,
  });
});

test('what cannot be found says where it was looked for', async () => {
  expect(await problemsOf({ name: 'keywrod' })).toEqual([
    {
      message: 'no agent "keywrod"; looked for assistants/keywrod/package.yao, keywrod/package.yao',
      hint: 'did you mean keyword?',
    },
  ]);
  expect(await problemsOf({ name: './none.ts' })).toEqual([
    {
      message: 'no agent "./none.ts"; looked for none.ts',
      hint: 'known agents: keyword, workers.system.search',
    },
  ]);
  expect(await problemsOf({ from: root })).toEqual([
    {
      message: 'no package.yao in . or any folder above it, so there is no agent to test',
      hint: 'name the agent with -n: its id, a folder, a module or Python file, a URL or a2a+URL; known agents: keyword, workers.system.search',
    },
  ]);
});

test('a name that is nearly right is answered with what to write', async () => {
  write('agent.rb', 'puts 1');
  write('bin/agent', '');
  const message = (name: string) => `no agent "${name}": the file is not TypeScript, JavaScript or Python`;
  const hint = (command: string) =>
    `write a file package.yao beside it with {"run": {"command": [${command}]}}, and name its folder with -n`;
  expect(await problemsOf({ name: 'agent.rb' })).toEqual([
    { message: message('agent.rb'), hint: hint('"ruby", "agent.rb"') },
  ]);
  expect(await problemsOf({ name: './bin/agent' })).toEqual([
    { message: message('./bin/agent'), hint: hint('"./agent"') },
  ]);
  for (const name of ['localhost:8123/x', 'localhost', '127.0.0.1:80', 'my-host:8000/chat?x=1']) {
    expect(await problemsOf({ name })).toEqual([
      { message: `no agent "${name}"`, hint: `did you mean "http://${name}"?` },
    ]);
  }
  expect(await problemsOf({ name: 'agents:80' })).toMatchObject([
    { message: expect.stringContaining('looked for') },
  ]);
  expect(await problemsOf({ name: './agnet.ts' })).toEqual([
    { message: 'no agent "./agnet.ts"; looked for agnet.ts', hint: 'did you mean "agent.ts"?' },
  ]);
});

test('a module without a default export is found out before it runs', async () => {
  const problem = (file: string, names: string) => ({
    message: `has no default export (it exports ${names})`,
    at: file,
    hint: 'an agent is: export default async (messages, ctx) => output',
  });
  write('named.ts', 'export const run = () => 1; export type X = 1;');
  write('empty.mjs', 'console.log(1)');
  // The second time it is known from the cache.
  for (const _time of [1, 2])
    expect(await problemsOf({ name: './named.ts' })).toEqual([problem('named.ts', 'run')]);
  expect(await problemsOf({ name: './empty.mjs' })).toEqual([problem('empty.mjs', 'nothing')]);
  write('assistants/named/package.yao', '{"run": {"module": "../../named.ts"}}');
  expect(await problemsOf({ name: 'named' })).toEqual([problem('named.ts', 'run')]);
  const fine = {
    'common.cjs': 'module.exports = () => 1;',
    'late.js': 'Object.assign(exports, { default: () => 1 });',
    're.ts': 'export { default } from "./agent.ts";',
    'as.ts': 'const run = () => 1; export { run as default };',
  };
  for (const [name, text] of Object.entries(fine)) {
    write(name, text);
    expect((await resolve({ name: `./${name}` })).definition.run).toMatchObject({ type: 'module' });
  }
});

test('variables are filled in and secrets are known', async () => {
  write(
    'assistants/remote/package.yao',
    `{"description": "at $ENV.HOST", "run": {"http": {
      "url": "https://$ENV.HOST/v1", "headers": {"Authorization": "Bearer $ENV.API_KEY", "x-plain": "$ENV.WORD", "x-api-key": "literal-secret"},
      "body": {"q": "{{input}}", "short_key": "abc"}, "output": "$.answer" }}}`,
  );
  const first = await resolve({ name: 'remote' });
  expect(first.definition).toEqual({
    id: 'remote',
    description: 'at example.test',
    run: {
      type: 'http',
      http: {
        url: 'https://example.test/v1',
        headers: {
          Authorization: 'Bearer key-12345678',
          'x-plain': 'innocent-word',
          'x-api-key': 'literal-secret',
        },
        body: { q: '{{input}}', short_key: 'abc' },
        output: '$.answer',
      },
    },
  });
  expect([...first.secrets].sort()).toEqual(['Bearer key-12345678', 'key-12345678', 'literal-secret']);
  expect((await resolve({ name: 'remote', env: { ...env, API_KEY: 'another-key' } })).sha256).toBe(
    first.sha256,
  );
});

test('all problems of a package are reported at once, each at its line', async () => {
  write(
    'assistants/bad/package.yao',
    `{
  "name": 1,
  "run": {
    "http": {
      "url": "$ENV.NOWHERE/x",
      "header": {},
      "headers": { "x": "$ENV.EMPTY", "y": {} },
      "output": "$..["
    },
    "modul": "x"
  }
}`,
  );
  expect(await problemsOf({ name: 'bad' })).toEqual([
    {
      message: 'environment variable NOWHERE is not set; run.http.url needs it',
      at: 'assistants/bad/package.yao:5',
      hint: 'set NOWHERE, or write it into the .env file',
    },
    {
      message: 'environment variable EMPTY is empty; run.http.headers.x needs it',
      at: 'assistants/bad/package.yao:7',
      hint: 'set EMPTY, or write it into the .env file',
    },
    { message: 'name: expected text', at: 'assistants/bad/package.yao:2' },
    {
      message: 'run.http.header: unknown key',
      at: 'assistants/bad/package.yao:6',
      hint: 'did you mean "headers"?',
    },
    { message: 'run.http.headers.y: expected text', at: 'assistants/bad/package.yao:7' },
    {
      message: expect.stringMatching(/^run\.http\.output: is not a JSONPath: /),
      at: 'assistants/bad/package.yao:8',
    },
    {
      message: 'run.modul: unknown key',
      at: 'assistants/bad/package.yao:10',
      hint: 'did you mean "module"?',
    },
  ]);
  write('assistants/bad/package.yao', '{"run": {"http": {"ulr": "http://x", "usage": 1}}}');
  expect(await problemsOf({ name: 'bad' })).toMatchObject([
    { message: 'run.http.ulr: unknown key', hint: 'did you mean "url"?' },
    { message: 'run.http.usage: expected a JSONPath such as $.answer' },
    { message: 'run.http.url: is missing' },
  ]);
  write(
    'assistants/bad/package.yao',
    '{"run": {"http": {"url": "http://x", "usage": 1, "tool_calls": "$["}}}',
  );
  expect(await problemsOf({ name: 'bad' })).toMatchObject([
    { message: 'run.http.usage: expected a JSONPath such as $.answer' },
    { message: expect.stringMatching(/^run\.http\.tool_calls: is not a JSONPath/) },
  ]);
  write('assistants/bad/package.yao', '{\n  "run": {,}\n}');
  expect(await problemsOf({ name: 'bad' })).toContainEqual({
    message: 'invalid JSON: value expected',
    at: 'assistants/bad/package.yao:2',
  });
});

test.each([
  ['[]', 'run: expected an object'],
  ['{}', 'run: nothing to run'],
  ['{"comand": ["x"]}', 'run: nothing to run'],
  ['{"module": "./a.ts", "http": {"url": "http://x"}}', 'run: http and module at once'],
  ['{"module": "./none.ts"}', () => `run.module: no such file: ${root}/assistants/one/none.ts`],
  ['{"module": "./package.yao"}', 'run.module: ./package.yao is neither TypeScript nor JavaScript'],
  ['{"http": {"url": "ftp://x"}}', 'run.http.url: is not an http:// or https:// address'],
  [
    '{"http": {"url": "http://x", "headers": {"a": "\\n"}}}',
    'run.http.headers.a: has characters that no header may have',
  ],
  ['{"command": "python3"}', 'run.command: expected a list of a program and its arguments'],
  [
    '{"command": ["no-such-program"]}',
    () => `run.command: no program "no-such-program" in PATH, nor in ${root}/assistants/one`,
  ],
  ['{"command": ["./none.sh"]}', () => `run.command: no such file: ${root}/assistants/one/none.sh`],
  [
    '{"command": ["./package.yao"]}',
    () => `run.command: ${root}/assistants/one/package.yao is not executable; try chmod +x`,
  ],
  ['{"module": "./broken.ts"}', 'Unexpected ";"'],
])('a run that cannot work: %s', async (run, message) => {
  write('assistants/one/broken.ts', 'const a = ;');
  write('assistants/one/package.yao', `{"run": ${run}}`);
  const problems = await problemsOf({ name: 'one' });
  expect(problems).toMatchObject([{ message: typeof message === 'string' ? message : message() }]);
});

test('a command is found in PATH or in the folder, and its files are known', async () => {
  write(
    'assistants/prog/package.yao',
    '{"run": {"command": ["sh", "agent.sh", "-v"], "env": {"MY_TOKEN": "$ENV.WORD"}}}',
  );
  write('assistants/prog/agent.sh', 'echo');
  const folder = join(root, 'assistants/prog');
  expect(await resolve({ name: 'prog' })).toMatchObject({
    definition: {
      id: 'prog',
      run: {
        type: 'command',
        command: ['sh', 'agent.sh', '-v'],
        cwd: folder,
        env: { MY_TOKEN: 'innocent-word' },
      },
    },
    files: [join(folder, 'package.yao'), join(folder, 'agent.sh')],
    secrets: ['innocent-word'],
  });
  write('assistants/prog/package.yao', '{"run": {"command": ["agent.sh"]}}');
  chmodSync(join(folder, 'agent.sh'), 0o755);
  expect((await resolve({ name: 'prog' })).definition.run).toEqual({
    type: 'command',
    command: [join(folder, 'agent.sh')],
    cwd: folder,
  });
});

test('an assistant needs hooks, prompts or tools', async () => {
  const hint =
    'add "run": {"module": "./agent.ts"}, {"http": …}, {"a2a": …} or {"command": …}, or write prompts.yml or src/index.ts';
  write('assistants/two/package.yao', '{}');
  const at = 'assistants/two/package.yao:1';
  expect(await problemsOf({ name: 'two' })).toEqual([
    { message: 'nothing to run: no "run" here, no prompts and no assistants/two/src/index.ts', at, hint },
  ]);
  write('assistants/two/src/index.ts', 'export function Other() {}');
  expect(await problemsOf({ name: 'two' })).toEqual([
    {
      message: 'has neither a function Create nor a function Next, and the assistant has no prompts',
      at: 'assistants/two/src/index.ts',
      hint: 'let Next(ctx, payload, options) return { data: <the answer> }',
    },
  ]);
  write('assistants/two/prompts.yml', '- {role: system, content: hi}');
  const { definition, files } = await resolve({ name: 'two' });
  const folder = join(root, 'assistants/two');
  expect(definition).toEqual({
    id: 'two',
    run: {
      type: 'assistant',
      folder,
      prompts: [{ role: 'system', content: 'hi' }],
      tool_loop: true,
      max_turn: 5,
    },
  });
  expect(files).toEqual([
    join(folder, 'package.yao'),
    join(folder, 'prompts.yml'),
    join(folder, 'src/index.ts'),
  ]);
});

test('the connector of an assistant with prompts is looked at before anything runs', async () => {
  write('assistants/three/package.yao', '{\n  "connector": "openai.mini"\n}');
  write('assistants/three/prompts.yml', '- {role: system, content: hi}');
  write(
    'connectors/openai/mini.conn.yao',
    '{"type": "openai", "options": {"model": "m", "key": "$ENV.SHOP_KEY"}}',
  );
  expect(await problemsOf({ name: 'three' })).toMatchObject([
    { message: expect.stringContaining('SHOP_KEY') as unknown, at: 'connectors/openai/mini.conn.yao:1' },
  ]);
  const given = await resolve({ name: 'three', env: { SHOP_KEY: 'sk-12345678' } });
  expect([given.definition.connector, given.secrets]).toEqual(['openai.mini', ['sk-12345678']]);
  expect(given.files).toContain(join(root, 'connectors/openai/mini.conn.yao'));
  expect(await problemsOf({ name: 'three', connector: 'openai.mani' })).toMatchObject([
    { message: expect.stringContaining('openai.mani') as unknown, at: '-c' },
  ]);
  write('assistants/three/package.yao', '{\n  "connector": "opena.mini"\n}');
  expect(await problemsOf({ name: 'three' })).toMatchObject([
    { message: expect.stringContaining('opena.mini') as unknown, at: 'assistants/three/package.yao:2' },
  ]);
});
