// One worker process as the coordinator sees it: what it holds, when it was last heard, how it ended.

import { closeSync, existsSync, fstatSync, openSync, readSync, unlinkSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Problem } from '../../errors.ts';
import { RuntimeError } from '../../errors.ts';
import type { Attempt } from '../../model/attempt.ts';
import type { ContextData } from '../../model/context.ts';
import { defaultChatId } from '../../model/context.ts';
import type { TestCase } from '../../model/case.ts';
import { isConversation } from '../../model/case.ts';
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
  SentAttempt,
  SettledAttempt,
  SharedPart,
  SideTape,
  ToWorker,
} from './protocol.ts';
import { CHANNEL_FD, createLineParser, RECORD_END } from './protocol.ts';
import { sign } from './signature.ts';
import type { Waiting } from './waiting-record.ts';
import { readWaiting } from './waiting-record.ts';

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
const CONTEXT_FIELDS = [
  'assistant_id',
  'authorized',
  'metadata',
  'client',
  'locale',
  'referer',
  'accept',
] as const satisfies (keyof ContextData)[];

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
export class WorkerProcess {
  /** By sequence number, which rises in the order of starting. */
  readonly held = new Map<number, Item>();
  heldBytes = 0;
  /** How many attempts it may execute at the same time. */
  concurrency = 1;
  /** It gets nothing new and ends when its attempts have settled. */
  isRetiring = false;
  isReady = false;
  isHung = false;
  /** What a script worker signs with. */
  token = '';
  lastHeardAt = performance.now();
  /** When it last settled something, or got something to do after a rest. */
  lastProgressAt = performance.now();
  /** The agents that have answered in it, so that their code is loaded. */
  readonly loaded = new Set<string>();
  /** How many attempts it has settled: later ones may suffer from what earlier ones left behind. */
  settledCount = 0;
  #group: ProcessGroup;
  #channel: Socket;
  #recovery: number;
  #role: WorkerRole;
  #outbox: SentAttempt[] = [];
  /** By what only the attempts of one input have in common: their variables, else the name of the test. */
  #shared = new Map<object | string, { number: number; part: SharedPart }>();
  #sequence = 0;
  #stderr = '';
  #ended = false;
  #brokenBy: string | undefined;

  constructor(events: WorkerEvents, role: WorkerRole = 'agents') {
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

  /** Lets go of an attempt that is settled or given back. */
  release(seq: number): Item | undefined {
    const item = this.held.get(seq);
    if (item === undefined) return undefined;
    this.held.delete(seq);
    this.heldBytes -= item.bytes;
    return item;
  }

  /** Queues an attempt for the next `flush`. */
  add(item: Item): void {
    const seq = (this.#sequence += 1);
    this.heldBytes += item.bytes;
    item.sentAt = performance.now();
    this.held.set(seq, item);
    const sent = this.#sent(item.attempt, seq);
    item.isDeferred = sent.is_deferred === true;
    this.#outbox.push(sent);
  }

  /** Sends what was added, in one message. */
  flush({ isWhole }: { isWhole?: boolean } = {}): void {
    if (this.#outbox.length === 0) return;
    if (this.held.size === this.#outbox.length) {
      this.lastHeardAt = performance.now();
      this.lastProgressAt = this.lastHeardAt;
    }
    const { concurrency } = this;
    this.send({
      type: 'run',
      concurrency,
      attempts: this.#outbox,
      ...(isWhole !== undefined && { isWhole }),
    });
    this.#outbox = [];
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

  /** Only what differs from the other attempts of the same input travels each time. */
  #sent({ key, case: testCase, run, timeout_ms, variables, ...rest }: Attempt, seq: number): SentAttempt {
    // Cases that name an agent of their own share the rest with others of that agent.
    const identity = testCase.agent === undefined ? (variables ?? rest.test_id) : rest.subject;
    const { number, part } = this.#shared.get(identity) ?? this.#announce(identity, { ...rest, timeout_ms });
    const isAgent = rest.subject.kind === 'agent-eval';
    const sent: SentAttempt = {
      seq,
      shared: number,
      key,
      case: testCase,
      run,
    };
    if (isAgent) this.#hide(sent, testCase, rest.subject.id);
    if (rest.tape !== undefined) sent.tape = rest.tape;
    if (timeout_ms !== part.timeout_ms) sent.timeout_ms = timeout_ms;
    if (rest.context.chat_id !== defaultChatId(key)) sent.context = { chat_id: rest.context.chat_id };
    for (const name of CONTEXT_FIELDS) {
      if (rest.context[name] !== part.context[name])
        sent.context = { ...sent.context, [name]: rest.context[name] };
    }
    return sent;
  }

  /**
   * Leaves out what the agent must not know: expected values and assertions; and, until its code is loaded, the input, so that the
   * time of loading cannot be used to answer. A `before` hook gets the whole case.
   */
  #hide(sent: SentAttempt, testCase: TestCase, agentId: string): void {
    const isTalk = isConversation(testCase);
    if (isTalk) sent.is_conversation = true;
    if (isTalk || testCase.before !== undefined || !this.loaded.has(agentId)) sent.is_deferred = true;
    if (testCase.before !== undefined) return;
    const { id, input, options, after, mocks } = testCase;
    sent.case = { id, input: sent.is_deferred === true ? '' : input };
    if (options !== undefined) sent.case.options = options;
    if (after !== undefined) sent.case.after = after;
    if (mocks !== undefined) sent.case.mocks = mocks;
  }

  #announce(
    identity: object | string,
    { base, context, root, subject, test_id, timeout_ms }: SharedPart,
  ): { number: number; part: SharedPart } {
    const entry = {
      number: this.#shared.size,
      part: { base, context, root, subject, test_id, timeout_ms },
    };
    this.#shared.set(identity, entry);
    this.send({ type: 'shared', shared: entry.number, part: entry.part });
    return entry;
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
