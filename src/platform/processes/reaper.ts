// A shell that outlives this process, however it ends, and then kills everything that this process has started.

import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { OWN_ENVIRONMENT, OWN_LIMITS } from './run-mark.ts';

/**
 * Reads "+ group" and "- group" lines, and "clean" when this process has killed everything by itself. The end of its input
 * means that this process is dead. The reaper then stops the groups on its list, so that they start nothing more; finds what
 * carries the mark, is in a session of a group, or descends from either; and kills it all. Where there is no /proc or no
 * grep, it kills the groups. Lines of /proc/<pid>/stat are read by grep, which names the file: the name of a program may
 * contain a line feed.
 */
const REAPER = `
trap '' HUP INT TERM
groups=' '
found=' '
is_clean=
while read -r sign group; do
  case $sign in
    +) groups="$groups$group " ;;
    -) case $groups in *" $group "*) groups="\${groups%% $group *} \${groups#* $group }" ;; esac ;;
    clean) is_clean=1 ;;
  esac
done

add() {
  case $found in *" $1 "*) return 1 ;; esac
  found="$found$1 "
  kill -STOP "$1"
}

find_marked() {
  for file in $(grep -lzs '${OWN_ENVIRONMENT}' [0-9]*/environ; grep -ls '${OWN_LIMITS}' [0-9]*/limits); do add "\${file%%/*}" && fresh=1; done
}

find_children() {
  stats=$(grep -Hs '' [0-9]*/stat)
  set -f
  more=1
  while [ "$more" ]; do
    more=
    IFS='
'
    for line in $stats; do
      unset IFS
      pid=\${line%%/*}
      set -- \${line##*) }
      case "$groups$found" in *" $2 "* | *" $4 "*) add "$pid" && fresh=1 && more=1 ;; esac
    done
  done
  unset IFS
  set +f
}

for group in $groups; do kill -STOP "-$group"; done
if [ -z "$is_clean" ] && cd /proc && [ -r self/environ ]; then
  for round in 1 2 3 4 5 6 7 8 9; do
    fresh=
    find_marked
    find_children
    [ "$fresh" ] || break
  done
fi
for group in $groups; do kill -KILL "-$group"; done
for pid in $found; do kill -KILL "$pid"; done
`;

/** Delay before the reaper learns that a group ended; too short for the process id to be reused. */
const FORGET_MS = 50;
const groups = new Set<number>();
/** Ended groups that the reaper still has on its list. */
const gone: string[] = [];
let reaper: ChildProcess | undefined;

/** Makes sure that a group does not outlive this process. */
export function guardGroup(pid: number): void {
  openReaper();
  groups.add(pid);
  tellReaper(`+ ${String(pid)}`);
}

/** Tells the reaper that a group has ended. Batches messages, because each one wakes it up. */
export function forgetGroup(pid: number): void {
  if (!groups.delete(pid)) return;
  gone.push(`- ${String(pid)}\n`);
  if (gone.length > 1) return;
  setTimeout(() => void reaper?.stdin?.write(gone.splice(0).join('')), FORGET_MS).unref();
}

/** Tells the reaper that it has nothing to look for. */
export function dismissReaper(): void {
  tellReaper('clean');
}

function openReaper(): void {
  if (reaper !== undefined || process.platform === 'win32') return;
  const started = spawn('/bin/sh', ['-c', REAPER], {
    cwd: '/',
    // No mark: the reaper of a run inside of another run has to outlive both.
    env: process.env['PATH'] === undefined ? {} : { PATH: process.env['PATH'] },
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
