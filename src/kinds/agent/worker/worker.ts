// The worker process: attempts come in on file descriptor 3, answers go out there. Agents run here; a worker that gets side calls
// instead runs hooks, judges and simulated users.

import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Agent, Directory } from '../../../agents/adapter.ts';
import { openAgent } from '../../../agents/registry.ts';
import { AttemptError, messageOf } from '../../../errors.ts';
import { defaultChatId } from '../../../model/context.ts';
import { keylessEnv } from '../../../secrets/keyless-env.ts';
import { onSecrets } from '../../../secrets/learned.ts';
import { isFlat } from '../../../json/clone-json.ts';
import { ignoreDebugSignal, noteDebugger } from '../../../platform/processes/debugger.ts';
import { onLostProcess } from '../../../platform/lost-process.ts';
import { limitYoungGeneration, delayOptimization } from '../../../platform/v8-flags.ts';
import { attemptScope, captureOutput } from '../../../execute/worker/capture.ts';
import type {
  Answer,
  SideCall,
  SideTape,
  FromWorker,
  ReceivedAttempt,
  SentAttempt,
  SharedPart,
  ToWorker,
} from '../../../execute/process/protocol.ts';
import {
  eventLoopUtilization,
  now,
  setImmediate,
  setTimeout,
  stringify,
} from '../../../execute/process/intrinsics.ts';
import type { Status } from '../../../model/outcome.ts';
import type { AttemptTape } from '../../../tapes/attempt-tape.ts';
import type { AgentSubject } from '../../../model/subject.ts';
import type { OpenTape, TapeSettings } from '../../../tapes/worker-tapes.ts';
import { lazyDirectory } from '../../../execute/worker/lazy-directory.ts';
import { CHANNEL_FD, createLineParser, MAX_LINE, RECOVERY_FD } from '../../../execute/process/protocol.ts';
import { trustBundles } from '../../../compile/noted-bundles.ts';
import type { Owner } from './contained-exit.ts';
import { containedExit } from './contained-exit.ts';
import { RunningAttempt } from './run-attempt.ts';
import { RunningSideCall } from './run-side-call.ts';
import { WaitingRecord } from '../../../execute/process/waiting-record.ts';

/** Answers wait at most this long for company before they are sent. */
const FLUSH_MS = 2;
/** A message of answers is sent when it is longer than this. */
const FLUSH_LENGTH = 1024 * 1024;
/** A burst of quick attempts may last this long before messages are looked at again. */
const TURN_MS = 5;
/** A worker retires if code in it still runs this long after its deadline. */
const STUCK_MS = 100;

const MEGABYTE = 1024 * 1024;
const STDERR_FD = 2;
/** Number of attempts after which a worker limits its memory. */
const MANY = 1000;

const debug = noteDebugger();
ignoreDebugSignal();
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
const sideTapes = new Map<number, AttemptTape>();
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
/** As JSON. */
let answers: string[] = [];
let answersLength = 0;
let stuck = 0;
let flushedAt = 0;
let flushing = false;
let utilization = eventLoopUtilization();

process.setSourceMapsEnabled(true);
captureOutput();
onSecrets(learn);
onLostProcess(endSelf);
const leave = process.exit.bind(process);
process.exit = containedExit(leave, ownerOf);
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
  // Whatever ends this process, answers that are known are not lost.
  if (answers.length > 0) writeSync(CHANNEL_FD, answersMessage());
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
      if (message.bundles !== undefined) trustBundles(message.bundles);
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
    case 'go':
      running.get(message.seq)?.go(message.input);
      return;
    case 'turn':
      running.get(message.seq)?.turn(message.messages, message.timeout_ms);
      return;
    case 'end':
      running.get(message.seq)?.end(message.status);
      return;
    case 'end-tape':
      endSideTape(message.id, message.status);
      return;
    case 'evaluate':
      void evaluate(message.file, message.root);
      return;
    case 'side-call':
      void runSideCall(message.id, message.call);
      return;
    case 'ping': {
      const current = eventLoopUtilization();
      send({ type: 'pong', load: eventLoopUtilization(current, utilization).utilization });
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
    if (answers.length > 0 && time - flushedAt > FLUSH_MS) flush();
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
  };
  if (sent.tape !== undefined) attempt.tape = sent.tape;
  if (sent.is_conversation === true) attempt.is_conversation = true;
  if (sent.is_deferred === true) attempt.is_deferred = true;
  const tape = openTape?.(attempt);
  const run = new RunningAttempt(attempt, {
    ...(tape !== undefined && { tape }),
    directory: input.directory,
    retries,
    answered,
    ended(_run, end) {
      running.delete(end.seq);
      finished += 1;
      send({ type: 'ended', ...end });
      startMore();
    },
    tellPrepared: (seq) => send({ type: 'prepared', seq }),
    tellBefore,
    tellWaiting,
  });
  running.set(attempt.seq, run);
  input.agent ??= open(input);
  run.begin(input.agent);
}

function answered(run: RunningAttempt, answer: Answer): void {
  const json = stringify(answer);
  answers.push(json);
  answersLength += json.length;
  if (answer.failure?.status === 'timeout') watchLeftover(run);
  if (run.isUrgent || answersLength > FLUSH_LENGTH) flush();
  else if (!flushing) {
    flushing = true;
    setImmediate(flush);
  }
  if (run.isConversation) return;
  running.delete(answer.seq);
  finished += 1;
  if (finished === MANY) limitYoungGeneration();
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
  if (answers.length === 0 && stuck === 0) return;
  channel.write(answersMessage());
  answers = [];
  answersLength = 0;
}

/** An `answered` message: every answer is JSON already. */
function answersMessage(): string {
  return `{"type":"answered","stuck":${String(stuck)},"answers":[${answers.join(',')}]}\n`;
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
  const line = `${stringify({ type: 'before', seq, data } satisfies FromWorker)}\n`;
  // The coordinator would take it for something that the agent has written.
  if (line.length > MAX_LINE) throw new Error(`it returned more than ${String(MAX_LINE / MEGABYTE)} MB`);
  channel.write(line);
}

function tellWaiting(seq: number, reason: AttemptError | undefined): void {
  waitingRecord.set(seq, reason);
}

async function runSideCall(id: number, call: SideCall): Promise<void> {
  await entering;
  const run = new RunningSideCall(id, (done) => {
    sideCalls.delete(run.seq);
    if (debug.opened() !== undefined) return endSelf('a debugger was opened in it');
    try {
      send(done);
    } catch (error) {
      // More than a text can hold.
      send({ type: 'done', id, error: `what it gave cannot be sent: ${messageOf(error)}` });
    }
  });
  sideCalls.set(run.seq, run);
  const { root, tape } = call;
  run.begin(call, { directory: directoryOf(root), retries, tape: tape && openSideTape(tape) });
}

/** This process cannot be trusted, or its attempts have lost what they share: they run again elsewhere. */
function endSelf(reason: string): void {
  writeSync(STDERR_FD, `${reason}\n`);
  leave(1);
}

/** All side calls of an attempt share its tape. */
function openSideTape({ id, tape, run, agent }: SideTape): AttemptTape | undefined {
  const opened = sideTapes.get(id) ?? openTape?.({ tape, run, subject: { id: agent }, by: 'judge' });
  if (opened !== undefined) sideTapes.set(id, opened);
  return opened;
}

function endSideTape(id: number, status: Status): void {
  const report = sideTapes.get(id)?.report(status) ?? {};
  sideTapes.delete(id);
  send({ type: 'taped', id, report });
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

function ownerOf(seq: number): Owner | undefined {
  return running.get(seq) ?? sideCalls.get(seq);
}

function onlyOne(): Owner | undefined {
  const [only, ...others] = [...running.values(), ...sideCalls.values()];
  return others.length === 0 ? only : undefined;
}

function send(message: FromWorker): void {
  channel.write(`${stringify(message)}\n`);
}
