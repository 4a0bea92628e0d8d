// `assay view` on a machine with other pages, other users of its ports and readers that go away.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { assay, start } from '../support/assay.ts';
import { application } from '../support/definition-files.ts';
import { files, raw, SUITE, view } from '../support/view-server.ts';

test('requests from other pages, for other host names, and malformed ones are refused', async () => {
  const viewer = await view(application({ files }));
  const { port, token } = viewer;
  const status = async (path: string, options?: Parameters<typeof raw>[2]): Promise<number> => {
    const answer = await raw(port, path, options);
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(answer.text).not.toContain('    at ');
    return answer.status;
  };
  const with_ = (headers: Record<string, string>): { headers: Record<string, string> } => ({ headers });
  const own = `127.0.0.1:${String(port)}`;

  expect(await status('/', with_({ host: `evil.example:${String(port)}` }))).toBe(403);
  expect(await status('/', with_({ host: '127.0.0.1' }))).toBe(403);
  expect(await status('/', with_({ host: `LOCALHOST:${String(port)}` }))).toBe(200);
  expect(await status('/api/about', with_({ origin: 'http://evil.example' }))).toBe(403);
  expect(await status('/api/about', with_({ origin: 'null' }))).toBe(403);
  expect(await status('/api/about', with_({ origin: `https://${own}` }))).toBe(403);
  expect(await status('/api/about', with_({ origin: `http://${own}` }))).toBe(200);
  expect(await status('/api/about', with_({ 'sec-fetch-site': 'cross-site' }))).toBe(403);
  expect(await status('/', with_({ 'sec-fetch-site': 'cross-site' }))).toBe(200);

  expect(await status('http://evil.example/')).toBe(400);
  expect(await status('*', { method: 'OPTIONS' })).toBe(400);
  expect(await status('//evil.example/api/about')).toBe(404);
  expect(await status('/nothing')).toBe(404);
  expect(await status('/api/runs/')).toBe(400);
  expect(await status('/api/runs/..%2f..%2fetc%2fpasswd')).toBe(400);
  expect(await status('/api/runs/%zz')).toBe(400);
  expect(await status('/api/runs/%00')).toBe(400);
  expect(await status("/api/runs/1'%20or%20'1'='1")).toBe(400);
  expect(await status('/api/runs/abc')).toBe(404);
  expect(await status('/api/runs?limit=many')).toBe(400);
  expect(await status('/api/runs?limit=99999999')).toBe(200);
  expect(await status('/api/runs?before=2026-01-01')).toBe(400);
  expect(await status("/api/runs?test=x'%20or%201=1%20--&agent=%22")).toBe(200);
  expect(await status('/api/runs?agent=%00')).toBe(400);
  expect(await status('/api/runs/latest/live?after=-1')).toBe(400);
  expect(await status('/api/compare?before=latest')).toBe(404);
  expect(await status('/api/tests/history')).toBe(400);
  expect(await status("/api/tests/history?test='&runs=0")).toBe(200);
  expect(await status('/api/cases/history?test=a')).toBe(400);
  expect(await raw(port, `/?${'x'.repeat(20_000)}`)).toMatchObject({ status: 431 });

  const wrongMethod = await raw(port, '/api/runs', { method: 'DELETE' });
  expect([wrongMethod.status, wrongMethod.headers.allow]).toEqual([405, 'GET, POST']);
  expect(await status('/api/about', { method: 'HEAD' })).toBe(405);

  const json = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const post = (headers: Record<string, string>, body: string): Promise<number> =>
    status('/api/runs', { method: 'POST', headers, body });
  expect(await post({ 'content-type': 'application/json' }, '{}')).toBe(401);
  expect(await post({ ...json, authorization: `Bearer ${token.slice(1)}` }, '{}')).toBe(401);
  expect(await post({ ...json, origin: 'http://evil.example' }, '{}')).toBe(403);
  expect(await post({ ...json, 'content-type': 'text/plain' }, '{}')).toBe(415);
  for (const body of ['', '{', '[]', 'null', '"x"', '\u0000'])
    expect([body, await post(json, body)]).toEqual([body, 400]);
  expect(await post(json, JSON.stringify({ test: 'x'.repeat(1024 * 1024) }))).toBe(413);
  for (const body of [
    {},
    { test: 'greeting', suite: 'nightly' },
    { test: 1 },
    { test: 'greeting', variables: [] },
    { test: 'greeting', variables: { Count: {} } },
    { test: 'greeting', variables: {}, runs: 0 },
    { test: 'greeting', variables: {}, shell: 'rm -rf' },
  ])
    expect([body, await post(json, JSON.stringify(body))]).toEqual([body, 400]);
  expect(await post(json, '{"test": "--help", "variables": {}}')).toBe(404);
  expect(await viewer.get('/api/runs')).toEqual({ status: 200, body: { runs: [] } });
});

test('a hostile web page can neither read, start nor change anything', async () => {
  const viewer = await view(application({ files }));
  const { port, token } = viewer;
  const own = `127.0.0.1:${String(port)}`;
  const order = JSON.stringify({ test: 'greeting', variables: {} });
  const bearer = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  type Attempt = [string, string, string, Record<string, string>];
  const attempts: Attempt[] = [
    ['a form', 'POST', '/api/runs', { 'content-type': 'text/plain', 'sec-fetch-site': 'cross-site' }],
    [
      'a form of an old browser',
      'POST',
      '/api/runs',
      { 'content-type': 'application/x-www-form-urlencoded' },
    ],
    ['a page of another port', 'POST', '/api/runs', { ...bearer, origin: 'http://127.0.0.1:1' }],
    ['the same site', 'POST', '/api/runs', { ...bearer, 'sec-fetch-site': 'same-site' }],
    ['a sandboxed frame', 'POST', '/api/runs', { ...bearer, origin: 'null' }],
    [
      'another name for this machine',
      'POST',
      '/api/runs',
      { ...bearer, host: `evil.example:${String(port)}` },
    ],
    ['a token in the address', 'POST', `/api/runs?token=${token}`, { 'content-type': 'application/json' }],
    [
      'a token in a cookie',
      'POST',
      '/api/runs',
      { 'content-type': 'application/json', cookie: `token=${token}` },
    ],
    ['a question before the request', 'OPTIONS', '/api/runs', { origin: 'http://evil.example' }],
    ['an image', 'GET', '/api/runs', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
    ['a frame', 'GET', '/api/runs/latest/live', { 'sec-fetch-site': 'cross-site' }],
    ['a reader', 'GET', '/api/runs', { origin: 'http://evil.example' }],
    ['a suite', 'PUT', '/api/suites/nightly/variables', { ...bearer, origin: 'http://evil.example' }],
  ];
  const statuses: Record<string, number> = {};
  for (const [name, method, path, headers] of attempts) {
    const answer = await raw(port, path, { method, headers, body: method === 'GET' ? undefined : order });
    expect(Object.keys(answer.headers).filter((header) => header.startsWith('access-control'))).toEqual([]);
    expect(answer.text).not.toContain(token);
    statuses[name] = answer.status;
  }
  expect(statuses).toEqual({
    'a form': 403,
    'a form of an old browser': 401,
    'a page of another port': 403,
    'the same site': 403,
    'a sandboxed frame': 403,
    'another name for this machine': 403,
    'a token in the address': 401,
    'a token in a cookie': 401,
    'a question before the request': 403,
    'an image': 403,
    'a frame': 403,
    'a reader': 403,
    'a suite': 403,
  });
  const socket = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
  const key = { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', origin: 'http://evil.example' };
  expect(await raw(port, '/', { headers: { host: own, ...socket, ...key } })).toMatchObject({ status: 403 });
  for (const path of ['/', '/api/about', '/api/runs', '/api/definitions'])
    expect((await raw(port, path)).text).not.toContain(token);
  expect(await viewer.get('/api/runs')).toEqual({ status: 200, body: { runs: [] } });
  expect((await viewer.get('/api/about')).body).toMatchObject({ started: [] });
  expect(readFileSync(join(viewer.cwd, 'tests/nightly.suite.yml'), 'utf8')).toBe(SUITE);
});

test('for people, it prints an address; two viewers find a port each', async () => {
  const cwd = application();
  const printed = async (): Promise<string> => {
    const { child } = start(['view', '--open'], { cwd, env: { PATH: '/nowhere' } });
    return new Promise((done) => child.stdout?.once('data', done));
  };
  const ADDRESS = /^Assay view: http:\/\/127\.0\.0\.1:(\d+)\/#token=[0-9a-f]{64}\nCtrl-C stops it\.\n$/;
  const [one = '', two = ''] = [await printed(), await printed()].map((text) => ADDRESS.exec(text)?.[1]);
  expect(Number(one)).toBeGreaterThanOrEqual(4477);
  expect(Number(two)).toBeGreaterThan(Number(one));
  expect((await raw(Number(two), '/api/about')).status).toBe(200);
});

test('a port that is taken, and other wrong wishes', async () => {
  const cwd = application();
  const blocker = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void blocker.close());
  await new Promise((done) => blocker.once('listening', done));
  const { port } = blocker.address() as AddressInfo;
  expect(await assay(['view', '--port', String(port)], { cwd })).toEqual({
    exitCode: 2,
    signal: null,
    stdout: '',
    stderr: `--port: port ${String(port)} is taken\n  hint: choose another one; 0 takes any that is free\n`,
  });
  expect(await assay(['view', '--port', '70000'], { cwd })).toMatchObject({ exitCode: 2 });
  expect(await assay(['view', '--store', 'gone.db'], { cwd })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('there is no history gone.db'),
  });
});
