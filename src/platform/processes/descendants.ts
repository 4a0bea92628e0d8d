// Finds and kills what a process group has started, also outside of the group and its session. Works where there is /proc.

import { readdirSync, readFileSync } from 'node:fs';
import type { RunMark } from './run-mark.ts';
import { limitsPattern, MARK_NAME } from './run-mark.ts';

/** A started program, the leader of a process group and a session; or only marks that were given to a thread. */
export type GroupLeader = { pid: number | undefined; mark: RunMark; startedAt: number };

/** A process at one moment. `startTime` tells it from a later one with the same number. */
export type FoundProcess = { pid: number; parent: number; group: number; session: number; startTime: string };

/** Process ids are given in ascending order; in this time they cannot have been used up and begun anew twice. */
const SHORT_MS = 10_000;
/** Every round finds what was started since the last one, by processes that were not stopped yet. */
const MAX_ROUNDS = 20;
const GONE_MS = 1000;
const KERNEL_THREADS = 2;

/**
 * Kills a group and everything that descends from it, synchronously. All processes are stopped first, so that none can start
 * another one meanwhile. `known` are descendants that were found earlier.
 */
export function killTree(leader: GroupLeader, known: readonly FoundProcess[] = []): void {
  const found = new Map<number, FoundProcess>();
  const signalGroup = (name: NodeJS.Signals): void => {
    if (leader.pid !== undefined) signal(-leader.pid, name);
  };
  if (process.platform === 'linux') signalGroup('SIGSTOP');
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const fresh = findDescendants(leader, known).filter(({ pid }) => !found.has(pid));
    if (fresh.length === 0) break;
    for (const descendant of fresh) {
      found.set(descendant.pid, descendant);
      signal(descendant.pid, 'SIGSTOP');
    }
  }
  signalGroup('SIGKILL');
  for (const pid of found.keys()) signal(pid, 'SIGKILL');
  waitUntilGone([...found.values()]);
}

/**
 * The living processes outside of the group that belong to it: marked ones, members of its session, those in `known`, and the
 * children of all these.
 */
export function findDescendants(leader: GroupLeader, known: readonly FoundProcess[] = []): FoundProcess[] {
  if (process.platform !== 'linux') return [];
  const younger = youngerThan(leader);
  const family = new Set(leader.pid === undefined ? [] : [leader.pid]);
  for (const { pid, startTime } of known)
    if (younger.some((other) => other.pid === pid && other.startTime === startTime)) family.add(pid);
  addRelated(younger, family);
  addMarked(younger, family, leader.mark);
  addRelated(younger, family);
  return younger.filter(({ pid, group }) => family.has(pid) && group !== leader.pid);
}

/** False if only zombies, or processes of another user, are left of a group. */
export function hasLivingMember(group: number): boolean {
  return process.platform !== 'linux' || listProcesses(0).some((member) => member.group === group);
}

/** Adds the children of the family and the members of its sessions. */
function addRelated(processes: readonly FoundProcess[], family: Set<number>): void {
  for (let size = -1; size !== family.size;) {
    size = family.size;
    for (const { pid, parent, session } of processes)
      if (family.has(parent) || family.has(session)) family.add(pid);
  }
}

function addMarked(processes: readonly FoundProcess[], family: Set<number>, mark: RunMark): void {
  const variable = Buffer.from(`${MARK_NAME}=${mark.text}`);
  const limit = new RegExp(limitsPattern(mark.locks), 'm');
  for (const { pid, parent } of processes) {
    if (family.has(pid) || parent === KERNEL_THREADS) continue;
    if (hasVariable(pid, variable) || limit.test(readBytes(pid, 'limits')?.toString('latin1') ?? ''))
      family.add(pid);
  }
}

/** Process ids ascend and begin anew at a limit, so most older processes are known without a look at them. */
function youngerThan({ pid = process.pid, startedAt }: GroupLeader): FoundProcess[] {
  const last = performance.now() - startedAt < SHORT_MS ? lastProcessId() : 0;
  if (last === pid) return [];
  return listProcesses(last > pid ? pid : 0);
}

/** Living processes with an id from `first` on, besides this one. */
function listProcesses(first: number): FoundProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!(pid >= first) || pid === process.pid) return [];
    return readProcess(pid) ?? [];
  });
}

function readProcess(pid: number): FoundProcess | undefined {
  const text = readBytes(pid, 'stat')?.toString('latin1');
  if (text === undefined) return undefined;
  // After the name, which is in brackets and may contain anything: state, parent, group, session.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state = '', parent, group, session] = fields;
  if ('ZX'.includes(state)) return undefined;
  const startTime = fields[19] ?? '';
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), startTime };
}

/** The id of the process or thread that was started last; 0 if that is unknown. */
function lastProcessId(): number {
  try {
    return Number(readFileSync('/proc/loadavg', 'latin1').trim().split(' ').at(-1)) || 0;
  } catch {
    return 0;
  }
}

/** Undefined if the process is gone or belongs to another user. */
function readBytes(pid: number, file: 'environ' | 'limits' | 'stat'): Buffer | undefined {
  try {
    return readFileSync(`/proc/${String(pid)}/${file}`);
  } catch {
    return undefined;
  }
}

function hasVariable(pid: number, variable: Buffer): boolean {
  const environment = readBytes(pid, 'environ');
  const at = environment?.indexOf(variable) ?? -1;
  return at === 0 || (at > 0 && environment?.[at - 1] === 0);
}

function waitUntilGone(processes: readonly FoundProcess[]): void {
  const end = performance.now() + GONE_MS;
  const isThere = ({ pid, startTime }: FoundProcess): boolean => readProcess(pid)?.startTime === startTime;
  while (processes.some(isThere) && performance.now() < end) pause(1);
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It is gone, or belongs to another user.
  }
}
