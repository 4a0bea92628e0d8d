// Starts programs in their own process groups: a group ends as a whole, and none outlives this process.

import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A started program and its descendants. */
export type ProcessGroup = {
  child: ChildProcess;
  /** Undefined if the program could not be started; `child` then emits `error`. */
  pid: number | undefined;
  /** SIGTERM to the group, SIGKILL after the grace; resolves when the group is gone. */
  kill(graceMs?: number): Promise<void>;
  /** Makes sure that the group does not outlive this process, however this process ends. */
  guard(): void;
};

/** Default time between SIGTERM and SIGKILL. */
export const GRACE_MS = 2000;
/** How long to wait for the kernel to remove a killed process. */
const KERNEL_MS = 1000;

/**
 * Reads "+ group" and "- group" lines. The end of its input means that this process is dead;
 * the reaper then kills the groups on its list. It uses only shell builtins, so it needs no PATH.
 */
const REAPER = `
trap '' HUP INT TERM
groups=' '
while read -r sign group; do
  case $sign in
    +) groups="$groups$group " ;;
    -) case $groups in *" $group "*) groups="\${groups%% $group *} \${groups#* $group }" ;; esac ;;
  esac
done
for group in $groups; do kill -KILL -"$group" 2>/dev/null; done
`;

/** Delay before the reaper learns that a group ended; too short for the process id to be reused. */
const FORGET_MS = 50;
const groups = new Set<number>();
/** Ended groups that the reaper still has on its list. */
const gone: string[] = [];
let reaper: ChildProcess | undefined;

/**
 * Starts a program as the leader of a new process group. When the program ends, the rest of the group is killed. A group
 * that is started `unguarded` may outlive this process until `guard` is called. That is faster, and meant for programs
 * that end by themselves when this process does.
 */
export function startGroup(
  command: string,
  args: readonly string[],
  options: SpawnOptions & { unguarded?: boolean } = {},
): ProcessGroup {
  const { unguarded = false, ...spawnOptions } = options;
  const child = spawn(command, args, { ...spawnOptions, detached: true });
  const { pid } = child;
  if (pid === undefined) return { child, pid, kill: () => Promise.resolve(), guard: () => undefined };

  let isGuarded = false;
  const guard = (): void => {
    if (isGuarded || isOver) return;
    isGuarded = true;
    openReaper();
    groups.add(pid);
    tellReaper(`+ ${String(pid)}`);
  };
  let isOver = false;
  let ending: Promise<void> | undefined;
  const exited = new Promise<void>((resolve) => child.once('exit', resolve));
  void exited.then(() => {
    isOver = true;
    if (ending !== undefined) return;
    signalGroup(pid, 'SIGKILL');
    forget(pid);
  });

  const end = async (graceMs: number | undefined): Promise<void> => {
    await killGroup(pid, graceMs === undefined ? {} : { graceMs });
    await Promise.race([exited, sleep(KERNEL_MS, undefined, { ref: false })]);
    forget(pid);
  };
  const kill = (graceMs?: number): Promise<void> => {
    if (ending === undefined) ending = isOver ? Promise.resolve() : end(graceMs);
    else if (graceMs === 0) signalGroup(pid, 'SIGKILL');
    return ending;
  };
  if (!unguarded) guard();
  return { child, pid, kill, guard };
}

/** Ends a process group: SIGTERM, then SIGKILL after the grace; resolves when no process of it runs. */
export async function killGroup(
  pid: number,
  { graceMs = GRACE_MS }: { graceMs?: number } = {},
): Promise<void> {
  if (graceMs > 0) {
    if (!signalGroup(pid, 'SIGTERM')) return;
    if (await isGoneWithin(pid, graceMs)) return;
  }
  if (!signalGroup(pid, 'SIGKILL')) return;
  await isGoneWithin(pid, KERNEL_MS);
}

async function isGoneWithin(pid: number, limitMs: number): Promise<boolean> {
  const end = performance.now() + limitMs;
  for (let pause = 5; ; pause = Math.min(pause * 2, 50)) {
    if (!signalGroup(pid, 0)) return true;
    // Zombies that are never reaped still count as members of the group.
    if (pause > 10 && hasOnlyZombies(pid)) return true;
    const rest = end - performance.now();
    if (rest <= 0) return false;
    await sleep(Math.min(pause, rest));
  }
}

/** False if there is no such group. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function hasOnlyZombies(group: number): boolean {
  if (process.platform !== 'linux') return false;
  return readdirSync('/proc').every((name) => !/^\d+$/.test(name) || !isAliveIn(group, name));
}

function isAliveIn(group: number, pid: string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // After the name, which is in brackets and may contain anything: state, parent, group.
    const [state, , pgrp] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(pgrp) === group && state !== 'Z' && state !== 'X';
  } catch {
    return false;
  }
}

function openReaper(): void {
  if (reaper !== undefined || process.platform === 'win32') return;
  const started = spawn('/bin/sh', ['-c', REAPER], {
    cwd: '/',
    env: {},
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const lose = (): void => {
    if (reaper === started) reaper = undefined;
  };
  started.on('error', lose);
  started.on('exit', lose);
  started.stdin.on('error', lose);
  started.unref();
  // The pipe is a socket; unref it so that it does not keep this process alive.
  if ('unref' in started.stdin && typeof started.stdin.unref === 'function') started.stdin.unref();
  reaper = started;
  for (const pid of groups) tellReaper(`+ ${String(pid)}`);
}

function tellReaper(line: string): void {
  reaper?.stdin?.write(`${gone.splice(0).join('')}${line}\n`);
}

/** Batches messages to the reaper, because each one wakes it up. */
function forget(pid: number): void {
  if (!groups.delete(pid)) return;
  gone.push(`- ${String(pid)}\n`);
  if (gone.length > 1) return;
  setTimeout(() => void reaper?.stdin?.write(gone.splice(0).join('')), FORGET_MS).unref();
}
