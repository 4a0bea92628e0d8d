// Waits for the end of a program and of its output.

import type { ChildProcess } from 'node:child_process';

/** How a program ended. */
export type ProcessEnding = { code: number | null; signal: NodeJS.Signals | null };

/** How long to read a pipe after the process has exited while another process holds it open: minimum, maximum, step. */
const DRAIN_MS = 250;
const LONGEST_DRAIN_MS = 2000;
const DRAIN_STEP_MS = 50;

/**
 * Resolves when the process has exited and its output is read, or its pipes stay open too long; rejects if it cannot be
 * started. `received` tells how much output has come so far.
 */
export function waitForEnd(child: ChildProcess, received: () => number): Promise<ProcessEnding> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      const ending = { code, signal };
      let seen = -1;
      let latest = Infinity;
      // At least two checks: this process may have been too busy to read before the first one.
      const giveUpReading = (): void => {
        if (received() === seen || performance.now() > latest) {
          for (const pipe of child.stdio) pipe?.destroy();
          resolve(ending);
          return;
        }
        if (seen === -1) latest = performance.now() + LONGEST_DRAIN_MS;
        seen = received();
        timer = setTimeout(giveUpReading, DRAIN_STEP_MS);
      };
      let timer = setTimeout(giveUpReading, DRAIN_MS);
      child.once('close', () => {
        clearTimeout(timer);
        resolve(ending);
      });
    });
  });
}
