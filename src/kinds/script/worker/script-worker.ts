// The worker process for script tests: receives tests on file descriptor 3 and sends outcomes there. Runs one file, and one test, at a time.

import { writeSync } from 'node:fs';
import { messageOf } from '../../../errors.ts';
import { defaultChatId } from '../../../model/context.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { ScriptSubject } from '../../../model/script.ts';
import { attemptScope, captureOutput } from '../../../execute/worker/capture.ts';
import {
  clearInterval,
  now,
  setImmediate,
  setInterval,
  stringify,
} from '../../../execute/process/intrinsics.ts';
import type {
  FromWorker,
  Recorded,
  SentAttempt,
  SettledAttempt,
  SharedPart,
  ToWorker,
} from '../../../execute/process/protocol.ts';
import { createLineParser, RECORD_END, RECOVERY_FD } from '../../../execute/process/protocol.ts';
import { sign } from '../../../execute/process/signature.ts';
import { openChannel } from './channel.ts';
import { FileScope, TestScope } from './test-scope.ts';
import { HEAD } from './realm.ts';
import type { FileHost } from './script-file.ts';
import { ScriptFile } from './script-file.ts';

const STDERR = 2;
/** Outcomes wait at most this long to be sent as a batch. */
const FLUSH_MS = 20;
/** Yield to the event loop at least this often to receive messages, even during fast tests. */
const TURN_MS = 5;
/** Send instead of only saving once outcomes or output exceed this many characters. */
const MAX_UNSENT_LENGTH = 64 * 1024;
/** How long to hold outcomes of asynchronous tests, which may still fail; longer if they have active operations. */
const HOLD_MS = 2000;
/** Limits on held outcomes. */
const MAX_HELD = 20_000;
const MAX_HELD_LENGTH = 32 * 1024 * 1024;
/** A longer recovery file is rewritten with the outcomes that are not sent yet. */
const MAX_RECOVERY_BYTES = 4 * 1024 * 1024;
/** How often to report progress while all outcomes are held. */
const PROGRESS_MS = 1000;

/** An outcome that is not sent yet. */
type Held = SettledAttempt & { isAsync: boolean; at: number };

const channel = openChannel();
const exit = process.exit.bind(process);
const parts: SharedPart<ScriptSubject>[] = [];
const queue: SentAttempt[] = [];
let hasEnded = false;
let isWorking = false;
let file: ScriptFile | undefined;
let bundle = '';
/** Length of the code before the bundle when it is compiled. */
let offset = 0;
let coverage: string | undefined;
/** Comes with the first message, before any code of a user runs. */
let token = '';
/** The last outcome, and those that may still change. */
let held: Held[] = [];
let heldLength = 0;
let progressAt = now();
let unsent: SettledAttempt[] = [];
let unsentLength = 0;
/** Outcomes that are not in the recovery file yet, and the length of that file. */
let unsaved: SettledAttempt[] = [];
let recoveryBytes = 0;
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
process.on('uncaughtException', onUncaught);
process.on('unhandledRejection', onUncaught);
send({ type: 'ready' });

function receive(message: ToWorker): void {
  switch (message.type) {
    case 'enter':
      Object.assign(process.env, message.env);
      if (message.cwd !== process.cwd()) process.chdir(message.cwd);
      ({ coverage, token = '' } = message);
      return;
    case 'shared':
      // The pool of script tests sends nothing else.
      parts[message.shared] = message.part as SharedPart<ScriptSubject>;
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
    // For workers of agents.
    case 'end':
    case 'end-tape':
    case 'evaluate':
    case 'go':
    case 'side-call':
    case 'turn':
      return;
  }
}

/** Runs the queue unless it is running already. */
async function work(): Promise<void> {
  if (isWorking) return;
  isWorking = true;
  try {
    await runQueue();
  } catch (error) {
    // A bug in Assay: end the process, which the coordinator notices.
    writeSync(STDERR, `${messageOf(error)}\n`);
    exit(1);
  }
  isWorking = false;
}

/** Runs the queued tests, and closes the file after its last test. */
async function runQueue(): Promise<void> {
  for (;;) {
    const next = queue.shift();
    if (next !== undefined) {
      releaseSome();
      if (now() - flushedAt > FLUSH_MS || unsentLength > MAX_UNSENT_LENGTH) flush();
      saveBegun(next.seq);
      if (now() - turnedAt > TURN_MS) await nextTurn();
      const outcome = run(next);
      if (outcome instanceof Promise) hold(next.seq, await whileSending(outcome), true);
      else hold(next.seq, outcome, false);
    } else if (hasEnded && file !== undefined) await close(file);
    else break;
  }

  if (hasEnded) {
    // All tests were dropped before they began.
    hasEnded = false;
    send({ type: 'closed' });
  } else {
    // The coordinator may need these outcomes to decide about more tests.
    releaseSome();
    flush();
    if (held.some(({ outcome }) => outcome.status !== 'passed' && outcome.status !== 'skipped')) {
      release(() => true);
      flush();
    } else if (held.length > 0) send({ type: 'more' });
  }
}

/** Sends earlier outcomes while a long test runs. */
async function whileSending(outcome: Promise<Outcome>): Promise<Outcome> {
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

async function open(part: SharedPart<ScriptSubject>): Promise<void> {
  const { subject: script } = part;
  if (coverage !== undefined) (await import('../coverage/v8-counts.ts')).startCoverage();
  ({ bundle } = script);
  offset = script.isolation === 'context' ? HEAD.length : 0;
  file = new ScriptFile(script, createFileHost(part));
}

function createFileHost(part: SharedPart): FileHost {
  return {
    cwd: process.cwd(),
    isCounted: coverage !== undefined,
    progress: () => send({ type: 'progress' }),
    late: saveLateError,
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
  saveBegun(held.at(-1)?.seq ?? 0, { isClosing: true });
  const problem = await closing.close();
  if (coverage !== undefined) {
    const { takeCoverage, writeEntries } = await import('../coverage/v8-counts.ts');
    writeEntries(coverage, takeCoverage([{ file: bundle, offset }]));
  }
  const last = held.at(-1);
  if (problem !== undefined && last !== undefined) last.outcome = addTearDownError(last.outcome, problem);
  release(() => true);
  const { isClean } = closing;
  file = undefined;
  hasEnded = false;
  flush();
  send(isClean ? { type: 'closed' } : { type: 'closed', isSpent: true });
}

/** Reports an error of tear-down with the last test of the file. */
function addTearDownError(outcome: Outcome, problem: string): Outcome {
  if (outcome.status !== 'passed' && outcome.status !== 'skipped')
    return { ...outcome, after_error: problem };
  return { ...outcome, status: 'error', code: 'agent', error: problem };
}

/** Holds an outcome back: an asynchronous test may still fail. */
function hold(seq: number, outcome: Outcome, isAsync: boolean): void {
  held.push({ seq, outcome, isAsync, at: now() });
  unsaved.push({ seq, outcome });
  heldLength += estimateLength(outcome);
  if (file?.hasLateError(seq) === true) saveLateError(seq);
}

/** Releases outcomes that can no longer change, or all if too many are held. */
function releaseSome(): void {
  const isTooMuch = held.length > MAX_HELD || heldLength > MAX_HELD_LENGTH;
  if (isTooMuch || !held.some(({ isAsync }) => isAsync)) return release(() => true);

  const resources = process.getActiveResourcesInfo().length;
  const since = now() - HOLD_MS;
  let isBlocked = false;
  release(({ seq, isAsync, at }) => {
    const isOpen = isAsync && file?.isFinal(seq) === false;
    // Keep the order of the file, except for outcomes that have waited long.
    isBlocked ||= isOpen && at >= since;
    if (isBlocked) return false;
    return !isOpen || file?.mayStillFail(seq, resources) !== true;
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
      heldLength += estimateLength(outcome);
      continue;
    }
    const settled = { seq, outcome: file?.finalize(seq, outcome) ?? outcome };
    if (settled.outcome !== outcome) unsaved.push(settled);
    unsent.push(settled);
    unsentLength += estimateLength(settled.outcome);
  }
  held = kept;
}

/** Roughly the number of characters to send. */
function estimateLength({ logs, verdicts }: Outcome): number {
  const printed = logs?.reduce((sum, line) => sum + line.length, 0) ?? 0;
  return 200 + printed + (verdicts === undefined ? 0 : MAX_UNSENT_LENGTH / 10);
}

/**
 * Appends unsaved outcomes and the test that begins to the recovery file, which the coordinator reads if this process dies.
 * Of two outcomes of a test the later one counts.
 */
function saveBegun(seq: number, { isClosing = false } = {}): void {
  let text = '';
  for (const settled of unsaved) text += signedLine(settled);
  unsaved = [];
  begun = seq;
  printedLength = 0;
  append(text + signedLine(isClosing ? { begun: seq, isClosing } : { begun: seq }));
}

/** Saves output of the running test, which is then known even if the process is killed. */
function printed(seq: number, log: string): void {
  if (seq !== begun || printedLength > MAX_UNSENT_LENGTH) return;
  printedLength += log.length;
  append(signedLine({ seq, log: log.slice(0, MAX_UNSENT_LENGTH) }));
}

/** Saves a held outcome anew after a late error of its test. */
function saveLateError(seq: number): void {
  const waiting = held.find((one) => one.seq === seq);
  if (waiting === undefined || file === undefined) return;
  waiting.outcome = file.finalize(seq, waiting.outcome);
  append(signedLine({ seq, outcome: waiting.outcome }));
}

function signedLine(record: Recorded): string {
  const text = stringify(record);
  return `${sign(text, token)} ${text}\n`;
}

/** Appends to the recovery file, followed by an end marker: bytes behind it are old. */
function append(text: string): void {
  const isShort = text.length * 3 < scratch.length;
  const bytes = isShort ? scratch : Buffer.from(text + RECORD_END);
  const length = isShort ? scratch.write(text + RECORD_END) : bytes.length;
  writeSync(RECOVERY_FD, bytes, 0, length, recoveryBytes);
  recoveryBytes += length - RECORD_END.length;
}

function flush(): void {
  flushedAt = now();
  if (unsent.length === 0) return;
  send({ type: 'settled', settled: unsent, stuck: 0 });
  unsent = [];
  unsentLength = 0;
  if (recoveryBytes < MAX_RECOVERY_BYTES) return;
  unsaved = held.map(({ seq, outcome }) => ({ seq, outcome }));
  recoveryBytes = 0;
  saveBegun(begun);
}

async function nextTurn(): Promise<void> {
  await new Promise((resolve) => void setImmediate(resolve));
  turnedAt = now();
}

/** Fails the test whose code threw an uncaught exception. */
function onUncaught(error: unknown, origin?: unknown): void {
  const event = typeof origin === 'string' ? 'uncaughtException' : 'unhandledRejection';
  if (file?.emitUncaught(event, error, origin) === true) return;
  const scope = attemptScope.getStore();
  if (scope instanceof TestScope || scope instanceof FileScope) scope.fail(error);
  else if (file !== undefined) file.failCurrent(error);
  else {
    writeSync(STDERR, `${messageOf(error)}\n`);
    exit(1);
  }
}

function send(message: FromWorker): void {
  channel.write(`${stringify({ ...message, token })}\n`);
}
