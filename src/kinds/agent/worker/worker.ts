// The worker process: attempts come in on file descriptor 3, outcomes go out there. User code runs here and nowhere else.

import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Agent, Directory } from '../../../agents/adapter.ts';
import { openAgent } from '../../../agents/registry.ts';
import { AttemptError, messageOf } from '../../../errors.ts';
import { defaultChatId } from '../../../model/context.ts';
import type { Outcome } from '../../../model/outcome.ts';
import { keylessEnv } from '../../../secrets/keyless-env.ts';
import { isFlat } from '../../../json/clone-json.ts';
import { limitYoungGeneration, delayOptimization } from '../../../platform/v8-flags.ts';
import { attemptScope, captureOutput } from '../../../execute/worker/capture.ts';
import type {
  SideCall,
  FromWorker,
  ReceivedAttempt,
  SentAttempt,
  SettledAttempt,
  SharedPart,
  ToWorker,
} from '../../../execute/process/protocol.ts';
import { now, setImmediate, setTimeout, stringify } from '../../../execute/process/intrinsics.ts';
import type { AgentSubject } from '../../../model/subject.ts';
import type { OpenTape, TapeSettings } from '../../../tapes/worker-tapes.ts';
import { lazyDirectory } from '../../../execute/worker/lazy-directory.ts';
import { CHANNEL_FD, createLineParser, RECOVERY_FD } from '../../../execute/process/protocol.ts';
import { RunningAttempt } from './run-attempt.ts';
import { RunningSideCall } from './run-side-call.ts';
import { WaitingRecord } from '../../../execute/process/waiting-record.ts';

/** Outcomes wait at most this long for company before they are sent. */
const FLUSH_MS = 2;
/** A burst of quick attempts may last this long before messages are looked at again. */
const TURN_MS = 5;
/** A worker retires if code in it still runs this long after its deadline. */
const STUCK_MS = 100;

/** Number of attempts after which a worker limits its memory. */
const MANY = 1000;

const channel = new Socket({ fd: CHANNEL_FD, readable: true, writable: true });
/** An input and what was opened for it. */
type Input = {
  part: SharedPart<AgentSubject>;
  directory: Directory;
  /** Parts of its context hold objects, which an attempt could change for all that follow. */
  isDeep: boolean;
  agent?: Agent | Promise<Agent>;
};

const inputs: Input[] = [];
const directories = new Map<string, Directory>();
const running = new Map<number, RunningAttempt>();
const sideCalls = new Map<number, RunningSideCall>();
const waitingRecord = new WaitingRecord(RECOVERY_FD);
const position = Buffer.alloc(8);
let queue: SentAttempt[] = [];
let isStarting = false;
let finished = 0;
let head = 0;
let concurrency = 1;
let retries = 0;
let openTape: OpenTape | undefined;
/** A replay sends nothing, so it needs no keys. */
let isReplay = false;
/** Loaded before any attempt runs. */
let entering: Promise<void> | undefined;
let settled: SettledAttempt[] = [];
let stuck = 0;
let flushedAt = 0;
let flushing = false;
let utilization = performance.eventLoopUtilization();

process.setSourceMapsEnabled(true);
captureOutput();
const leave = containExit();
channel.setEncoding('utf8');
channel.on(
  'data',
  createLineParser<ToWorker>(receive, () => leave(1)),
);
channel.on('end', () => leave(0));
channel.on('error', () => leave(0));
process.on('uncaughtException', blame);
process.on('unhandledRejection', blame);
process.on('exit', () => {
  // Whatever ends this process, outcomes that are known are not lost.
  if (settled.length > 0) writeSync(CHANNEL_FD, `${stringify({ type: 'settled', settled, stuck })}\n`);
});
send({ type: 'ready' });
// The coordinator is still reading the cases.
delayOptimization();

function receive(message: ToWorker): void {
  switch (message.type) {
    case 'shared':
      inputs[message.shared] = {
        // The pool of agents sends nothing else.
        part: message.part as SharedPart<AgentSubject>,
        directory: directoryOf(message.part.root),
        isDeep: !Object.values(message.part.context).every(
          (field) => typeof field !== 'object' || isFlat(field),
        ),
      };
      return;
    case 'enter':
      Object.assign(process.env, message.env);
      if (message.cwd !== process.cwd()) process.chdir(message.cwd);
      retries = message.retries;
      isReplay = message.tapes?.mode === 'replay';
      if (message.tapes !== undefined) entering = installTapes(message.tapes);
      return;
    case 'run':
      concurrency = message.concurrency;
      for (const attempt of message.attempts) queue.push(attempt);
      startMore();
      return;
    case 'drop':
      send({ type: 'dropped', seqs: queue.slice(head).map((attempt) => attempt.seq) });
      queue = [];
      head = 0;
      return;
    case 'evaluate':
      void evaluate(message.file, message.root);
      return;
    case 'side-call':
      runSideCall(message.id, message.call);
      return;
    case 'ping': {
      const current = performance.eventLoopUtilization();
      send({ type: 'pong', load: performance.eventLoopUtilization(current, utilization).utilization });
      utilization = current;
      return;
    }
  }
}

/** Starts what may start; gives the event loop a turn now and then, however quick the agent is. */
function startMore(): void {
  if (isStarting || entering !== undefined) return;
  isStarting = true;
  const begunAt = now();
  while (running.size < concurrency && head < queue.length) {
    const time = now();
    if (time - begunAt > TURN_MS) {
      setImmediate(startMore);
      break;
    }
    const sent = queue[head];
    head += 1;
    if (sent === undefined) continue;
    if (settled.length > 0 && time - flushedAt > FLUSH_MS) flush();
    // The coordinator reads this when this process no longer answers: it tells what had begun.
    position.writeDoubleLE(sent.seq);
    writeSync(RECOVERY_FD, position, 0, 8, 0);
    start(sent);
  }
  isStarting = false;
  if (head < 1024 && head < queue.length) return;
  queue = queue.slice(head);
  head = 0;
}

async function installTapes(settings: TapeSettings): Promise<void> {
  const tapes = await import('../../../tapes/worker-tapes.ts');
  const reportLate = (name: string): void => send({ type: 'late', name });
  openTape = tapes.installTapes(settings, { learn, reportLate });
  entering = undefined;
  startMore();
}

function start(sent: SentAttempt): void {
  const input = inputs[sent.shared];
  if (input === undefined) throw new Error(`input ${String(sent.shared)} was never announced`);
  const { base, context, root, subject, test_id, timeout_ms } = input.part;
  const attempt: ReceivedAttempt = {
    seq: sent.seq,
    key: sent.key,
    test_id,
    case: sent.case,
    run: sent.run,
    subject,
    context: {
      ...(input.isDeep ? structuredClone(context) : context),
      chat_id: defaultChatId(sent.key),
      ...sent.context,
    },
    timeout_ms: sent.timeout_ms ?? timeout_ms,
    base,
    root,
    ...(sent.tape !== undefined && { tape: sent.tape }),
  };
  const tape = openTape?.(attempt);
  const run = new RunningAttempt(attempt, {
    ...(tape !== undefined && { tape }),
    directory: input.directory,
    retries,
    settled: finish,
    tellBefore,
    tellNote,
    tellWaiting,
  });
  running.set(attempt.seq, run);
  input.agent ??= open(input);
  run.begin(input.agent);
}

function finish(run: RunningAttempt, outcome: SettledAttempt): void {
  running.delete(outcome.seq);
  settled.push(outcome);
  finished += 1;
  if (finished === MANY) limitYoungGeneration();
  if (outcome.outcome.status === 'timeout') watchLeftover(run);
  // A case with hooks has effects, and must not run again because the next one blocks this process.
  if (run.hasHooks) flush();
  else if (!flushing) {
    flushing = true;
    setImmediate(flush);
  }
  startMore();
}

/** An agent that ignores its signal keeps this worker busy; the coordinator then retires it. */
function watchLeftover(run: RunningAttempt): void {
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  void run.over?.then(end);
  setTimeout(() => {
    if (isOver) return;
    stuck += 1;
    flush();
  }, STUCK_MS);
}

function flush(): void {
  flushing = false;
  flushedAt = now();
  if (settled.length === 0 && stuck === 0) return;
  send({ type: 'settled', settled, stuck });
  settled = [];
}

async function open(input: Input): Promise<Agent> {
  const { subject, root } = input.part;
  const opened = await openAgent(subject, { root, directory: input.directory });
  input.agent = opened;
  return opened;
}

function directoryOf(root: string): Directory {
  const known = directories.get(root);
  if (known !== undefined) return known;
  const env = isReplay ? keylessEnv(process.env) : process.env;
  const directory = lazyDirectory({ root, cwd: process.cwd(), env, learn });
  directories.set(root, directory);
  return directory;
}

function learn(secrets: string[]): void {
  if (secrets.length > 0) send({ type: 'secrets', secrets });
}

function tellBefore(seq: number, data: unknown): void {
  send({ type: 'before', seq, data });
}

function tellNote(seq: number, partial: Partial<Outcome>): void {
  send({ type: 'note', seq, partial });
}

function tellWaiting(seq: number, reason: AttemptError | undefined): void {
  waitingRecord.set(seq, reason);
}

function runSideCall(id: number, call: SideCall): void {
  const run = new RunningSideCall(id, (done) => {
    sideCalls.delete(run.seq);
    try {
      send(done);
    } catch (error) {
      // More than a text can hold.
      send({ type: 'done', id, error: `what it gave cannot be sent: ${messageOf(error)}` });
    }
  });
  sideCalls.set(run.seq, run);
  run.begin(call, { directory: directoryOf(call.root), retries });
}

async function evaluate(file: string, root: string): Promise<void> {
  try {
    const { importModule } = await import('../../../compile/bundle.ts');
    const namespace = await importModule(file, { root });
    send({ type: 'evaluated', value: namespace['default'] });
  } catch (error) {
    send({ type: 'evaluated', error: messageOf(error) });
  }
}

/** An uncaught exception belongs to the attempt it came from. If there is no such attempt, this process cannot be trusted. */
function blame(error: unknown): void {
  const scope = attemptScope.getStore();
  const owner = scope === undefined ? onlyOne() : ownerOf(scope.seq);
  if (owner !== undefined) owner.fail(error);
  else if (scope === undefined) leave(1);
}

/** Whom user code belongs to. */
type Owner = { fail(error: unknown): void };

function ownerOf(seq: number): Owner | undefined {
  return running.get(seq) ?? sideCalls.get(seq);
}

function onlyOne(): Owner | undefined {
  const [only, ...others] = [...running.values(), ...sideCalls.values()];
  return others.length === 0 ? only : undefined;
}

/** `process.exit` in user code ends the attempt that called it, not its neighbours. Returns the real one. */
function containExit(): (code: number) => void {
  const exit = process.exit.bind(process);
  const contained = (code?: number | string | null): never => {
    const scope = attemptScope.getStore();
    const owner = scope === undefined ? undefined : ownerOf(scope.seq);
    const who = owner instanceof RunningSideCall ? 'it' : 'the agent';
    const error = new AttemptError('agent', `${who} called process.exit(${String(code ?? 0)})`);
    if (scope === undefined) return exit(code ?? undefined);
    owner?.fail(error);
    throw error;
  };
  process.exit = contained;
  return exit;
}

function send(message: FromWorker): void {
  channel.write(`${stringify(message)}\n`);
}
