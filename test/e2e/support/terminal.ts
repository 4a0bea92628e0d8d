// Runs the program on a real pseudo-terminal, which Python's `pty` makes.

import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { until } from '../../until.ts';

const CLI = resolve('dist/cli.js');
const PYTHON = 'import os, pty, sys\nsys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))\n';

export type Terminal = {
  child: ChildProcess;
  /** All that was printed, without colours. */
  text(): string;
  press(keys: string): void;
  /** Waits until the text has been printed so many times. */
  sees(text: string, times?: number): Promise<void>;
  finished: Promise<number | null>;
};

/** Starts `assay` at a terminal; after it has ended, the settings of the terminal are printed. */
export function startAtTerminal(args: readonly string[], { cwd }: { cwd: string }): Terminal {
  const command = 'node=$1; shift; "$node" "$@"; code=$?; echo "ENDED $code"; stty -a; exit $code';
  const words = ['sh', '-c', command, 'sh', process.execPath, CLI, ...args];
  const child = spawn('python3', ['-c', PYTHON, ...words], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], TERM: 'xterm', COLUMNS: '120' },
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  onTestFinished(() => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch {
      // It has ended.
    }
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
  // oxlint-disable-next-line no-control-regex
  const text = (): string => printed.replaceAll(/\u001B\[[0-9;]*m/g, '').replaceAll('\r\n', '\n');
  return {
    child,
    text,
    press: (keys) => void child.stdin.write(keys),
    sees: (wanted, times = 1) => until(() => text().split(wanted).length > times),
    finished: new Promise((done) => child.on('close', done)),
  };
}
