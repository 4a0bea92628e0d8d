// `--resume` and `--failed`: the log of an earlier run says what the next one consists of.

import { existsSync } from 'node:fs';
import { REFUSED_WITH_RESUME } from '../../application/options/options.ts';
import { findApplicationRoot } from '../../application/root.ts';
import { ConfigError } from '../../errors.ts';
import type { StartEvent } from '../../model/event.ts';
import { runsRange, withRuns } from '../../model/runs-per-case.ts';
import { quote } from '../../text/quote.ts';
import { typedFolder } from '../inputs/typed-folder.ts';
import type { RunRequest } from '../planning/request.ts';
import type { TestFlags } from '../request.ts';
import type { ResumableRun } from './earlier-run.ts';
import { findLog, readNotPassed, readResumable } from './earlier-run.ts';
import { flagsFromLog, hasMaskedName } from './logged-run.ts';

/** The same run again, without the attempts that are done. */
export async function resumedRequest(flags: TestFlags, reference: string, cwd: string): Promise<RunRequest> {
  const fixed: (keyof TestFlags)[] = REFUSED_WITH_RESUME.filter((flag) => flags[flag] !== undefined);
  if (flags.pairwise === true) fixed.push('pairwise');
  if (flags.name !== undefined && fixed.length > 0) fixed.push('name');
  if (fixed.length > 0) throw notWithResume(fixed);

  const root = findApplicationRoot(cwd, cwd);
  const found = await readResumable(findLog(reference, { cwd, root }));
  const resumed = flags.runs === undefined ? found : withMoreRuns(found, flags.runs);
  const { start } = resumed;
  if (flags.name !== undefined && !hasMaskedName(start)) throw notWithResume(['name']);

  const only = start.flags['only'];
  return {
    flags: { ...flagsFromLog(start, flags), ...runsFlag(resumed), ...flags },
    ...((flags.against !== undefined || flags.gate !== undefined) && { asksAgain: true }),
    cwd: folderOf(start, cwd),
    resumed,
    only: Array.isArray(only) ? only.map(String) : undefined,
    earlierInputs: start.inputs,
    focus: {},
  };
}

/** A new run of the cases that did not pass; undefined if all did. */
export async function failedRequest(
  flags: TestFlags,
  reference: string,
  cwd: string,
): Promise<RunRequest | undefined> {
  const root = findApplicationRoot(typedFolder(flags.input ?? [], cwd), cwd);
  const { start, notPassed } = await readNotPassed(findLog(reference, { cwd, root }));
  if (notPassed.size === 0) return undefined;

  const only = [...notPassed];
  if (flags.input === undefined && (flags.matrix ?? flags.pairwise) !== undefined)
    throw new ConfigError(
      '--failed runs the combinations of the earlier run again: leave --matrix and --pairwise out',
      {
        hint: 'to start with a matrix of its own, name the inputs with -i',
      },
    );
  if (flags.input !== undefined) return { flags, cwd, only, earlierInputs: [], focus: {} };
  // A report on some of the cases must not replace the report on all of them.
  const { output: _output, reporter: _reporter, ...inherited } = flagsFromLog(start, flags);
  return {
    flags: { ...inherited, ...flags },
    cwd: folderOf(start, cwd),
    only,
    earlierInputs: start.inputs,
    focus: {},
  };
}

/** The same run with so many runs of every case, which are more than it has. */
function withMoreRuns(found: ResumableRun, typed: string): ResumableRun {
  const { start, path } = found;
  const { most } = runsRange(start);
  const runs = /^\d+$/.test(typed.trim()) ? Number(typed) : 0;
  if (runs === most) return found;
  const hint = `give more than ${String(most)} to add runs, or start a new run`;
  if ('runs_rule' in start || runs === 0)
    throw new ConfigError(`--resume with --runs adds a number of runs to every case, not ${quote(typed)}`, {
      hint: 'runs_rule' in start ? 'the runs of this log were decided case by case: start a new run' : hint,
    });
  if (runs < most)
    throw new ConfigError(`--runs ${String(runs)}: the run in ${path} has ${String(most)} runs of a case`, {
      hint,
    });
  // Attempts that were not needed then are needed now.
  const kept = new Map([...found.kept].filter(([, { reason }]) => reason !== 'decided'));
  return { ...found, kept, start: withRuns(start, runs), runs };
}

/** A run with more runs than its definitions say. */
function runsFlag({ runs }: ResumableRun): { runs?: string } {
  return runs === undefined ? {} : { runs: String(runs) };
}

/** Where the earlier run was; a log from another machine is used as if it had been made here. */
function folderOf(start: StartEvent, cwd: string): string {
  return existsSync(start.cwd) ? start.cwd : cwd;
}

function notWithResume(flags: readonly string[]): ConfigError {
  const names = flags.map((flag) => `--${kebab(flag)}`).join(', ');
  return new ConfigError(`--resume cannot be combined with ${names}`, {
    hint: 'the log already says what the run consists of',
  });
}

function kebab(flag: string): string {
  return flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
