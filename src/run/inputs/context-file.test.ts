import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConfigError } from '../../errors.ts';
import { publishedSchema } from '../../schema/published-schema.ts';
import { contextShape, readContextFile } from './context-file.ts';

const schema = publishedSchema('Assay test context', contextShape, '2020-12');
const validate = new Ajv2020().compile(schema);

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(path.join(tmpdir(), 'assay-context-'));
});
afterAll(() => {
  rmSync(cwd, { recursive: true, force: true });
});

async function read(text: string): Promise<unknown> {
  writeFileSync(path.join(cwd, 'context.json'), text);
  try {
    return await readContextFile('context.json', { cwd });
  } catch (error) {
    return error instanceof ConfigError ? error.problems : error;
  }
}

const everything = {
  authorized: {
    sub: 'user-1',
    client_id: 'app',
    scope: 'read write',
    session_id: 's',
    user_id: 'admin',
    team_id: 'team',
    tenant_id: 'acme',
    remember_me: false,
    constraints: {
      owner_only: false,
      creator_only: false,
      editor_only: false,
      team_only: true,
      extra: { department: 'engineering' },
    },
  },
  metadata: { request_id: 'r', nested: { a: [1] } },
  client: { type: 'web', user_agent: 'Mozilla/5.0', ip: '192.168.1.100' },
  locale: 'zh-cn',
  referer: 'https://example.com/dashboard',
  accept: 'standard',
  chat_id: 'chat-1',
};

test('reads every field', async () => {
  expect(await read(JSON.stringify(everything))).toEqual(everything);
  expect(validate(everything)).toBe(true);
});

test('allows comments, trailing commas and a byte order mark', async () => {
  expect(await read('\uFEFF// who\n{ /* where */ "locale": "de-de", }')).toEqual({ locale: 'de-de' });
});

test('reports all problems with their lines', async () => {
  const text = [
    '{',
    '  "authorised": {},',
    '  "authorized": {',
    '    "user": "admin",',
    '    "remember_me": "no",',
    '    "constraints": []',
    '  },',
    '  "metadata": null,',
    '  "client": { "ipp": "1" },',
    '  "locale": 1',
    '}',
  ].join('\n');
  expect(await read(text)).toEqual([
    { message: 'unknown field "authorised"', at: 'context.json:2', hint: 'did you mean "authorized"?' },
    { message: 'unknown field "authorized.user"', at: 'context.json:4', hint: 'did you mean "user_id"?' },
    { message: '"authorized.remember_me" must be true or false', at: 'context.json:5' },
    { message: '"authorized.constraints" must be an object', at: 'context.json:6' },
    { message: '"metadata" must be an object', at: 'context.json:8' },
    { message: 'unknown field "client.ipp"', at: 'context.json:9', hint: 'did you mean "ip"?' },
    { message: '"locale" must be a string', at: 'context.json:10' },
  ]);
  expect(validate(JSON.parse(text))).toBe(false);
});

test('reports syntax errors with their lines', async () => {
  expect(await read('{\n  "locale" "de"\n}')).toEqual([
    { message: 'invalid JSON: colon expected', at: 'context.json:2' },
  ]);
  expect(await read('')).toEqual([{ message: 'invalid JSON: value expected', at: 'context.json:1' }]);
  expect(await read('[]')).toEqual([{ message: 'the context must be an object', at: 'context.json:1' }]);
});

test('reports a missing file', async () => {
  await expect(readContextFile('nope.json', { cwd })).rejects.toThrow(
    new ConfigError('the context file does not exist', { at: 'nope.json' }),
  );
});

test('schemas/context.schema.json is up to date', () => {
  const text = readFileSync(new URL('../../../schemas/context.schema.json', import.meta.url), 'utf8');
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(schema)));
});
