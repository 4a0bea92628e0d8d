// A thread of a worker: calls of members of the context come in, answers go out, while the worker's own thread waits.

import { Console } from 'node:console';
import { Writable } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';
import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../errors.ts';
import type { FromThread, MemberCall } from '../../scripts/context/thread-protocol.ts';
import { onSecrets } from '../../secrets/learned.ts';
import { serve } from './serve.ts';

type Job = { call: MemberCall; port: MessagePort; flag: Int32Array };

/** The job under way. The other side waits, so that there is only one. */
let current: Job | undefined;
let lines: string[] = [];

const sink = new Writable({
  decodeStrings: false,
  write(chunk: string, _encoding, done) {
    lines.push(...chunk.replace(/\n$/, '').split('\n'));
    done();
  },
});
globalThis.console = new Console({ stdout: sink, stderr: sink });
// The other side would wait forever.
process.exit = (code) => {
  throw new Error(`process.exit(${String(code ?? 0)}) was called`);
};
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
onSecrets((secrets) => {
  if (current !== undefined) tell(current, { type: 'secrets', secrets });
});

parentPort?.on('message', (job: Job) => {
  current = job;
  lines = [];
  serve(job.call, (event) => tell(job, event)).then(
    (answer) => end(job, lines.length === 0 ? answer : { ...answer, logs: lines }),
    (error: unknown) => end(job, { failure: { message: messageOf(error) } }),
  );
});

function fail(error: unknown): void {
  if (current !== undefined) end(current, { failure: { message: messageOf(error) }, logs: lines });
}

function end(job: Job, answer: Extract<FromThread, { type: 'done' }>['answer']): void {
  tell(job, { type: 'done', answer });
  if (current === job) current = undefined;
}

/** The other side may have given up a call, because its listener threw; then there is nothing to tell. */
function tell(job: Job, message: FromThread): void {
  if (current !== job) return;
  const { port, flag } = job;
  port.postMessage(message);
  Atomics.add(flag, 0, 1);
  Atomics.notify(flag, 0);
}
