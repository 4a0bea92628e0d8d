// The worker process: attempts come in on file descriptor 3, outcomes go out there. User code runs here and nowhere else.

import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { openAgent } from '../agents/registry.ts';
import type { Agent } from '../agents/adapter.ts';
import { AttemptError, messageOf } from '../errors.ts';
import { defaultChatId } from '../model/context.ts';
import { keepYoungSpaceSmall } from '../platform/young-space.ts';
import { attemptScope, captureOutput } from './capture.ts';
import type {
  FromWorker,
  ReceivedAttempt,
  SentAttempt,
  SettledAttempt,
  SharedPart,
  ToWorker,
} from './protocol.ts';
import { now, setImmediate, setTimeout, stringify } from './intrinsics.ts';
import { createLineParser } from './protocol.ts';
import { RunningAttempt } from './run-attempt.ts';

const CHANNEL = 3;
const RECORDER = 4;
/** Outcomes wait at most this long for company before they are sent. */
const FLUSH_MS = 2;
/** A burst of quick attempts may last this long before messages are looked at again. */
const TURN_MS = 5;
/** Code that goes on this long after its deadline makes the worker a bad neighbour. */
const STUCK_MS = 100;

/** After so many attempts a worker takes care of its memory. */
const MANY = 1000;

const channel = new Socket({ fd: CHANNEL, readable: true, writable: true });
const inputs: { part: SharedPart; agent?: Agent | Promise<Agent> }[] = [];
const running = new Map<number, RunningAttempt>();
const position = Buffer.alloc(8);
let queue: SentAttempt[] = [];
let isStarting = false;
let finished = 0;
let head = 0;
let concurrency = 1;
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
  if (settled.length > 0) writeSync(CHANNEL, `${stringify({ type: 'settled', settled, stuck })}\n`);
});
send({ type: 'ready' });

function receive(message: ToWorker): void {
  switch (message.type) {
    case 'shared':
      inputs[message.shared] = { part: message.part };
      return;
    case 'enter':
      Object.assign(process.env, message.env);
      if (message.cwd !== process.cwd()) process.chdir(message.cwd);
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
  if (isStarting) return;
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
    writeSync(RECORDER, position, 0, 8, 0);
    start(sent);
  }
  isStarting = false;
  if (head < 1024 && head < queue.length) return;
  queue = queue.slice(head);
  head = 0;
}

function start(sent: SentAttempt): void {
  const input = inputs[sent.shared];
  if (input === undefined) throw new Error(`input ${String(sent.shared)} was never announced`);
  const { agent, base, context, kind, root, test_id, timeout_ms } = input.part;
  const attempt: ReceivedAttempt = {
    seq: sent.seq,
    key: sent.key,
    kind,
    test_id,
    case: sent.case,
    run: sent.run,
    agent,
    context: { ...context, chat_id: defaultChatId(sent.key), ...sent.context },
    timeout_ms: sent.timeout_ms ?? timeout_ms,
    base,
    root,
  };
  if (sent.variables !== undefined) attempt.variables = sent.variables;
  const run = new RunningAttempt(attempt, finish);
  running.set(attempt.seq, run);
  input.agent ??= open(input);
  run.begin(input.agent);
}

function finish(run: RunningAttempt, outcome: SettledAttempt): void {
  running.delete(outcome.seq);
  settled.push(outcome);
  finished += 1;
  if (finished === MANY) keepYoungSpaceSmall();
  if (outcome.outcome.status === 'timeout') watchLeftover(run);
  if (!flushing) {
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

async function open(input: { part: SharedPart; agent?: Agent | Promise<Agent> }): Promise<Agent> {
  const { agent, root } = input.part;
  const opened = await openAgent(agent, { root });
  input.agent = opened;
  return opened;
}

async function evaluate(file: string, root: string): Promise<void> {
  try {
    const { importModule } = await import('../platform/bundle.ts');
    const namespace = await importModule(file, { root });
    send({ type: 'evaluated', value: namespace['default'] });
  } catch (error) {
    send({ type: 'evaluated', error: messageOf(error) });
  }
}

/** An exception nobody caught belongs to the attempt it came from; without one, this process cannot be trusted. */
function blame(error: unknown): void {
  const scope = attemptScope.getStore();
  const owner = scope === undefined ? onlyOne() : running.get(scope.seq);
  if (owner !== undefined) owner.fail(error);
  else if (scope === undefined) leave(1);
}

function onlyOne(): RunningAttempt | undefined {
  return running.size === 1 ? [...running.values()][0] : undefined;
}

/** `process.exit` in user code ends the attempt that called it, not its neighbours. Returns the real one. */
function containExit(): (code: number) => void {
  const exit = process.exit.bind(process);
  const contained = (code?: number | string | null): never => {
    const scope = attemptScope.getStore();
    const owner = scope === undefined ? undefined : running.get(scope.seq);
    const error = new AttemptError('agent', `the agent called process.exit(${String(code ?? 0)})`);
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
