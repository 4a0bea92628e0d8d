import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ConfigError } from '../../errors.ts';
import type { ResolvedAgent } from './resolve.ts';
import { resolveAgent } from './resolve.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-resolve-a2a-'));
afterAll(() => rmSync(root, { recursive: true }));

function resolve(name: string): Promise<ResolvedAgent> {
  return resolveAgent({ name, from: root, root, cwd: root, env: { TOKEN: 'token-12345678' } });
}

async function problemsOf(name: string): Promise<unknown> {
  const error: unknown = await resolve(name).catch((thrown: unknown) => thrown);
  return error instanceof ConfigError ? error.problems : error;
}

function writePackage(run: unknown): string {
  const path = join(root, 'assistants/remote/package.yao');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ run }, undefined, 1));
  return path;
}

test('an address after a2a+ is an A2A agent; its password is a secret', async () => {
  const url = 'http://me:password1@localhost:3000/agents/clerk';
  expect(await resolve(`a2a+${url}`)).toEqual({
    definition: { id: 'a2a+http://localhost:3000/agents/clerk', run: { type: 'a2a', a2a: { url } } },
    files: [],
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    secrets: ['password1', 'me:password1', Buffer.from('me:password1').toString('base64')],
    root,
  });
  expect((await resolve('A2A+https://example.com')).definition).toEqual({
    id: 'a2a+https://example.com',
    run: { type: 'a2a', a2a: { url: 'https://example.com' } },
  });
});

test('a package says where the agent is and what goes along', async () => {
  const file = writePackage({
    a2a: { url: 'https://example.com/clerk', headers: { authorization: 'Bearer $ENV.TOKEN', 'x-n': 1 } },
  });
  expect(await resolve('remote')).toEqual({
    definition: {
      id: 'remote',
      run: {
        type: 'a2a',
        a2a: {
          url: 'https://example.com/clerk',
          headers: { authorization: 'Bearer token-12345678', 'x-n': '1' },
        },
      },
    },
    files: [file],
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    secrets: ['token-12345678', 'Bearer token-12345678'],
    root,
  });
});

test('everything wrong with a package is said at once', async () => {
  const at = (line: number): string => `assistants/remote/package.yao:${String(line)}`;
  writePackage({ a2a: { url: 'ftp://x', header: {}, headers: { 'a b': 'x' } } });
  expect(await problemsOf('remote')).toEqual([
    { message: 'run.a2a.url: is not an http:// or https:// address', at: at(4) },
    { message: 'run.a2a.header: unknown key', at: at(5), hint: 'did you mean "headers"?' },
    { message: 'run.a2a.headers.a b: is not the name of a header', at: at(7) },
  ]);
  writePackage({ a2a: 'http://x' });
  expect(await problemsOf('remote')).toEqual([
    { message: 'run.a2a: expected an object', at: at(3), hint: 'write {"url": "http://…"}' },
  ]);
  writePackage({ a2a: {}, http: {} });
  expect(await problemsOf('remote')).toEqual([
    {
      message: 'run: a2a and http at once',
      at: at(2),
      hint: 'give one of module, python, http, a2a and command',
    },
  ]);
});

test('an address that is nearly one', async () => {
  for (const name of [
    'a2a:localhost:3000',
    'a2a://localhost:3000',
    'a2a+localhost:3000',
    'a2a+ftp://localhost:3000',
  ]) {
    expect(await problemsOf(name)).toEqual([
      { message: `no agent "${name}"`, hint: 'did you mean "a2a+http://localhost:3000"?' },
    ]);
  }
  expect(await problemsOf('a2a+http://')).toEqual([
    { message: '"a2a+http://" is not an address', hint: 'write a2a+http://host:port/path' },
  ]);
});
