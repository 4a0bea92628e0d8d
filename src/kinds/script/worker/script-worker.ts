// The worker process for script tests: tests come in on file descriptor 3, outcomes go out there. One file at a time, one test at a time.

import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { messageOf } from '../../../errors.ts';
import { defaultChatId } from '../../../model/context.ts';
import type { Outcome } from '../../../model/outcome.ts';
import { attemptScope, captureOutput } from '../../../execute/worker/capture.ts';
import { clearInterval, now, setImmediate, setInterval, stringify } from '../../../execute/intrinsics.ts';
import type {
  FromWorker,
  SentAttempt,
  SettledAttempt,
  SharedPart,
  ToWorker,
} from '../../../execute/protocol.ts';
import { createLineParser, RECORD_END } from '../../../execute/protocol.ts';
import { Owner, SetUp } from './test-scope.ts';
import { HEAD } from './realm.ts';
import type { FileHost } from './script-file.ts';
import { ScriptFile } from './script-file.ts';

const CHANNEL = 3;
const RECORDER = 4;
const STDERR = 2;
/** Outcomes wait at most this long for company before they are sent. */
const FLUSH_MS = 20;
/** Messages are looked at again after this long, however quick the tests are. */
const TURN_MS = 5;
/** More than this is not kept in the recorder but sent. */
const MAX_RECORDED = 64 * 1024;
/** So long outcomes of asynchronous tests wait for what may still come to light; longer if something is known to be under way. */
const HOLD_MS = 2000;
/** So many outcomes wait at most, and so much. */
const MANY = 20_000;
const MUCH = 32 * 1024 * 1024;
/** A recorder longer than this is written anew with what is still of use. */
const MAX_RECORDER = 4 * 1024 * 1024;
/** How often the coordinator learns that tests end, although nothing is sent. */
const PROGRESS_MS = 1000;

/** An outcome that is not sent yet. */
type Held = SettledAttempt & { isAsync: boolean; at: number };

const channel = new Socket({ fd: CHANNEL, readable: true, writable: true });
const exit = process.exit.bind(process);
const parts: SharedPart[] = [];
const queue: SentAttempt[] = [];
let hasEnded = false;
let isWorking = false;
let file: ScriptFile | undefined;
let bundle = '';
/** How much stands before the code of the bundle when it is compiled. */
let offset = 0;
let coverage: string | undefined;
/** The last outcome, and those about which something may still come to light. */
let held: Held[] = [];
let heldLength = 0;
let progressAt = now();
let unsent: SettledAttempt[] = [];
let unsentLength = 0;
/** Outcomes that are not in the recorder yet, and how long what is there is. */
let unrecorded: SettledAttempt[] = [];
let recordedBytes = 0;
const scratch = Buffer.alloc(16 * 1024);
let begun = 0;
let printedLength = 0;
let turnedAt = now();
let flushedAt = now();

captureOutput();
channel.setEncoding('utf8');
channel.on(
  'data',
  createLineParser<ToWorker>(receive, () => exit(1)),
);
channel.on('end', () => exit(0));
channel.on('error', () => exit(0));
process.on('uncaughtException', blame);
process.on('unhandledRejection', blame);
send({ type: 'ready' });

function receive(message: ToWorker): void {
  switch (message.type) {
    case 'enter':
      Object.assign(process.env, message.env);
      if (message.cwd !== process.cwd()) process.chdir(message.cwd);
      coverage = message.coverage;
      return;
    case 'shared':
      parts[message.shared] = message.part;
      return;
    case 'run':
      queue.push(...message.attempts);
      hasEnded = message.isWhole === true;
      void work();
      return;
    case 'drop':
      send({ type: 'dropped', seqs: queue.splice(0).map(({ seq }) => seq) });
      hasEnded = true;
      void work();
      return;
    case 'ping':
      send({ type: 'pong', load: 0 });
      return;
    case 'evaluate':
    case 'errand':
      return;
  }
}

/** Goes on unless it is already going on. */
async function work(): Promise<void> {
  if (isWorking) return;
  isWorking = true;
  try {
    await workOn();
  } catch (error) {
    // A mistake of this program: the coordinator learns of it by the end of the process.
    writeSync(STDERR, `${messageOf(error)}\n`);
    exit(1);
  }
  isWorking = false;
}

/** Runs what there is, and closes the file after its last test. */
async function workOn(): Promise<void> {
  for (;;) {
    const next = queue.shift();
    if (next !== undefined) {
      releaseSome();
      if (now() - flushedAt > FLUSH_MS || unsentLength > MAX_RECORDED) flush();
      record(next.seq);
      if (now() - turnedAt > TURN_MS) await nextTurn();
      const outcome = run(next);
      if (outcome instanceof Promise) hold(next.seq, await whileOthersAreTold(outcome), true);
      else hold(next.seq, outcome, false);
    } else if (hasEnded && file !== undefined) await close(file);
    else break;
  }
  if (hasEnded) {
    // Everything was taken back before it began.
    hasEnded = false;
    send({ type: 'closed' });
  } else {
    // Whether another test comes depends on how these ended.
    releaseSome();
    flush();
    if (held.some(({ outcome }) => outcome.status !== 'passed' && outcome.status !== 'skipped')) {
      release(() => true);
      flush();
    } else if (held.length > 0) send({ type: 'more' });
  }
}

/** A test may take long, and what came before it is told meanwhile. */
async function whileOthersAreTold(outcome: Promise<Outcome>): Promise<Outcome> {
  const timer = setInterval(() => {
    releaseSome();
    flush();
  }, HOLD_MS / 2).unref();
  try {
    return await outcome;
  } finally {
    clearInterval(timer);
  }
}

function run(sent: SentAttempt): Outcome | Promise<Outcome> {
  const part = parts[sent.shared];
  if (part === undefined) throw new Error(`file ${String(sent.shared)} was never announced`);
  if (file === undefined) return open(part).then(() => run(sent));
  const context = { ...part.context, chat_id: defaultChatId(sent.key), ...sent.context };
  return file.run({
    seq: sent.seq,
    name: sent.case.id,
    context,
    timeout_ms: sent.timeout_ms ?? part.timeout_ms,
  });
}

async function open(part: SharedPart): Promise<void> {
  const script = part.agent.run;
  if (script.type !== 'script') throw new Error('only script tests come here');
  if (coverage !== undefined) (await import('../coverage/v8-counts.ts')).startCoverage();
  ({ bundle } = script);
  offset = script.isolation === 'context' ? HEAD.length : 0;
  file = new ScriptFile(script, hostOf(part));
}

function hostOf(part: SharedPart): FileHost {
  return {
    cwd: process.cwd(),
    isCounted: coverage !== undefined,
    progress: () => send({ type: 'progress' }),
    late: recordLate,
    printed,
    async judge(response, agentId, options) {
      const { judgeResponse } = await import('./judge-response.ts');
      return judgeResponse(response, agentId, options, {
        part,
        learn: (secrets) => send({ type: 'secrets', secrets }),
      });
    },
  };
}

async function close(closing: ScriptFile): Promise<void> {
  record(held.at(-1)?.seq ?? 0, { isClosing: true });
  const problem = await closing.close();
  if (coverage !== undefined) {
    const { takeCoverage, writeEntries } = await import('../coverage/v8-counts.ts');
    writeEntries(coverage, takeCoverage([{ file: bundle, offset }]));
  }
  const last = held.at(-1);
  if (problem !== undefined && last !== undefined) last.outcome = tornDown(last.outcome, problem);
  release(() => true);
  const { isClean } = closing;
  file = undefined;
  hasEnded = false;
  flush();
  send(isClean ? { type: 'closed' } : { type: 'closed', isSpent: true });
}

/** What goes wrong after the last test is told with it; it was nobody's fault but the file's. */
function tornDown(outcome: Outcome, problem: string): Outcome {
  if (outcome.status !== 'passed' && outcome.status !== 'skipped')
    return { ...outcome, after_error: problem };
  return { ...outcome, status: 'error', code: 'agent', error: problem };
}

/** Keeps an outcome back: a test that has begun something asynchronous may still be heard of. */
function hold(seq: number, outcome: Outcome, isAsync: boolean): void {
  held.push({ seq, outcome, isAsync, at: now() });
  unrecorded.push({ seq, outcome });
  heldLength += lengthOf(outcome);
  if (file?.isLate(seq) === true) recordLate(seq);
}

/** Hands over what nothing more will be heard of, or what has become too much to keep. */
function releaseSome(): void {
  const isMuch = held.length > MANY || heldLength > MUCH;
  if (isMuch || !held.some(({ isAsync }) => isAsync)) return release(() => true);
  const resources = process.getActiveResourcesInfo().length;
  const since = now() - HOLD_MS;
  let isBlocked = false;
  release(({ seq, isAsync, at }) => {
    const isOpen = isAsync && file?.isDecided(seq) === false;
    // In the order of the file, but for those that have waited long.
    isBlocked ||= isOpen && at >= since;
    if (isBlocked) return false;
    return !isOpen || file?.mayBeHeardOf(seq, resources) !== true;
  });
  if (held.length === 0 || now() - progressAt < PROGRESS_MS) return;
  progressAt = now();
  send({ type: 'progress' });
}

function release(isReady: (outcome: Held) => boolean): void {
  const kept: Held[] = [];
  heldLength = 0;
  for (const one of held) {
    const { seq, outcome } = one;
    if (!isReady(one)) {
      kept.push(one);
      heldLength += lengthOf(outcome);
      continue;
    }
    const settled = { seq, outcome: file?.amended(seq, outcome) ?? outcome };
    if (settled.outcome !== outcome) unrecorded.push(settled);
    unsent.push(settled);
    unsentLength += lengthOf(settled.outcome);
  }
  held = kept;
}

/** About how much there is to send. */
function lengthOf({ logs, verdicts }: Outcome): number {
  const printed = logs?.reduce((sum, line) => sum + line.length, 0) ?? 0;
  return 200 + printed + (verdicts === undefined ? 0 : MAX_RECORDED / 10);
}

/**
 * The coordinator reads this when this process is gone: what it did not get to say, and what had begun. What is already
 * written there is not written again; of two outcomes of a test the later one counts.
 */
function record(seq: number, { isClosing = false } = {}): void {
  let text = '';
  for (const settled of unrecorded) text += `${stringify(settled)}\n`;
  unrecorded = [];
  begun = seq;
  printedLength = 0;
  append(`${text}${isClosing ? `{"begun":${String(seq)},"isClosing":true}` : `{"begun":${String(seq)}}`}\n`);
}

/** So much of what the running test prints is known even if its process has to be killed. */
function printed(seq: number, log: string): void {
  if (seq !== begun || printedLength > MAX_RECORDED) return;
  printedLength += log.length;
  append(`${stringify({ seq, log: log.slice(0, MAX_RECORDED) })}\n`);
}

/** What has come to light about a test that waits is known from now on, whatever becomes of this process. */
function recordLate(seq: number): void {
  const waiting = held.find((one) => one.seq === seq);
  if (waiting === undefined || file === undefined) return;
  waiting.outcome = file.amended(seq, waiting.outcome);
  append(`${stringify({ seq, outcome: waiting.outcome })}\n`);
}

/** What is behind the mark is old. */
function append(text: string): void {
  const isShort = text.length * 3 < scratch.length;
  const bytes = isShort ? scratch : Buffer.from(text + RECORD_END);
  const length = isShort ? scratch.write(text + RECORD_END) : bytes.length;
  writeSync(RECORDER, bytes, 0, length, recordedBytes);
  recordedBytes += length - RECORD_END.length;
}

function flush(): void {
  flushedAt = now();
  if (unsent.length === 0) return;
  send({ type: 'settled', settled: unsent, stuck: 0 });
  unsent = [];
  unsentLength = 0;
  if (recordedBytes < MAX_RECORDER) return;
  unrecorded = held.map(({ seq, outcome }) => ({ seq, outcome }));
  recordedBytes = 0;
  record(begun);
}

async function nextTurn(): Promise<void> {
  await new Promise((resolve) => void setImmediate(resolve));
  turnedAt = now();
}

/** An exception nobody caught belongs to the test whose code it was. */
function blame(error: unknown, origin?: unknown): void {
  const event = typeof origin === 'string' ? 'uncaughtException' : 'unhandledRejection';
  if (file?.takes(event, error, origin) === true) return;
  const scope = attemptScope.getStore();
  if (scope instanceof Owner || scope instanceof SetUp) scope.fail(error);
  else if (file !== undefined) file.blame(error);
  else {
    writeSync(STDERR, `${messageOf(error)}\n`);
    exit(1);
  }
}

function send(message: FromWorker): void {
  channel.write(`${stringify(message)}\n`);
}
