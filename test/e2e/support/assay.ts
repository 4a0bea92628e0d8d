// Drives the built program the way a person at a terminal does: files in a folder, a command line, an exit code.

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ResultEvent, RunEvent, StartEvent, SummaryEvent } from '../../../src/model/event.ts';

const CLI = resolve('dist/cli.js');

export type Finished = {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
};

export type Running = { child: ChildProcess; finished: Promise<Finished> };

export type RunOptions = {
  /** In a process group of its own, as a terminal starts programs. */
  detached?: boolean;
  cwd?: string;
  env?: Record<string, string>;
  input?: string;
  /** Stdin stays open after `input`, for the test to write to. */
  isStdinOpen?: boolean;
  uid?: number;
  /** Another copy of the program. */
  cli?: string;
};

/** A folder with these files in it, gone after the test. Values that are not text are written as JSON, lists as JSONL. */
export function folder(files: Record<string, unknown> = {}): string {
  const path = mkdtempSync(join(tmpdir(), 'assay-e2e-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
  for (const [name, content] of Object.entries(files)) write(join(path, name), content);
  return path;
}

export function write(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, textOf(content));
}

function textOf(content: unknown): string | Uint8Array {
  if (typeof content === 'string' || content instanceof Uint8Array) return content;
  if (Array.isArray(content)) return content.map((value) => `${JSON.stringify(value)}\n`).join('');
  return JSON.stringify(content);
}

/** Starts `assay` with these arguments. */
export function start(
  args: readonly string[],
  { cwd, env, input, isStdinOpen = false, uid, detached = false, cli = CLI }: RunOptions = {},
): Running {
  const child = spawn(process.execPath, [cli, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: [input !== undefined || isStdinOpen ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    detached,
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  if (isStdinOpen) child.stdin?.write(input ?? '');
  else if (input !== undefined) child.stdin?.end(input);
  const finished = new Promise<Finished>((done, fail) => {
    child.on('error', fail);
    child.on('close', (exitCode, signal) => done({ exitCode, signal, stdout, stderr }));
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, finished };
}

/** Options for somebody who may read a folder but not write to it: root may write anywhere, so it becomes nobody. */
export function asReader(path: string): RunOptions {
  const isRoot = process.getuid?.() === 0;
  chmodSync(path, 0o555);
  onTestFinished(() => chmodSync(path, 0o755));
  return isRoot ? { uid: 65_534 } : {};
}

/** Runs `assay` to its end. */
export function assay(args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  return start(args, options).finished;
}

export type Log = {
  events: RunEvent[];
  start: StartEvent;
  results: ResultEvent[];
  summary: SummaryEvent | undefined;
};

/** Reads a run log; of several summaries the last counts. */
export function readLog(path: string): Log {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const events = lines.map((line) => JSON.parse(line) as RunEvent);
  const [first] = events;
  if (first?.type !== 'start') throw new Error(`${path} does not begin with start`);
  const results = events.filter((event) => event.type === 'result');
  const summary = events.findLast((event) => event.type === 'summary');
  return { events, start: first, results, summary };
}

/** What the agent answered, by case id. */
export function outputsIn(path: string): Record<string, unknown> {
  return Object.fromEntries(readLog(path).results.map(({ id, output }) => [id, output]));
}

/** Status, code and error of every result, by case id: what most tests are about. */
export function endsIn(path: string): Record<string, string> {
  const ends = readLog(path).results.map(({ id, status, code, reason, error }) => [
    id,
    [status, code, reason, error].filter((part) => part !== undefined).join(' | '),
  ]);
  return Object.fromEntries(ends);
}

/** The lines of `calls.txt`, in which many agents of these tests note that they were called. */
export function callsIn(cwd: string): string[] {
  const path = join(cwd, 'calls.txt');
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
}

/** The only `output-….jsonl` in a folder. */
export function logIn(path: string): string {
  const logs = readdirSync(path).filter((name) => /^output-\d{14}(-\d+)?\.jsonl$/.test(name));
  if (logs.length !== 1) throw new Error(`expected one log in ${path}, found ${logs.join(', ') || 'none'}`);
  return join(path, logs[0] ?? '');
}
