// Runs the built program in a folder of its own, and finds what it leaves behind.

import { spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export const CLI = resolve(import.meta.dirname, '../../dist/cli.js');
const MARK = 'ASSAY_TORTURE';
/** Output that is kept; more is only counted. */
const KEPT = 200_000;
/** How long the reaper and the kernel may take to end what a run has started. */
const ENDING_MS = 4000;

/** A folder with these files. Values that are not text are written as JSON, lists as JSONL. */
export function makeFolder(files) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'assay-torture-')));
  mkdirSync(join(folder, 'tmp'));
  for (const [name, content] of Object.entries(files)) writeInto(folder, name, content);
  return folder;
}

export function writeInto(folder, name, content) {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, textOf(content));
}

export function removeFolder(folder) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function textOf(content) {
  if (typeof content === 'string' || content instanceof Uint8Array) return content;
  return Array.isArray(content)
    ? content.map((value) => `${JSON.stringify(value)}\n`).join('')
    : JSON.stringify(content);
}

/** Starts the program. `finished` gives exit code, output and time; after `limitMs` the program is killed. */
export function startProgram(args, { cwd, env = {}, limitMs = 120_000 }) {
  const began = performance.now();
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      TMPDIR: join(cwd, 'tmp'),
      [MARK]: cwd,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'])
    child[name].setEncoding('utf8').on('data', (chunk) => {
      if (output[name].length < KEPT) output[name] += chunk;
    });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, limitMs);
  const finished = new Promise((done) => {
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      const ms = performance.now() - began;
      // A child that was left behind may keep the pipes open.
      const end = () => done({ code, signal, ms, isLate, ...output });
      const patience = setTimeout(end, 1000);
      child.on('close', () => (clearTimeout(patience), end()));
    });
  });
  return { child, finished };
}

export function runProgram(args, options) {
  return startProgram(args, options).finished;
}

/** The processes that a run in this folder has left; they are killed. Waits a moment for those that are ending. */
export async function leftProcesses(folder) {
  const deadline = performance.now() + ENDING_MS;
  let left = findProcesses(folder);
  while (left.length > 0 && performance.now() < deadline) {
    await sleep(50);
    left = findProcesses(folder);
  }
  for (const { pid } of left) endProcess(pid);
  return left.map(({ pid, command }) => `${pid} ${command}`);
}

/** Every process of a run has the folder in its environment or as its working directory. Works where there is /proc. */
export function findProcesses(folder) {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!(pid > 0) || pid === process.pid) return [];
    try {
      const state = readFileSync(`/proc/${name}/stat`, 'latin1').replace(/^.*\) /s, '')[0];
      if (state === 'Z' || state === 'X') return [];
      const isOurs =
        readFileSync(`/proc/${name}/environ`, 'latin1').includes(`${MARK}=${folder}\0`) ||
        readlinkSync(`/proc/${name}/cwd`).startsWith(folder);
      const command = readFileSync(`/proc/${name}/cmdline`, 'latin1').replaceAll('\0', ' ').slice(0, 200);
      return isOurs ? [{ pid, command }] : [];
    } catch {
      return [];
    }
  });
}

function endProcess(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
