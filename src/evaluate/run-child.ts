// A run in a process of its own: its events come back over a channel. If the agent is a function, it is called here, because code of
// this program cannot be sent anywhere; its answers are judged over there.

import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { ConfigError, RuntimeError } from '../errors.ts';
import { CHANNEL_FD, createLineParser, MAX_LINE } from '../execute/process/protocol.ts';
import type { ToWorker } from '../execute/process/protocol.ts';
import type { AttemptRunner } from '../kinds/agent/worker/attempt-runner.ts';
import { withoutDebugger } from '../platform/processes/debugger.ts';
import type { FromRun, ToRun } from './channel.ts';
import { VERB } from './channel.ts';
import type { RunEnd, RunRequest } from './evaluate.ts';

const CLI = fileURLToPath(new URL('cli.js', import.meta.url));
const MEGABYTE = 1024 * 1024;
const STDERR_KEPT = 16 * 1024;

/** Runs it and gives the exit code; throws ConfigError. */
export async function runChild(request: RunRequest): Promise<RunEnd> {
  const { flags, cwd, agent, signal } = request;
  const callsBack = agent !== undefined;
  const first = line({ type: 'run', flags, cwd, callsBack });
  if (first.length > MAX_LINE)
    throw new ConfigError(`the cases are longer than ${String(MAX_LINE / MEGABYTE)} MB as JSON`, {
      at: 'cases',
      hint: 'write them to a .jsonl file and give its path',
    });
  const execute = callsBack ? await openRunners(agent) : undefined;

  const child = spawn(process.execPath, [...withoutDebugger(), CLI, VERB, ...(callsBack ? [] : ['agents'])], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  // Its entry in `stdio` above is a pipe, which Node gives as a socket.
  const channel = child.stdio[CHANNEL_FD] as Socket;
  channel.setEncoding('utf8');
  channel.on('error', () => undefined);
  const send = (message: ToRun): void => void channel.write(line(message));
  const stop = (): void => send({ type: 'stop' });

  const answers = new RunAnswers(request, (worker, message) => execute?.(worker, message, send), stop);
  channel.on(
    'data',
    createLineParser<FromRun>(
      (message) => answers.receive(message),
      () => child.kill(),
    ),
  );
  let stderr = '';
  child.stderr
    ?.setEncoding('utf8')
    .on('data', (chunk: string) => (stderr = (stderr + chunk).slice(-STDERR_KEPT)));
  channel.write(first);
  if (signal?.aborted === true) stop();
  else signal?.addEventListener('abort', stop, { once: true });
  const how = await new Promise<string>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, killedBy) =>
      resolve(killedBy === null ? `exited with code ${String(code)}` : `was killed by ${killedBy}`),
    );
  });
  signal?.removeEventListener('abort', stop);
  return answers.end(`the process of the run ${how}${stderr === '' ? '' : `: ${stderr.trim()}`}`);
}

/** Takes what the process of a run says. */
class RunAnswers {
  readonly #request: RunRequest;
  readonly #execute: (worker: number, message: ToWorker) => void;
  readonly #stop: () => void;
  #end: RunEnd | undefined;
  #failure: Error | undefined;

  constructor(request: RunRequest, execute: (worker: number, message: ToWorker) => void, stop: () => void) {
    this.#request = request;
    this.#execute = execute;
    this.#stop = stop;
  }

  receive(message: FromRun): void {
    try {
      this.#take(message);
    } catch (error) {
      // A listener of the program has thrown.
      this.#failure ??= error instanceof Error ? error : new Error(String(error));
      this.#stop();
    }
  }

  #take(message: FromRun): void {
    switch (message.type) {
      case 'event':
        return this.#request.onEvent(message.event);
      case 'note':
        return this.#request.onNote(message.text);
      case 'to-worker':
        return this.#execute(message.worker, message.message);
      case 'end':
        this.#end = { exit_code: message.exit_code, ...(message.log !== undefined && { log: message.log }) };
        return;
      case 'refused':
        this.#failure = ConfigError.of(message.problems);
        return;
      case 'failed':
        this.#failure = new RuntimeError(message.message, { hint: message.hint });
        return;
    }
  }

  /** How the run ended; throws if it did not. */
  end(otherwise: string): RunEnd {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#end === undefined) throw new RuntimeError(otherwise);
    return this.#end;
  }
}

type Execute = (worker: number, message: ToWorker, send: (message: ToRun) => void) => void;

/** The workers whose attempts this program executes, by their numbers. */
async function openRunners(agent: unknown): Promise<Execute> {
  const { AttemptRunner } = await import('../kinds/agent/worker/attempt-runner.ts');
  const runners = new Map<number, AttemptRunner>();
  return (worker, message, send) => {
    let runner = runners.get(worker);
    if (runner === undefined) {
      const answer = (sent: Parameters<ConstructorParameters<typeof AttemptRunner>[0]['send']>[0]): void =>
        send({ type: 'from-worker', worker, message: sent });
      runner = new AttemptRunner({ agent, env: process.env, send: answer });
      runners.set(worker, runner);
    }
    runner.receive(message);
  };
}

function line(message: ToRun): string {
  return `${JSON.stringify(message)}\n`;
}
