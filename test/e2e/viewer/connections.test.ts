// `assay view` beside programs that open connections and never finish what they begin.

import { readFileSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { assay } from '../support/assay.ts';
import { application } from '../support/definition-files.ts';
import type { View } from '../support/view-server.ts';
import { eventsIn, files, raw, view } from '../support/view-server.ts';
import { until } from '../../until.ts';

/** A viewer of one run that never ends. */
async function viewOfUnfinishedRun(): Promise<View> {
  const cwd = application({ files });
  await assay(['run', 'greeting', '-o', 'whole.jsonl', '--no-history'], { cwd });
  const lines = readFileSync(join(cwd, 'whole.jsonl'), 'utf8').trimEnd().split('\n');
  writeFileSync(join(cwd, 'cut.jsonl'), `${lines.slice(0, -1).join('\n')}\n`);
  await assay(['import', 'cut.jsonl'], { cwd });
  return view(cwd);
}

/** Opens connections that say something and then nothing. */
async function openConnections(port: number, count: number, text: string): Promise<Socket[]> {
  const sockets = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<Socket>((done) => {
          const socket = connect(port, '127.0.0.1', () => done(socket));
          socket.on('error', () => done(socket));
        }),
    ),
  );
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (const socket of sockets) socket.write(text);
  return sockets;
}

const HALF_OPEN: [string, (viewer: View) => string][] = [
  ['that say nothing', () => ''],
  ['whose headers never end', ({ port }) => `GET / HTTP/1.1\r\nHost: 127.0.0.1:${String(port)}\r\nX-Wait: `],
  [
    'whose bodies never end',
    ({ port, token }) =>
      `POST /api/runs HTTP/1.1\r\nHost: 127.0.0.1:${String(port)}\r\nContent-Type: application/json\r\nAuthorization: Bearer ${token}\r\nContent-Length: 1000\r\n\r\n{`,
  ],
  [
    'whose bodies never end and have no token',
    ({ port }) =>
      `POST /api/runs HTTP/1.1\r\nHost: 127.0.0.1:${String(port)}\r\nContent-Length: 1000\r\n\r\n{`,
  ],
  ['that stay open', ({ port }) => `GET /api/about HTTP/1.1\r\nHost: 127.0.0.1:${String(port)}\r\n\r\n`],
  ['that never read the page', ({ port }) => `GET / HTTP/1.1\r\nHost: 127.0.0.1:${String(port)}\r\n\r\n`],
  [
    'that follow a run',
    ({ port }) => `GET /api/runs/latest/live HTTP/1.1\r\nHost: 127.0.0.1:${String(port)}\r\n\r\n`,
  ],
  [
    'that download a run',
    ({ port }) => `GET /api/runs/latest/packets HTTP/1.1\r\nHost: 127.0.0.1:${String(port)}\r\n\r\n`,
  ],
];

test.each(HALF_OPEN)('500 connections %s do not lock a person out', async (_name, text) => {
  const viewer = await viewOfUnfinishedRun();
  const { port, get } = viewer;
  await openConnections(port, 500, text(viewer));
  const begun = performance.now();
  const page = await raw(port, '/');
  const runs = await get('/api/runs');
  const events = eventsIn((await get('/api/runs/latest/packets')).body as string);
  const leave = new AbortController();
  const live = await fetch(`http://127.0.0.1:${String(port)}/api/runs/latest/live`, { signal: leave.signal });
  const ms = performance.now() - begun;
  leave.abort();
  expect([page.status, page.text.length > 10_000, runs.status, live.status]).toEqual([200, true, 200, 200]);
  expect(events.map(({ type }) => type)).toEqual(['start', 'result']);
  expect(ms).toBeLessThan(5000);
  expect(await viewer.stop()).toMatchObject({ exitCode: 0, stderr: '' });
});

test('connections that never finish a request are closed', async () => {
  const viewer = await view(application());
  const { port } = viewer;
  const sockets = [
    ...(await openConnections(port, 3, '')),
    ...(await openConnections(port, 3, 'GET / HTTP/1.1\r\nHost: ')),
  ];
  for (const socket of sockets) socket.resume();
  await until(() => sockets.every(({ readyState }) => readyState !== 'open'), 20_000);
});

test('a request with very many headers is refused, not read in part', async () => {
  const { port } = await view(application());
  const headers = Object.fromEntries(Array.from({ length: 1500 }, (_, at) => [`a${String(at)}`, 'b']));
  expect(await raw(port, '/', { headers })).toMatchObject({ status: 431 });
  const origin = { ...headers, origin: 'http://evil.example' };
  expect(await raw(port, '/api/about', { headers: origin })).toMatchObject({ status: 431 });
});

test('of too many streams the oldest ends, and says so', async () => {
  const { port } = await viewOfUnfinishedRun();
  const leave = new AbortController();
  onTestFinished(() => leave.abort());
  const follow = async (): Promise<Response> =>
    fetch(`http://127.0.0.1:${String(port)}/api/runs/latest/live`, { signal: leave.signal });
  const [first, ...others] = [await follow(), await follow(), await follow(), await follow()];
  expect([first, ...others].map((response) => response?.status)).toEqual([200, 200, 200, 200]);
  const fifth = await follow();
  expect(fifth.status).toBe(200);
  expect(await first?.text()).toMatch(/^retry: 2000\n\nid: 1\ndata: .*\n\nevent: busy\ndata: {}\n\n$/);
});
