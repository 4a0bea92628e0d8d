// Starts programs in their own process groups: a group ends as a whole, with everything it has started, and none outlives this process.

import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FoundProcess, GroupLeader } from './descendants.ts';
import { findDescendants, hasLivingMember, killTree } from './descendants.ts';
import { dismissReaper, forgetGroup, guardGroup } from './reaper.ts';
import { limitedCommand, MARK_NAME, nextMark } from './run-mark.ts';

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

/** Guarded groups that have not ended. */
const guarded = new Map<number, GroupLeader>();
let isExitWatched = false;

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
  const { unguarded = false, env = process.env, ...spawnOptions } = options;
  const mark = nextMark();
  const startedAt = performance.now();
  const limited = command === process.execPath ? limitedCommand(command, args, mark) : undefined;
  const child = spawn(limited?.program ?? command, limited?.args ?? args, {
    ...spawnOptions,
    env: { ...env, [MARK_NAME]: mark.text },
    detached: true,
  });
  const { pid } = child;
  if (pid === undefined) return { child, pid, kill: () => Promise.resolve(), guard: () => undefined };

  const leader = { pid, mark, startedAt };
  const guard = (): void => {
    if (guarded.has(pid) || isOver) return;
    if (!isExitWatched) process.on('exit', killAll);
    isExitWatched = true;
    guarded.set(pid, leader);
    guardGroup(pid);
  };
  let isOver = false;
  let ending: Promise<void> | undefined;
  const exited = new Promise<void>((resolve) => child.once('exit', resolve));
  void exited.then(() => {
    isOver = true;
    if (ending === undefined) killRest([]);
  });
  const killRest = (known: readonly FoundProcess[]): void => {
    // Without a guard, no user code has run in it.
    if (guarded.delete(pid)) killTree(leader, known);
    else signalGroup(pid, 'SIGKILL');
    forgetGroup(pid);
  };

  const end = async (graceMs: number): Promise<void> => {
    // Children of a process that ends lose their parent, by which they are found.
    const known = graceMs > 0 && guarded.has(pid) ? findDescendants(leader) : [];
    if (graceMs > 0 && signalGroup(pid, 'SIGTERM')) await isGoneWithin(pid, graceMs);
    killRest(known);
    await isGoneWithin(pid, KERNEL_MS);
    await Promise.race([exited, sleep(KERNEL_MS, undefined, { ref: false })]);
  };
  const kill = (graceMs = GRACE_MS): Promise<void> => {
    if (ending === undefined) ending = isOver ? Promise.resolve() : end(graceMs);
    else if (graceMs === 0) signalGroup(pid, 'SIGKILL');
    return ending;
  };
  if (!unguarded) guard();
  return { child, pid, kill, guard };
}

async function isGoneWithin(pid: number, limitMs: number): Promise<boolean> {
  const end = performance.now() + limitMs;
  for (let pause = 5; ; pause = Math.min(pause * 2, 50)) {
    if (!signalGroup(pid, 0)) return true;
    // Zombies that are never reaped still count as members of the group.
    if (pause > 10 && !hasLivingMember(pid)) return true;
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

/** However this process exits, no guarded group and nothing that one has started remains. */
function killAll(): void {
  for (const leader of guarded.values()) killTree(leader);
  dismissReaper();
}
