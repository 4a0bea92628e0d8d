// One worker process as the coordinator sees it: what it holds, when it was last heard, how it ended.

import { closeSync, existsSync, fstatSync, openSync, readSync, unlinkSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Problem } from '../../errors.ts';
import { RuntimeError } from '../../errors.ts';
import type { Attempt } from '../../model/attempt.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { TapeReport } from '../../tapes/attempt-tape.ts';
import type { TapedTimes } from '../../tapes/taped-times.ts';
import { withoutDebugger } from '../../platform/processes/debugger.ts';
import type { ProcessGroup } from '../../platform/processes/process-group.ts';
import { startGroup } from '../../platform/processes/process-group.ts';
import type {
  Answer,
  EndedConversation,
  FromWorker,
  Recovery,
  Recorded,
  SettledAttempt,
  SideTape,
  ToWorker,
} from './protocol.ts';
import { CHANNEL_FD, createLineParser, RECORD_END } from './protocol.ts';
import { sign } from './signature.ts';
import type { Waiting } from './waiting-record.ts';
import { readWaiting } from './waiting-record.ts';
import { WorkerState } from './worker-state.ts';

/** The role of a worker. */
export type WorkerRole = 'agents' | 'scripts';

/** They lie beside the file this one is built into. */
const WORKER_FILES: Record<WorkerRole, string> = {
  agents: fileURLToPath(new URL('./worker.js', import.meta.url)),
  scripts: fileURLToPath(new URL('./script-worker.cjs', import.meta.url)),
};
const STDERR_KEPT = 16 * 1024;
/** A recovery file is never larger than this. */
const MAX_RECOVERY_BYTES = 256 * 1024 * 1024;
/** How long the pipes of a dead worker are read. */
const DRAIN_MS = 250;
const PROGRESS = new Set<FromWorker['type']>(['settled', 'progress', 'more']);
/** An attempt in the hands of the scheduler. */
export type Item = {
  attempt: Attempt;
  /** How often it ran again because its worker ended. */
  restarts: number;
  retries: number;
  /** How often a worker died before it began with it. */
  returns: number;
  /** About how much there is to send. */
  bytes: number;
  /** It is judged without other processes, unless its answer is large. */
  isJudgedHere: boolean;
  /** The value that its `before` hook returned. */
  before?: unknown;
  /** How far its conversation had come. */
  partial?: Partial<Outcome> | undefined;
  /** Why its agent cannot be tested at all. */
  problem?: Problem;
  /** When it was sent, when it could start, and when the agent got its input. */
  sentAt?: number | undefined;
  startedAt?: number | undefined;
  askedAt?: number | undefined;
  /** Its worker does not have the input yet. */
  isDeferred?: boolean;
  /** It waits for something outside its worker: a judge or a simulated user. */
  isPaused?: boolean;
  /** Receives the answer to the turn of a conversation. */
  answered?: ((answer: Answer) => void) | undefined;
  /** Receives the end of a conversation. */
  ended?: ((end: EndedConversation) => void) | undefined;
  /** The last time it ran: the reports of its tape, and recorded times. */
  tape?: TapeReport | undefined;
  sideTape?: SideTape | undefined;
  times?: TapedTimes | undefined;
};

/** A worker process as pools see it. */
export type PoolWorker = Pick<WorkerProcess, keyof WorkerProcess>;

export type WorkerEvents = {
  message(worker: PoolWorker, message: FromWorker): void;
  /** The worker ended by itself or was killed; `held` still has the attempts that it did not settle. */
  exit(worker: PoolWorker, how: string): void;
};

/** Owns a worker process. */
export class WorkerProcess extends WorkerState {
  #group: ProcessGroup;
  #channel: Socket;
  #recovery: number;
  #role: WorkerRole;
  #stderr = '';
  #ended = false;
  #brokenBy: string | undefined;

  constructor(events: WorkerEvents, role: WorkerRole = 'agents') {
    super();
    this.#role = role;
    this.#recovery = openUnnamedFile();
    this.#group = startGroup(process.execPath, [...withoutDebugger(), WORKER_FILES[role]], {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', this.#recovery],
      unguarded: true,
    });
    const { child } = this.#group;
    // Its entry in `stdio` above is a pipe, which Node gives as a socket.
    this.#channel = child.stdio[CHANNEL_FD] as Socket;
    this.#channel.setEncoding('utf8');
    this.#channel.on('error', () => undefined);
    const parse = createLineParser<FromWorker>(
      (message) => {
        if (this.#brokenBy !== undefined) return;
        if (PROGRESS.has(message.type)) this.lastProgressAt = performance.now();
        events.message(this, message);
      },
      () => this.distrust(),
    );
    // Part of a message is a sign of life too: a long answer takes its time.
    this.#channel.on('data', (chunk: string) => {
      this.lastHeardAt = performance.now();
      if (this.#brokenBy === undefined) parse(chunk);
    });
    child.stdout?.resume();
    child.stderr?.setEncoding('utf8');
    child.stderr?.on('data', (chunk: string) => {
      this.#stderr = (this.#stderr + chunk).slice(-STDERR_KEPT);
    });
    child.on('error', (error) => this.#end(events, error.message));
    const ended = (code: number | null, signal: NodeJS.Signals | null): void => {
      const how = signal === null ? `exited with code ${String(code)}` : `was killed by ${signal}`;
      this.#end(events, this.#brokenBy ?? how);
    };
    // `close` and not `exit`: what it sent before it died is still read, unless something it left behind holds its pipes.
    child.on('close', ended);
    child.on('exit', (code, signal) => void setTimeout(ended, DRAIN_MS, code, signal));
  }

  /** User code has written to the channel: ends the process, and reads nothing more of it. */
  distrust(): void {
    this.#brokenBy = 'was ended: something else than an answer came over its channel';
    this.kill();
  }

  send(message: ToWorker): void {
    // Without user code in it, it ends by itself when this process does. Once it has some, it is too late to begin to guard it.
    if (message.type === 'run' || message.type === 'evaluate' || message.type === 'side-call')
      this.#group.guard();
    if (!this.#channel.destroyed) this.#channel.write(`${JSON.stringify(message)}\n`);
  }

  /** The attempts it had begun and not settled, and those it had not begun. Reliable only after it has ended. */
  unsettled(): { begun: Item[]; waiting: Item[]; last: Item | undefined } {
    const begunUpTo = this.#begun();
    const begun: Item[] = [];
    const waiting: Item[] = [];
    for (const [seq, item] of this.held) (seq <= begunUpTo ? begun : waiting).push(item);
    return { begun, waiting, last: this.held.get(begunUpTo) };
  }

  /** The helper that the attempt waited for when this process ended. */
  waitedFor(item: Item): Waiting | undefined {
    try {
      return readWaiting(this.#recovery).find(({ seq }) => this.held.get(seq) === item);
    } catch {
      // User code can write there, too.
      return undefined;
    }
  }

  /** Reads the results that a script worker had written to its recovery file but not sent. */
  readRecovery(): Recovery {
    const left: Recovery = { begun: 0, settled: [], logs: [], isClosing: false };
    try {
      const settled = new Map<number, SettledAttempt>();
      for (const said of this.#recorded()) {
        if ('outcome' in said) settled.set(said.seq, said);
        else if ('log' in said) left.logs.push(said.log);
        else Object.assign(left, { begun: said.begun, isClosing: said.isClosing === true, logs: [] });
      }
      left.settled = [...settled.values()];
    } catch {
      // User code can write there, too.
    }
    return left;
  }

  #recorded(): Recorded[] {
    const bytes = Buffer.alloc(Math.min(fstatSync(this.#recovery).size, MAX_RECOVERY_BYTES));
    readSync(this.#recovery, bytes, 0, bytes.length, 0);
    const text = bytes.subarray(0, Math.max(0, bytes.indexOf(RECORD_END))).toString('utf8');
    // Signed lines are written by this program; user code may have written others.
    return text
      .split('\n')
      .filter((line) => line.startsWith(`${sign(line.slice(line.indexOf(' ') + 1), this.token)} `))
      .map((line) => JSON.parse(line.slice(line.indexOf(' '))) as Recorded);
  }

  /** The number of the last attempt that it has begun. */
  #begun(): number {
    if (this.#role === 'scripts') return this.readRecovery().begun;
    const position = Buffer.alloc(8);
    return readSync(this.#recovery, position, 0, 8, 0) === 8 ? position.readDoubleLE() : 0;
  }

  /** The last lines it wrote to its real standard error: an out-of-memory report, a native crash. */
  stderrTail(): string {
    const lines = this.#stderr.trim().split('\n');
    const fatal = lines.find((line) => /FATAL ERROR|heap out of memory/.test(line));
    return (
      fatal ??
      lines
        .filter((line) => !/^\s*\d+: 0x/.test(line))
        .slice(-5)
        .join('\n')
    );
  }

  /** Ends it and everything it started, now. */
  kill(): void {
    void this.#group.kill(0);
  }

  #end(events: WorkerEvents, how: string): void {
    if (this.#ended) return;
    this.#ended = true;
    events.exit(this, how);
    closeSync(this.#recovery);
  }
}

/** A file that only the two processes know; it is gone when both have closed it. In memory where the system has such a place. */
function openUnnamedFile(): number {
  const place = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  for (const parent of [place, tmpdir()]) {
    try {
      // Unique on this machine; loading a better source of names would delay every run.
      const path = join(parent, `assay-${String(process.pid)}-${String(process.hrtime.bigint())}`);
      const descriptor = openSync(path, 'wx+', 0o600);
      unlinkSync(path);
      return descriptor;
    } catch {
      // The next place may do.
    }
  }
  throw new RuntimeError(`cannot write to the temporary folder ${tmpdir()}`);
}
