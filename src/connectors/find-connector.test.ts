import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ConfigError } from '../errors.ts';
import { findConnector, listConnectors } from './find-connector.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-connectors-'));
const env = { OPENAI_KEY: 'sk-12345678', EMPTY: '', HOST: 'https://gateway.test' };
afterAll(() => rmSync(root, { recursive: true }));

function write(path: string, content: unknown): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 1));
  return file;
}

const find = (id: string, folder?: string) =>
  findConnector(id, { root, env, cwd: root, ...(folder !== undefined && { folder }) });

async function problemsOf(id: string) {
  const error: unknown = await find(id).catch((thrown: unknown) => thrown);
  return error instanceof ConfigError ? error.problems : error;
}

test('reads a file as it is found in the wild', async () => {
  const file = write(
    'connectors/openai/gpt-4.1.conn.yao',
    `{ // shared with other programs
      "LANG": "1.0.0", "VERSION": "1.0.0", "label": "GPT", "type": "openai",
      "options": {
        "proxy": "https://api.openai.com", "model": "gpt-4.1", "key": "$ENV.OPENAI_KEY",
        "capabilities": {"vision": true}, "azure": "false", "temperature": 0.5, "max_tokens": 100,
        "extra_body": {"x": 1}, "thinking": {"type": "enabled"}, "stop": ["a"],
        "concurrency": 4, "price": {"input": 1, "output": 2}, "headers": {"X-Team": "a"},
      },
    }`,
  );
  expect(await find('openai.gpt-4.1')).toEqual({
    connector: {
      id: 'openai.gpt-4.1',
      type: 'openai',
      model: 'gpt-4.1',
      key: 'sk-12345678',
      url: 'https://api.openai.com/v1',
      headers: { 'X-Team': 'a' },
      options: {
        temperature: 0.5,
        max_tokens: 100,
        extra_body: { x: 1 },
        thinking: { type: 'enabled' },
        stop: ['a'],
      },
      concurrency: 4,
      price: { input: 1, output: 2 },
    },
    file,
    files: [file],
    secrets: ['sk-12345678'],
  });
});

test.each([
  ['openai', { key: 'k' }, 'https://api.openai.com/v1'],
  ['openai', { host: 'http://localhost:11434' }, 'http://localhost:11434/v1'],
  ['openai', { host: 'http://localhost:11434/v1' }, 'http://localhost:11434/v1'],
  ['openai', { host: 'http://localhost:11434/v1/' }, 'http://localhost:11434/v1'],
  ['openai', { host: 'https://api.test/api/v4' }, 'https://api.test/api/v4'],
  ['openai', { host: 'https://api.test/path/' }, 'https://api.test/path'],
  ['openai', { host: 'https://api.test/' }, 'https://api.test'],
  ['openai', { host: '$ENV.HOST' }, 'https://gateway.test/v1'],
  [
    'openai',
    { host: 'https://api.test/deployments/x/?api-version=1' },
    'https://api.test/deployments/x?api-version=1',
  ],
  ['openai', { host: '', proxy: 'https://p.test' }, 'https://p.test/v1'],
  ['anthropic', { key: 'k' }, undefined],
  ['anthropic', { key: 'k', host: 'https://a.test' }, 'https://a.test/v1'],
  ['google', { key: 'k', host: 'https://g.test' }, 'https://g.test/v1beta'],
])('%s with %o is at %s', async (type, options, url) => {
  write('connectors/place.conn.yao', { type, options: { model: 'm', ...options } });
  expect((await find('place')).connector.url).toBe(url);
});

test('the key of Azure goes into a header of its own', async () => {
  write('connectors/azure.conn.yao', {
    type: 'openai',
    options: { model: 'm', host: 'https://a.test/', key: '$ENV.OPENAI_KEY', azure: 'true' },
  });
  expect((await find('azure')).connector.headers).toEqual({ 'api-key': 'sk-12345678' });
});

test("an assistant's own connectors come first", async () => {
  const folder = join(root, 'assistants/a');
  write('connectors/shared.conn.yao', { type: 'openai', options: { model: 'theirs', key: 'k' } });
  write('assistants/a/connectors/shared.conn.yao', { type: 'openai', options: { model: 'own', key: 'k' } });
  write('assistants/a/connectors/deep/er/x.y.conn.json', {
    type: 'openai',
    options: { model: 'x', key: 'k' },
  });
  expect((await find('shared', folder)).connector.model).toBe('own');
  expect((await find('shared')).connector.model).toBe('theirs');
  expect((await find('deep.er.x.y', folder)).connector.model).toBe('x');
  const ids = listConnectors({ root, folder });
  expect(ids.filter((id) => id.startsWith('deep') || id === 'shared')).toEqual(['deep.er.x.y', 'shared']);
  expect(listConnectors({ root: join(root, 'nowhere') })).toEqual([]);
});

test('a module is bundled, and its files are known', async () => {
  const file = write('connectors/mine.conn.yao', { type: 'module', options: { file: './model.ts' } });
  const model = write('connectors/model.ts', 'import { x } from "./part.ts";\nexport default () => x;');
  const part = write('connectors/part.ts', 'export const x: string = "";');
  expect(await find('mine')).toEqual({
    connector: { id: 'mine', type: 'module', model: 'mine', file: model },
    file,
    files: [file, model, part],
    secrets: [],
  });

  write('connectors/broken.conn.yao', { type: 'module', options: { file: './broken.ts' } });
  write('connectors/broken.ts', 'export default () =>;');
  write('connectors/none.conn.yao', { type: 'module', options: { file: './none.ts' } });
  write('connectors/none.ts', 'export const x = 1;');
  write('connectors/gone.conn.yao', { type: 'module', options: { file: './gone.ts' } });
  write('connectors/bare.conn.yao', { type: 'module' });
  expect([
    await problemsOf('broken'),
    await problemsOf('none'),
    await problemsOf('gone'),
    await problemsOf('bare'),
  ]).toEqual([
    [expect.objectContaining({ at: 'connectors/broken.ts:1:21' })],
    [
      {
        message: 'has no default export',
        at: 'connectors/none.ts',
        hint: 'a model is: export default async ({ messages }) => "text"',
      },
    ],
    [
      {
        message: `options.file: no such file: ${join(root, 'connectors/gone.ts')}`,
        at: 'connectors/gone.conn.yao:4',
      },
    ],
    [
      {
        message: 'options.file: is missing',
        at: 'connectors/bare.conn.yao:1',
        hint: 'write "file": "./model.ts"',
      },
    ],
  ]);
});

test('a missing key names the variable and its line', async () => {
  write('connectors/keyless.conn.yao', {
    type: 'anthropic',
    options: { model: 'm', key: '$ENV.ANTHROPIC_KEY' },
  });
  write('connectors/empty.conn.yao', { type: 'google', options: { model: 'm', key: '$ENV.EMPTY' } });
  write('connectors/no-key.conn.yao', { type: 'openai', options: { model: 'm' } });
  expect([await problemsOf('keyless'), await problemsOf('empty'), await problemsOf('no-key')]).toEqual([
    [
      {
        message: 'environment variable ANTHROPIC_KEY is not set; options.key needs it',
        at: 'connectors/keyless.conn.yao:5',
        hint: 'set ANTHROPIC_KEY, or write it into the .env file',
      },
    ],
    [
      {
        message: 'environment variable EMPTY is empty; options.key needs it',
        at: 'connectors/empty.conn.yao:5',
        hint: 'set EMPTY, or write it into the .env file',
      },
    ],
    [
      {
        message: 'options.key: is missing',
        at: 'connectors/no-key.conn.yao:3',
        hint: 'write "key": "$ENV.OPENAI_API_KEY", or give a host',
      },
    ],
  ]);
});

test('everything that is wrong is said at once', async () => {
  write('connectors/wrong.conn.yao', {
    type: 'openai',
    options: {
      host: 'api.test',
      key: 'two words',
      temperature: '0.5',
      max_tokens: 0,
      stop: [1],
      extra_body: [],
      concurrency: 1.5,
      price: { input: 1 },
      headers: { 'a b': 'x', c: 1, d: 'a\nb' },
    },
  });
  expect(await problemsOf('wrong')).toEqual(
    [
      [4, 'options.host: is not an http:// or https:// address', 'write https://host or https://host/path/'],
      [5, 'options.key: has characters that no key may have'],
      [6, 'options.temperature: expected a number'],
      [7, 'options.max_tokens: expected a whole number of at least 1'],
      [8, 'options.stop: expected text or a list of texts'],
      [11, 'options.extra_body: expected an object'],
      [12, 'options.concurrency: expected a whole number of at least 1'],
      [
        13,
        'options.price: expected two amounts',
        'write {"input": 2.5, "output": 10}: US dollars per million tokens',
      ],
      [17, 'options.headers.a b: is not the name of a header'],
      [18, 'options.headers.c: expected text'],
      [19, 'options.headers.d: has characters that no header may have'],
      [3, 'options.model: is missing', 'write the name that the model has at its provider'],
    ].map(([line, message, hint]) => ({
      message,
      at: `connectors/wrong.conn.yao:${String(line)}`,
      hint,
    })),
  );
  write('connectors/typo.conn.yao', { type: 'opnai' });
  write('connectors/typeless.conn.yao', { label: 'x' });
  write('connectors/list.conn.yao', { type: 'openai', options: [] });
  expect([await problemsOf('typo'), await problemsOf('typeless'), await problemsOf('list')]).toEqual([
    [
      {
        message: 'type: expected "anthropic", "google", "module" or "openai"',
        at: 'connectors/typo.conn.yao:2',
        hint: 'did you mean "openai"?',
      },
    ],
    [
      {
        message: 'type: is missing',
        at: 'connectors/typeless.conn.yao:1',
        hint: 'the types are anthropic, google, module, openai',
      },
    ],
    [{ message: 'options: expected an object', at: 'connectors/list.conn.yao:3' }],
  ]);
});

test('an unknown name leads to the nearest one, or to what there is', async () => {
  const names = ['azure', 'openai/gpt-4.1', ...Array.from({ length: 12 }, (_, index) => `small-${index}`)];
  for (const name of names)
    write(`unknown/connectors/${name}.conn.yao`, { type: 'openai', options: { model: 'm' } });
  const application = { root: join(root, 'unknown'), env, cwd: join(root, 'unknown') };
  await expect(findConnector('openai.gpt-4.2', application)).rejects.toMatchObject({
    problems: [
      {
        message: 'no connector "openai.gpt-4.2"; looked in connectors',
        hint: 'did you mean openai.gpt-4.1?',
      },
    ],
  });
  await expect(findConnector('qqqqqqqqqqqqqqq', application)).rejects.toMatchObject({
    problems: [
      {
        message: 'no connector "qqqqqqqqqqqqqqq"; looked in connectors',
        hint: expect.stringMatching(/^known connectors: azure, .* and \d+ more$/) as string,
      },
    ],
  });
  const empty = { root: join(root, 'nowhere'), folder: join(root, 'other'), env, cwd: root };
  await expect(findConnector('a.b', empty)).rejects.toMatchObject({
    problems: [
      {
        message: 'no connector "a.b"; looked in other/connectors and nowhere/connectors',
        hint: 'there are no connectors yet; write connectors/a/b.conn.yao',
      },
    ],
  });
});
