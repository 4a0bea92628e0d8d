// A request goes out on a thread of its own while the calling thread stands still, which makes it synchronous.

import type { Worker } from 'node:worker_threads';
import type { WholeAnswer } from '../../platform/tape-scope.ts';
import type { PlainRequest } from './http-request.ts';

/** An answer, or why there is none. */
export type ThreadAnswer = WholeAnswer;

/** The code of the thread, as text because a thread cannot start in the middle of a bundle. */
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
/** The thread notices a timeout itself and says so; this much later nothing can be expected of it. */
const GRACE_MS = 500;

let thread: Worker | undefined;

/** Sends a request and blocks until its answer is there, at the latest until the limit has passed. */
export function sendBlocking(request: PlainRequest, { limitMs }: { limitMs: number }): ThreadAnswer {
  // Loading it takes 2 ms, which only those pay who send something.
  const threads = process.getBuiltinModule('node:worker_threads');
  thread ??= startThread(threads.Worker);
  const flag = new Int32Array(new SharedArrayBuffer(4));
  // A channel for each request: an answer that comes too late is never taken for that of another.
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
    // The arguments of this process may load things that are of no use there.
    execArgv: [],
    name: 'assay-http',
    // Nothing is printed there, and the streams of this process may be somebody else's.
    stdout: true,
    stderr: true,
  });
  worker.unref();
  // One that died is replaced by the next request.
  const forget = (): void => {
    thread = undefined;
  };
  worker.once('error', forget).once('exit', forget);
  return worker;
}
