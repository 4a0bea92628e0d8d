// In the process of a run that a program asked for: plans, executes and judges, and tells the program what happens.

import { Socket } from 'node:net';
import { ConfigError, messageOf, RuntimeError } from '../errors.ts';
import { CHANNEL_FD, createLineParser } from '../execute/process/protocol.ts';
import type { FromWorker } from '../execute/process/protocol.ts';
import type { Connect } from '../kinds/agent/local-worker.ts';
import { LocalWorker } from '../kinds/agent/local-worker.ts';
import { EXIT } from '../model/exit-code.ts';
import type { Caller, Io } from '../run/io.ts';
import type { FromRun, ToRun } from './channel.ts';
import { runFor } from './run-for.ts';

/** Serves one run and gives its exit code. */
export async function serveRun(io: Io): Promise<number> {
  const channel = new Socket({ fd: CHANNEL_FD, readable: true, writable: true });
  const ended = new AbortController();
  const workers = new CallingWorkers((message) => send(message));
  const send = (message: FromRun): void => {
    if (!channel.destroyed) channel.write(`${JSON.stringify(message)}\n`);
  };

  const request = await new Promise<(ToRun & { type: 'run' }) | undefined>((resolve) => {
    const lost = (): void => {
      ended.abort();
      workers.lose('ended with the program that started the run');
      resolve(undefined);
    };
    const receive = (message: ToRun): void => {
      if (message.type === 'run') resolve(message);
      else if (message.type === 'stop') ended.abort();
      else workers.receive(message.worker, message.message);
    };
    channel.setEncoding('utf8');
    channel.on('data', createLineParser<ToRun>(receive, lost));
    channel.on('end', lost);
    channel.on('error', lost);
  });
  if (request === undefined) return EXIT.unmeasured;

  const { flags, cwd, callsBack } = request;
  const caller: Omit<Caller, 'opened'> = {
    isHere: false,
    sink: {
      write(batch) {
        if (!channel.destroyed)
          channel.write(batch.map(({ line }) => `{"type":"event","event":${line}}\n`).join(''));
      },
    },
    ...(callsBack && { startWorker: (events) => new LocalWorker(events, workers.connect) }),
  };
  const interrupt = AbortSignal.any([io.interrupt, ended.signal]);
  const onNote = (text: string): void => send({ type: 'note', text });
  const running = runFor(caller, {
    flags,
    io: { cwd, env: io.env, interrupt, version: io.version, worker: io.worker, onNote },
  });
  const exitCode = await tellEnd(running, send);
  await new Promise<void>((done) => channel.end(() => done()));
  return exitCode;
}

/** Tells the program how the run ended, and gives the exit code. */
async function tellEnd(
  running: ReturnType<typeof runFor>,
  send: (message: FromRun) => void,
): Promise<number> {
  try {
    const end = await running;
    send({ type: 'end', ...end });
    return end.exit_code;
  } catch (error) {
    if (error instanceof ConfigError) {
      send({ type: 'refused', problems: error.problems });
      return EXIT.config;
    }
    const hint = error instanceof RuntimeError ? error.hint : undefined;
    send({ type: 'failed', message: messageOf(error), hint });
    return EXIT.unmeasured;
  }
}

type Listener = { receive(message: FromWorker): void; lost(how: string): void };

/** The workers whose attempts the program executes. */
class CallingWorkers {
  readonly #send: (message: FromRun) => void;
  readonly #listeners = new Map<number, Listener>();
  #count = 0;

  constructor(send: (message: FromRun) => void) {
    this.#send = send;
  }

  readonly connect: Connect = (receive, lost) => {
    const worker = (this.#count += 1);
    this.#listeners.set(worker, { receive, lost });
    return {
      isHere: false,
      send: (message) => this.#send({ type: 'to-worker', worker, message }),
      close: () => void this.#listeners.delete(worker),
    };
  };

  receive(worker: number, message: FromWorker): void {
    this.#listeners.get(worker)?.receive(message);
  }

  lose(how: string): void {
    for (const { lost } of this.#listeners.values()) lost(how);
  }
}
