// The marks of processes that run user code. What such a process starts inherits them, even outside of its group and session.

import { existsSync } from 'node:fs';

/** The environment variable that holds a mark. */
export const MARK_NAME = 'ASSAY_RUN_MARK';

/** Two marks of a process: a prefix of the environment variable, and a soft limit of file locks. */
export type RunMark = { text: string; locks: string };

/** Digits of the number that tells the groups of this process apart. */
const COUNT_DIGITS = 5;
const now = process.hrtime.bigint();

/**
 * The beginning of all marks that this process gives; no other process on this machine has it. The text begins with the mark
 * that this process was given itself, so that a run inside of another run belongs to both.
 */
const own: RunMark = {
  text: `${process.env[MARK_NAME] ?? ''}${String(process.pid)}-${now.toString(36)}.`,
  locks: `${String(process.pid)}${String(now).slice(-9, -3)}`,
};

let count = 0;

/** The marks of a new group. */
export function nextMark(): RunMark {
  count += 1;
  const number = String(count % 10 ** COUNT_DIGITS).padStart(COUNT_DIGITS, '0');
  return { text: `${own.text}${String(count)}.`, locks: `${own.locks}${number}` };
}

/** Matches the environment of all processes that this process has marked. */
export const OWN_ENVIRONMENT = `^${MARK_NAME}=${own.text}`;
/** The same for their limits in /proc/<pid>/limits. */
export const OWN_LIMITS = limitsPattern(`${own.locks}${'[0-9]'.repeat(COUNT_DIGITS)}`);

/** Matches the line of the soft limit in /proc/<pid>/limits. */
export function limitsPattern(locks: string): string {
  return `^Max file locks  *${locks} `;
}

/**
 * A command that sets the limit and then becomes the program. Linux ignores the limit, and a process keeps it when it clears
 * its environment or overwrites it, as many daemons do. Shells name the limit differently. Undefined if there is no shell.
 */
export function limitedCommand(
  program: string,
  args: readonly string[],
  { locks }: RunMark,
): { program: string; args: string[] } | undefined {
  if (process.platform !== 'linux' || !existsSync('/bin/sh')) return undefined;
  const script = `ulimit -S -w ${locks} 2>/dev/null || ulimit -S -x ${locks} 2>/dev/null; exec "$0" "$@"`;
  return { program: '/bin/sh', args: ['-c', script, program, ...args] };
}
