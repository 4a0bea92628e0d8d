// The program that a test file runs in: its path comes in as an argument, messages go out on a channel of their own.
// It starts once for every test file, so it loads next to nothing.

import { fstatSync, writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { describeReturned } from './describe-returned.ts';
import { describeThrown } from './describe-thrown.ts';
import type { Answer, Message } from '../messages.ts';
import { LOST_RESULT_CODE, toLine } from '../messages.ts';
import { describeExports, pickTest } from './pick-test.ts';

const CHANNEL = 3;
/** How long after its result a test may take to end by itself. */
const SETTLE_MS = 250;
/** How long the rest of what it printed may take to be read. */
const PRINTING_MS = 20_000;

// As they were before any user code ran.
const { stringify } = JSON;
const { setTimeout } = globalThis;
const exit = process.exit.bind(process);
const write = writeSync;
const stat = fstatSync;
const toBytes = Buffer.from;
const resourcesNow = process.getActiveResourcesInfo.bind(process);

// Gone from the arguments, so that a test file sees none.
const [token = '', place, file = '', language] = process.argv.splice(2);
const send = place === 'thread' ? await toParentThread() : toChannel();
let hasAnswered = false;

process.on('uncaughtExceptionMonitor', (error: unknown) => {
  send({ type: 'crashed', thrown: describeThrown(error) });
});
process.on('beforeExit', () => {
  if (!hasAnswered) send({ type: 'drained' });
});
process.on('exit', () => {
  if (hasAnswered) send({ type: 'exiting' });
});
// Nobody waits for it: a promise that is never settled must not hold the process, which says so when it ends.
void run();

async function run(): Promise<void> {
  const answer = await runTest();
  hasAnswered = true;
  send(answer);
  watchTheEnd(PRINTING_MS / SETTLE_MS);
}

/**
 * What was printed and is not read yet is waited for; anything else that is open was left behind. If nothing is, the
 * process is about to end: only if it does not, something holds it that nobody can name.
 */
function watchTheEnd(times: number, wasEmpty = false): void {
  setTimeout(() => {
    const resources = openResources();
    const others = resources.filter((name) => !name.endsWith('WriteWrap'));
    const isEmpty = resources.length === 0;
    if (others.length > 0 || (isEmpty && wasEmpty) || times <= 1) {
      send({ type: 'open', resources: others });
      return;
    }
    send({ type: 'printing' });
    watchTheEnd(times - 1, isEmpty);
  }, SETTLE_MS).unref();
}

async function runTest(): Promise<Answer> {
  let during: 'import' | 'test' = 'import';
  try {
    if (language === 'typescript') process.setSourceMapsEnabled(true);
    const namespace = (await import(pathToFileURL(file).href)) as object;
    during = 'test';
    const test = pickTest(namespace);
    if (test === undefined) return { type: 'untestable', exports: describeExports(namespace) };
    return { type: 'returned', returned: describeReturned(await test()) };
  } catch (error) {
    return { type: 'thrown', during, thrown: describeThrown(error) };
  }
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
  if (place === 'thread') return resourcesNow();
  // Both streams have their pipe from the moment somebody looks at them.
  const ownPipes = [process.stdout, process.stderr].length;
  const resources = resourcesNow();
  for (let pipe = 0; pipe < ownPipes; pipe += 1) {
    const at = resources.indexOf('PipeWrap');
    if (at !== -1) resources.splice(at, 1);
  }
  return resources;
}
