// One Python process: it imports a file of the user once and runs functions of it, many calls at the same time.

import { AsyncResource } from 'node:async_hooks';
import { basename } from 'node:path';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { AttemptError, messageOf } from '../../errors.ts';
import { loseProcess } from '../../platform/lost-process.ts';
import type { ProcessGroup } from '../../platform/processes/process-group.ts';
import { startGroup } from '../../platform/processes/process-group.ts';
import type { FromPython, ToPython, Unloadable } from './python-messages.ts';
import { createMessageReader } from './python-messages.ts';

/** A function of a file, and the names of the arguments that it is called with; the last one is the context. */
export type PythonFunction = {
  interpreter: string;
  file: string;
  function: string;
  given: readonly string[];
  /** It judges: an agent must not be able to replace what it imports. */
  is_judge?: true;
};

/** The file cannot be used: the interpreter is too old, the import fails, or the function cannot be called. */
export class UnloadableError extends Error {
  readonly reason: Unloadable | { type: 'old'; version: string };

  constructor(reason: UnloadableError['reason']) {
    super(reason.type === 'old' ? `it is Python ${reason.version}` : reason.message);
    this.reason = reason;
  }
}

type Pending<T> = { resolve(value: T): void; reject(error: Error): void; print(text: string): void };
type PendingCall = Pending<unknown> & {
  isCancelled: boolean;
  /** It was cancelled, and the process said that it is not blocked where the call runs. */
  isFree: boolean;
  /** Called when the process says so. */
  free(): void;
};

const CHANNEL_FD = 3;
const RUNNER = fileURLToPath(new URL('./python-runner.py', import.meta.url));
/** Also runs in Python 2: reports a version that is too old, and else becomes the runner. */
const BOOT = `
import os, sys
if sys.version_info < (3, 9):
    os.write(3, ('{"type": "old", "version": "%s"}\\n' % sys.version.split()[0]).encode())
    sys.exit(0)
exec(compile(open(sys.argv[1], encoding='utf-8').read(), sys.argv[1], 'exec'))
`;
/** A call that goes on this long after it was cancelled is stuck: its process gets no more calls. */
const STUCK_MS = 100;
/** How long a process may take to say that it is not blocked. */
const ALIVE_MS = 1000;
const STDERR_KEPT = 2000;
const LAST_LINES = 5;
const MAX_WORDS = 500;

/** Owns a Python process. It ends by itself when it is over, and with this process at the latest. */
export class PythonProcess {
  /** Takes no more calls. */
  isOver = false;
  isLoaded = false;
  readonly loaded: Promise<void>;
  readonly #group: ProcessGroup;
  readonly #channel: Duplex;
  readonly #program: string;
  readonly #calls = new Map<number, PendingCall>();
  #loading: Pending<void> | undefined;
  #count = 0;
  #stderr = '';

  constructor({ interpreter, ...request }: PythonFunction, env: NodeJS.ProcessEnv) {
    this.#program = basename(interpreter);
    this.loaded = new Promise((resolve, reject) => {
      this.#loading = { resolve, reject, print: bindPrint() };
    });
    // Callers wait for it; without one, nothing is to be told.
    this.loaded.catch(() => undefined);
    // As an argument: an interpreter that ends at once would break a pipe before its reason is read.
    this.#group = startGroup(interpreter, ['-c', BOOT, RUNNER, JSON.stringify(request)], {
      env,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    });
    const { child } = this.#group;
    // Its entry in `stdio` above is a pipe, which Node gives as a socket.
    this.#channel = child.stdio[CHANNEL_FD] as Duplex;
    this.#channel.on('error', () => undefined);
    this.#channel.on(
      'data',
      createMessageReader(
        (message) => this.#receive(message),
        () => this.#break(),
      ),
    );
    child.stderr?.setEncoding('utf8');
    child.stderr?.on('data', (chunk: string) => {
      this.#stderr = (this.#stderr + chunk).slice(-STDERR_KEPT);
    });
    child.on('error', (error) => this.#end(`cannot be started: ${messageOf(error)}`));
    child.on('exit', (code, signal) => {
      const how = (): string => {
        const end = signal === null ? `exited with code ${String(code)}` : `was killed by ${signal}`;
        const words = this.#stderr.trim().split('\n').slice(-LAST_LINES).join('\n').slice(-MAX_WORDS);
        return words === '' ? end : `${end}: ${words}`;
      };
      // Its last words are still on their way, unless a child of its own holds the pipe.
      const timer = setTimeout(() => this.#end(how()), STUCK_MS);
      child.once('close', () => {
        clearTimeout(timer);
        this.#end(how());
      });
    });
  }

  /**
   * Calls a function with JSON values. When the signal aborts, the call is cancelled: `closing` gets a promise that settles when
   * the call has ended, or when this process is known to work on without it. Rejects with what the function raised.
   */
  call(
    { function: name, given }: Pick<PythonFunction, 'function' | 'given'>,
    args: unknown[],
    deps: { signal: AbortSignal; closing?(work: Promise<unknown>): void },
  ): Promise<unknown> {
    const { signal } = deps;
    const id = (this.#count += 1);
    const called = new Promise<unknown>((resolve, reject) => {
      const call = { resolve, reject, print: bindPrint(), isCancelled: false, isFree: false };
      this.#calls.set(id, { ...call, free: () => undefined });
    });
    const abort = (): void => {
      const ended = this.#cancel(id, called);
      deps.closing?.(ended);
    };
    this.#send({ type: 'call', id, function: name, given, arguments: args });
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    const release = (): void => signal.removeEventListener('abort', abort);
    void called.then(release, release);
    return called;
  }

  /** Ends it and everything it started, now. */
  kill(): void {
    this.isOver = true;
    void this.#group.kill(0);
  }

  async #cancel(id: number, called: Promise<unknown>): Promise<void> {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    call.isCancelled = true;
    const free = new Promise<boolean>((resolve) => {
      call.free = () => {
        call.isFree = true;
        resolve(true);
      };
    });
    this.#send({ type: 'cancel', id });
    const ended = called.then(
      () => true,
      () => true,
    );
    if (await within(ended, STUCK_MS)) return;

    // A thread cannot be ended: only its process can, when no other call needs it.
    this.isOver = true;
    if (this.#killIfDone()) return;
    const isFree = await within(Promise.race([ended, free]), ALIVE_MS);
    // Any call may have blocked the others, which must not time out for it.
    if (!this.#killIfDone() && !isFree) this.#lose('was blocked by one of the calls in it');
  }

  /** Kills a process that gets no more calls when all calls in it are cancelled, and none of them can have blocked another. */
  #killIfDone(): boolean {
    const calls = [...this.#calls.values()];
    const isDone = calls.every((call) => call.isCancelled && (call.isFree || calls.length === 1));
    if (!this.isOver || !isDone) return false;
    this.kill();
    return true;
  }

  #receive(message: FromPython): void {
    switch (message.type) {
      case 'old':
      case 'unloadable':
        this.isOver = true;
        this.#loading?.reject(new UnloadableError(message));
        this.#loading = undefined;
        return;
      case 'loaded':
        this.isLoaded = true;
        this.#loading?.resolve();
        this.#loading = undefined;
        return;
      case 'printed':
        return (this.#calls.get(message.id) ?? this.#loading)?.print(message.text);
      case 'alive':
        return this.#calls.get(message.id)?.free();
      case 'returned':
        return this.#settle(message.id)?.resolve(message.value);
      case 'raised':
        return this.#settle(message.id)?.reject(raisedError(message.message, message.stack));
    }
  }

  #settle(id: number): PendingCall | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    this.#killIfDone();
    return call;
  }

  #send(message: ToPython): void {
    if (!this.#channel.destroyed) this.#channel.write(`${JSON.stringify(message)}\n`);
  }

  #break(): void {
    this.kill();
    this.#end('was ended: something else than an answer came over its channel');
  }

  /** The process has ended. A call that was alone in it from the start is to blame; several run again, each alone. */
  #end(how: string): void {
    this.isOver = true;
    const lost = [...this.#calls.values()].filter((call) => !call.isCancelled);
    if (lost.length > 0 && this.#count > 1) this.#lose(how);
    const error = new AttemptError('agent', `${this.#program} ${how}`);
    this.#loading?.reject(error);
    this.#loading = undefined;
    for (const { reject } of this.#calls.values()) reject(error);
    this.#calls.clear();
  }

  /** Ends this worker, if it is one. */
  #lose(how: string): void {
    loseProcess(`${this.#program} ${how}`);
    const error = new AttemptError('agent', `${this.#program} ${how}`);
    this.kill();
    for (const { reject } of this.#calls.values()) reject(error);
    this.#calls.clear();
  }
}

/** Prints what Python prints, as output of the attempt that is running now. */
function bindPrint(): (text: string) => void {
  return AsyncResource.bind((text: string) => console.log(text));
}

/** An exception of Python: its traceback is the stack. */
function raisedError(message: string, stack: string | undefined): Error {
  const error = new Error(message);
  if (stack === undefined || stack === '') delete error.stack;
  else error.stack = stack;
  return error;
}

/** False if the promise has not settled in time. */
function within(work: Promise<boolean>, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, limitMs, false);
    void work.then((value) => {
      clearTimeout(timer);
      resolve(value);
    });
  });
}
