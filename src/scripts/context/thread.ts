// Makes members of the context synchronous: another thread does the work while the calling thread blocks.

import type { Worker } from 'node:worker_threads';
import type { FromThread, MemberAnswer, MemberCall, MemberEvent } from './thread-protocol.ts';

/** In the build, all files are in one folder. */
const FILE = new URL('./context-thread.js', import.meta.url);

let thread: Worker | undefined;

/**
 * Calls a member and blocks until it has answered; `onEvent` is called for everything that arrives before. The deadline of
 * the attempt limits the time: a worker that blocks longer is killed.
 */
export function callBlocking(call: MemberCall, onEvent: (event: MemberEvent) => void): MemberAnswer {
  // Loaded on demand, because it takes 2 ms.
  const threads = process.getBuiltinModule('node:worker_threads');
  thread ??= startThread(threads.Worker);
  const flag = new Int32Array(new SharedArrayBuffer(4));
  // A channel per call: a late message is never mistaken for that of another.
  const { port1, port2 } = new threads.MessageChannel();
  try {
    thread.postMessage({ call, port: port2, flag }, [port2]);
    for (;;) {
      const seen = Atomics.load(flag, 0);
      const received = threads.receiveMessageOnPort(port1);
      if (received === undefined) {
        Atomics.wait(flag, 0, seen);
        continue;
      }
      // Only the thread's own code answers.
      const message = received.message as FromThread;
      if (message.type === 'done') return message.answer;
      onEvent(message);
    }
  } finally {
    port1.close();
  }
}

function startThread(Thread: typeof Worker): Worker {
  const worker = new Thread(FILE, {
    // Do not inherit arguments that load other modules.
    execArgv: [],
    name: 'assay-context',
    // Keep the thread away from the streams of this process.
    stdout: true,
    stderr: true,
  });
  worker.unref();
  // The next call replaces a thread that died.
  const forget = (): void => {
    thread = undefined;
  };
  worker.once('error', forget).once('exit', forget);
  return worker;
}
