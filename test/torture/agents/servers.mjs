// A run with hostile HTTP services as agents. Each answers "wrong", or nothing.

import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';

const JSON_HEAD = { 'content-type': 'application/json' };
const MB = Buffer.alloc(1 << 20, 120);

/** Writes until the client goes away, at most this often. */
function pour(response, piece, times, pauseMs = 0) {
  let left = times;
  const more = () => {
    if (response.destroyed || response.writableEnded) return;
    if ((left -= 1) < 0) return void response.end();
    if (response.write(piece) || pauseMs > 0) setTimeout(more, pauseMs);
    else response.once('drain', more);
  };
  more();
}

const raw = (text) => (response) => void response.socket.end(text);

const kinds = {
  'service hangs': () => {},
  'service drips': (response) => pour(response.writeHead(200, JSON_HEAD), ' ', 1e6, 20),
  'service drips its head': (response) => pour(response.socket, 'x', 1e6, 20),
  'service cuts': (response) => {
    response.writeHead(200, { ...JSON_HEAD, 'content-length': 1000 });
    response.write('{"output": "right"');
    setTimeout(() => response.socket.destroy(), 20);
  },
  'service cuts at once': (response) => response.socket.destroy(),
  'service promises more': raw(
    'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n"right"',
  ),
  'service promises less': raw(
    'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 3\r\n\r\nwrong right',
  ),
  'service promises nonsense': raw('HTTP/1.1 200 OK\r\ncontent-length: -5\r\ncontent-length: 7\r\n\r\nwrong'),
  'service sends no HTTP': raw('right\n'.repeat(1000)),
  'service sends bytes': raw(Buffer.from([0, 255, 254, 13, 10, 13, 10])),
  'service sends a broken chunk': raw(
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\nright',
  ),
  'service sends a huge head': raw(`HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(50_000)}\r\n"right"`),
  'service only continues': (response) => pour(response.socket, 'HTTP/1.1 100 Continue\r\n\r\n', 1e6, 5),
  'service sends 200 MB': (response) =>
    pour(response.writeHead(200, { 'content-type': 'text/plain' }), MB, 200),
  'service sends a bomb': (response) =>
    response
      .writeHead(200, { ...JSON_HEAD, 'content-encoding': 'gzip' })
      .end(gzipSync(Buffer.alloc(2e8, 120), { level: 1 })),
  'service sends a broken bomb': (response) =>
    response.writeHead(200, { ...JSON_HEAD, 'content-encoding': 'gzip' }).end('right'),
  'service redirects without end': (response, request) =>
    response.writeHead(307, { location: `${request.url}x` }).end(),
  'service redirects elsewhere': (response) =>
    response.writeHead(307, { location: 'file:///etc/hostname' }).end(),
  'service streams without end': (response) =>
    pour(
      response.writeHead(200, { 'content-type': 'text/event-stream' }),
      'data: {"delta":"wrong "}\n\n',
      1e6,
      10,
    ),
  'service streams without an event': (response) =>
    pour(response.writeHead(200, { 'content-type': 'text/event-stream' }), 'data: wrong', 1e6, 10),
  'service answers deeply': (response) =>
    response.writeHead(200, JSON_HEAD).end(`{"output":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
  'service answers with half a JSON': (response) =>
    response.writeHead(200, JSON_HEAD).end('{"output":"right'),
  'service answers with nothing': (response) => response.writeHead(204).end(),
  'service answers with verdicts': (response) =>
    response
      .writeHead(200, JSON_HEAD)
      .end('{"output":"wrong","status":"passed","verdicts":[],"duration_ms":-1}'),
  'service answers with odd spending': (response) =>
    response
      .writeHead(200, JSON_HEAD)
      .end('{"output":"wrong","usage":{"input_tokens":-1e999},"cost_usd":"x"}'),
  'service fails': (response) => response.writeHead(500).end('right'),
  'service is always busy': (response) => response.writeHead(429, { 'retry-after': '86400' }).end('right'),
  'service answers in another alphabet': (response) =>
    response
      .writeHead(200, { 'content-type': 'text/plain; charset=utf-16' })
      .end(Buffer.from('wrong', 'utf16le')),
  'service switches protocols': (response) =>
    response.socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
};

export function serversRun() {
  const hostile = Object.keys(kinds);
  return {
    name: 'services',
    files: {
      'cases.jsonl': [
        { id: 'honest 1', input: 'honest', expected: 'right' },
        ...hostile.map((id) => ({ id, input: id, expected: 'right' })),
        { id: 'honest 2', input: 'honest', expected: 'right' },
      ],
    },
    args: 'test -i cases.jsonl -o log.jsonl --retries 0 --parallel 6 --timeout 2s'.split(' '),
    hostile,
    honest: ['honest 1', 'honest 2'],
    serve,
  };
}

/** Starts the services; a request names the one that answers it. */
async function serve() {
  const server = createServer((request, response) => {
    // The client may go away while it sends.
    answer(request, response).catch(() => response.destroy());
  });
  server.on('connection', (socket) => socket.on('error', () => {}));
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    args: ['-n', `http://127.0.0.1:${server.address().port}/agent`],
    close: () => (server.closeAllConnections(), server.close()),
  };
}

async function answer(request, response) {
  response.on('error', () => {});
  let text = '';
  for await (const chunk of request) text += chunk;
  const what = text === '' ? 'service redirects without end' : JSON.parse(text).input;
  if (what === 'honest') response.writeHead(200, JSON_HEAD).end('{"output":"right"}');
  else kinds[what](response, request);
}
