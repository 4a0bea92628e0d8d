// The program that runs one test file: takes its path as an argument and sends messages on a separate channel.
// It starts for every test file, so it loads as little as possible.

import { fstatSync, writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { describeReturned } from './describe-returned.ts';
import { describeThrown } from './describe-thrown.ts';
import { ignoreDebugSignal } from '../../../platform/processes/debugger.ts';
import type { Answer, Message } from '../messages.ts';
import { LOST_RESULT_CODE, toLine } from '../messages.ts';
import { startNodeTests } from './node-tests.ts';
import { describeExports, pickTest } from './pick-test.ts';
import { runVitest } from './vitest-tests.ts';

const CHANNEL = 3;
/** How long a test may take to exit by itself after its result. */
const SETTLE_MS = 250;
/** How long to wait until the rest of its output is read. */
const PRINTING_MS = 20_000;

// Originals, taken before user code can replace them.
const { stringify } = JSON;
const { setTimeout } = globalThis;
const exit = process.exit.bind(process);
const write = writeSync;
const stat = fstatSync;
const toBytes = Buffer.from;
const resourcesNow = process.getActiveResourcesInfo.bind(process);

// Removed from argv, so that a test file does not see them.
const [token = '', host, file = '', language, framework, vitest = '', root = ''] = process.argv.splice(2);
const send = host === 'thread' ? await toParentThread() : toChannel();
if (host === 'process') ignoreDebugSignal();
let hasAnswered = false;
/** The answer of tests that have ended, in a process that exits. */
let answerNow = (): Answer | undefined => undefined;

process.on('uncaughtExceptionMonitor', (error: unknown) => {
  send({ type: 'crashed', thrown: describeThrown(error) });
});
process.on('beforeExit', () => {
  if (!hasAnswered) send({ type: 'drained' });
});
process.on('exit', () => {
  const answer = hasAnswered ? undefined : answerNow();
  if (answer !== undefined) send(answer);
  if (hasAnswered) send({ type: 'exiting' });
});
// Not awaited: a promise that never settles must not keep the process alive; `beforeExit` reports it.
void run();

async function run(): Promise<void> {
  const answer = await runTest();
  hasAnswered = true;
  send(answer);
  watchExit(PRINTING_MS / SETTLE_MS);
}

/**
 * Waits while output is still being read, and reports all other open resources as leaks. With no open resource the process
 * should be exiting; if it still runs at the next check, something unknown keeps it alive.
 */
function watchExit(times: number, wasEmpty = false): void {
  setTimeout(() => {
    const resources = openResources();
    const others = resources.filter((name) => !name.endsWith('WriteWrap'));
    const isEmpty = resources.length === 0;
    if (others.length > 0 || (isEmpty && wasEmpty) || times <= 1) {
      send({ type: 'open', resources: others });
      return;
    }
    send({ type: 'printing' });
    watchExit(times - 1, isEmpty);
  }, SETTLE_MS).unref();
}

async function runTest(): Promise<Answer> {
  let during: 'import' | 'test' = 'import';
  try {
    if (language === 'typescript') process.setSourceMapsEnabled(true);
    if (framework !== 'none') return await runFramework();
    const namespace = (await import(pathToFileURL(file).href)) as object;
    during = 'test';
    const test = pickTest(namespace);
    if (test === undefined) return { type: 'untestable', exports: describeExports(namespace) };
    return { type: 'returned', returned: describeReturned(await test()) };
  } catch (error) {
    return { type: 'thrown', during, thrown: describeThrown(error) };
  }
}

/** Runs the tests of node:test or vitest, and lists them in the output. */
async function runFramework(): Promise<Answer> {
  if (framework === 'vitest') {
    const { answer, listing } = await runVitest(file, { vitest, root });
    process.stdout.write(listing);
    return answer;
  }
  const tests = startNodeTests(() => import(pathToFileURL(file).href));
  answerNow = tests.answerNow;
  const answer = await tests.answer;
  process.stdout.write(tests.listing());
  return answer;
}

async function toParentThread(): Promise<(message: Message) => void> {
  const { parentPort } = await import('node:worker_threads');
  const post = parentPort?.postMessage.bind(parentPort);
  return (message) => post?.({ token, message });
}

function toChannel(): (message: Message) => void {
  const { dev, ino } = stat(CHANNEL);
  return (message) => {
    try {
      // A test that closes the channel may open a file in its place.
      const now = stat(CHANNEL);
      if (now.dev !== dev || now.ino !== ino) throw new Error('the channel is closed');
      writeAll(toBytes(toLine(token, stringify(message))));
    } catch {
      if (message.type !== 'exiting' && message.type !== 'crashed') exit(LOST_RESULT_CODE);
    }
  };
}

function writeAll(bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) written += writeSome(bytes, written);
}

/** A channel that a test made non-blocking may be full. */
function writeSome(bytes: Uint8Array, from: number): number {
  try {
    return write(CHANNEL, bytes, from);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return 0;
    throw error;
  }
}

function openResources(): string[] {
  if (host === 'thread') return resourcesNow();
  // Reading these properties opens a pipe for each stream, which is not a leak.
  const ownPipes = [process.stdout, process.stderr].length;
  const resources = resourcesNow();
  for (let pipe = 0; pipe < ownPipes; pipe += 1) {
    const at = resources.indexOf('PipeWrap');
    if (at !== -1) resources.splice(at, 1);
  }
  return resources;
}
