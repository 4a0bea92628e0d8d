// Makes requests synchronous: another thread sends them while the calling thread blocks.

import type { Worker } from 'node:worker_threads';
import type { WholeAnswer } from '../../platform/tape-scope.ts';
import type { PlainRequest } from './http-request.ts';

export type ThreadAnswer = WholeAnswer;

/** The code of the thread, as text because a thread cannot start from inside a bundle. */
const CODE = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', async ({ request, port, flag, limitMs }) => {
    const answer = await send(request, AbortSignal.timeout(limitMs)).catch((error) => ({ problem: reasonOf(error) }));
    port.postMessage(answer);
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  });
  async function send({ url, method, headers, body, form }, signal) {
    const response = await fetch(url, { method, headers, body: form ? toFormData(form) : body, signal });
    return { status: response.status, headers: [...response.headers], text: await response.text() };
  }
  function toFormData(parts) {
    const form = new FormData();
    for (const { name, value, filename, bytes } of parts) {
      if (bytes) form.append(name, new Blob([bytes]), filename);
      else form.append(name, value);
    }
    return form;
  }
  function reasonOf(error) {
    if (error.name === 'TimeoutError') return 'timeout';
    const { cause } = error;
    return (cause && (cause.message || cause.code)) || error.message;
  }
`;
/** The thread reports a timeout itself; this is how long to wait for that. */
const GRACE_MS = 500;

let thread: Worker | undefined;

/** Sends a request and blocks until the response, or until the limit has passed. */
export function sendBlocking(request: PlainRequest, { limitMs }: { limitMs: number }): ThreadAnswer {
  // Loaded on demand, because it takes 2 ms.
  const threads = process.getBuiltinModule('node:worker_threads');
  thread ??= startThread(threads.Worker);
  const flag = new Int32Array(new SharedArrayBuffer(4));
  // A channel per request: a late response is never mistaken for that of another.
  const { port1, port2 } = new threads.MessageChannel();
  try {
    thread.postMessage({ request, port: port2, flag, limitMs }, [port2]);
    Atomics.wait(flag, 0, 0, limitMs + GRACE_MS);
    const received = threads.receiveMessageOnPort(port1);
    // Only the code above answers.
    return received === undefined ? { problem: 'timeout' } : (received.message as ThreadAnswer);
  } finally {
    port1.close();
  }
}

function startThread(Thread: typeof Worker): Worker {
  const worker = new Thread(CODE, {
    eval: true,
    // Do not inherit arguments that load other modules.
    execArgv: [],
    name: 'assay-http',
    // Keep the thread away from the streams of this process.
    stdout: true,
    stderr: true,
  });
  worker.unref();
  // The next request replaces a thread that died.
  const forget = (): void => {
    thread = undefined;
  };
  worker.once('error', forget).once('exit', forget);
  return worker;
}
