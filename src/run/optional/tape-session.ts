// A run that records its traffic, or replays it: the settings are checked before it, the tapes are summed up after it.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { testedAgent } from '../../model/subject.ts';
import type { Problem } from '../../errors.ts';
import { ConfigError } from '../../errors.ts';
import type { Attempt, Target } from '../../model/attempt.ts';
import type { Settings } from '../../application/options/options.ts';
import { didYouMeanFile } from '../../platform/nearest-file.ts';
import { isFolder } from '../../platform/file-stats.ts';
import { isObject } from '../../json/is-object.ts';
import { stateFolder } from '../../platform/state-folder.ts';
import { counted } from '../../report/text/run-words.ts';
import type { TapeCounts, UnusedExchanges } from '../../tapes/run-tapes.ts';
import { RunTapes } from '../../tapes/run-tapes.ts';
import { tapesIn } from '../../tapes/tape-file.ts';
import type { TapeSettings } from '../../tapes/worker-tapes.ts';
import type { Redactor } from '../../secrets/redact.ts';
import type { Prepared } from '../inputs/prepare.ts';
import type { RunPlan } from '../plan.ts';
import { shortPath } from '../../platform/paths.ts';
import { programName } from '../../platform/how-started.ts';

/** The settings for workers; throws ConfigError with all combinations that make no sense. */
export function tapeSettings(
  settings: Settings,
  { prepared, cwd }: { prepared: Pick<Prepared, 'targets'>; cwd: string },
): TapeSettings {
  const {
    record,
    replay,
    record_missing: isUpdate = false,
    replay_speed: speed,
    tapes: rules = {},
  } = settings;
  const problems: Problem[] = [];
  const refuse = (message: string, hint: string): void => void problems.push({ message, hint });
  if (record !== undefined && replay !== undefined)
    refuse(
      '--record and --replay cannot be combined',
      '--replay with --record-missing records what is not there',
    );
  if (isUpdate && replay === undefined)
    refuse(
      '--record-missing needs --replay',
      'name the folder of the recordings: --replay tapes --record-missing',
    );
  if (speed !== undefined && replay === undefined)
    refuse('--replay-speed needs --replay', 'name the folder of the recordings: --replay tapes');
  const folder = resolve(cwd, record ?? replay ?? '');
  if (existsSync(folder) && !isFolder(folder))
    refuse(`${folder} is not a folder`, 'recordings are files in a folder');
  else if (replay !== undefined && record === undefined && !isUpdate && tapesIn(folder).length === 0) {
    const similar = existsSync(folder) ? undefined : didYouMeanFile(folder, cwd);
    refuse(
      `there are no recordings in ${shortPath(folder, cwd)}`,
      similar ?? `record them first: --record ${replay}`,
    );
  }
  for (const problem of unseenAgents(prepared, settings.cache === true)) problems.push(problem);
  if (problems.length > 0) throw ConfigError.of(problems);
  const mode = record === undefined ? (isUpdate ? 'update' : 'replay') : 'record';
  return { mode, folder, rules, ...(speed !== undefined && { speed }) };
}

/** Agents whose traffic cannot be seen from here. */
function unseenAgents({ targets }: Pick<Prepared, 'targets'>, isCache: boolean): Problem[] {
  const without = isCache ? 'run it with --no-cache' : 'leave --record and --replay out';
  const problems = new Map<string, Problem>();
  for (const { subject } of targets) {
    const agent = testedAgent(subject);
    if (agent?.run.type === 'command' || agent?.run.type === 'python')
      problems.set(agent.id, {
        message: `the traffic of ${agent.id} cannot be recorded or replayed: it is a program of its own`,
        hint: `${without}, or test it as a module or behind a URL`,
      });
    if (agent === undefined)
      problems.set(subject.kind, {
        message: `${subject.kind} tests cannot be recorded or replayed`,
        hint: `recordings are for agent tests: ${isCache ? 'use --no-cache, or ' : ''}leave the others out of this run`,
      });
  }
  return [...problems.values()];
}

/** Opens the tapes of a run. */
export function openTapes(
  settings: TapeSettings,
  { targets, runs, redactor }: { targets: readonly Target[]; runs: number; redactor: Redactor },
): RunTapes {
  const runsByTest = new Map(targets.map((target) => [target.test_id, target.runs ?? runs]));
  const countRuns = ({ test_id }: Attempt): number => runsByTest.get(test_id) ?? runs;
  return new RunTapes({ settings, countRuns, redactor });
}

/** The recordings that the last replay of a folder did not use, as kept in `.assay/tapes.json`. */
export type LastReplay = { run_id: string; at: string; unused: UnusedExchanges[]; untouched: string[] };

const STATE = 'tapes.json';

/** The unused recordings of the last replay of a folder, if there was one. */
export function lastReplay(root: string, folder: string): LastReplay | undefined {
  const found = readState(root)[folder];
  // Written by this program.
  return isObject(found) && Array.isArray(found['unused']) ? (found as LastReplay) : undefined;
}

function readState(root: string): Record<string, unknown> {
  try {
    const state: unknown = JSON.parse(readFileSync(join(root, '.assay', STATE), 'utf8'));
    return isObject(state) ? state : {};
  } catch {
    return {};
  }
}

/** Keeps what was left unused. */
export function rememberReplay(root: string, folder: string, replay: LastReplay | undefined): void {
  try {
    const { [folder]: _before, ...others } = readState(root);
    const state = replay === undefined ? others : { ...others, [folder]: replay };
    writeFileSync(join(stateFolder(root), STATE), JSON.stringify(state));
  } catch {
    // Without this file `assay tapes prune` has nothing to go by; the run itself is not affected.
  }
}

/** The parts of a plan that the lines about tapes need. */
type TapedPlan = Pick<RunPlan, 'application' | 'inputs' | 'request'>;

/** Lines about the tapes of a run that is over; keeps the list of unused recordings. */
export function closeTapes(
  tapes: RunTapes,
  plan: TapedPlan,
  { runId, isWhole }: { runId: string; isWhole: boolean },
): { lines: string[]; problem: string | undefined } {
  const { root, cwd } = plan.application;
  const { mode, folder } = tapes.settings;
  const counts = tapes.counts();
  const problem = problemOf(counts, mode);
  const place = shortPath(folder, cwd);
  const lines: string[] = [];
  if (plan.inputs.settings.cache === true) lines.push(cacheLine(counts, place));
  else if (mode !== 'record')
    lines.push(
      `Replayed: ${counted(counts.played, 'tape')} from ${place}${mode === 'replay' ? '; costs and times are those of the recording, nothing was spent' : ''}`,
    );
  if (plan.inputs.settings.cache !== true && (mode === 'record' || counts.written > 0))
    lines.push(
      `Recorded: ${counted(counts.recorded, 'request')} in ${counted(counts.written, 'tape')} in ${place}`,
    );
  lines.push(...warningLines(counts, place, plan.inputs.settings.runs, mode));
  if (mode === 'record') {
    // The list of unused recordings is about the ones that were just replaced.
    rememberReplay(root, folder, undefined);
    return { lines, problem };
  }
  // What a cache keeps is of use again when a prompt is changed back.
  if (plan.inputs.settings.cache === true) return { lines, problem };
  const untouched = isWhole && isEverything(plan) ? tapes.untouched() : [];
  const replay = { run_id: runId, at: new Date().toISOString(), unused: counts.unused, untouched };
  rememberReplay(root, folder, replay);
  return { lines: [...lines, ...unusedLines(counts, untouched, place)], problem };
}

/** How much of the run came from the cache, and how to ask again. */
function cacheLine({ answered, recorded }: TapeCounts, place: string): string {
  const fresh = recorded === 0 ? 'none was sent' : `${counted(recorded, 'request')} sent and kept`;
  const spent = recorded === 0 && answered > 0 ? '; costs and times are those of the recording' : '';
  return `Cache: ${counted(answered, 'answer')} from ${place}, ${fresh}${spent}. To ask again: --record ${place} instead of --cache, or delete the folder`;
}

/** A problem that makes the recordings, or the run that relied on them, worthless. */
function problemOf({ problem, late }: TapeCounts, mode: TapeSettings['mode']): string | undefined {
  if (problem !== undefined) return problem;
  if (late.length === 0 || mode !== 'replay') return undefined;
  return `refused, because it was asked for after its attempt was over: ${late.slice(0, 3).join(', ')}; what the agent leaves running must end with the attempt, or be allowed with "tapes": {"allow": […]} in assay.config`;
}

/** Warnings for people who rely on the recordings. */
function warningLines(
  { unmeasured, missed, dropped, unseen, late }: TapeCounts,
  place: string,
  runs: number,
  mode: TapeSettings['mode'],
): string[] {
  const lines: string[] = [];
  if (late.length > 0 && mode !== 'replay')
    lines.push(`Not recorded: ${late.slice(0, 3).join(', ')}, asked for after the attempt was over`);
  if (unmeasured > 0)
    lines.push(
      `Not recorded: ${counted(unmeasured, 'run')} that could not be measured; what was recorded of them before stays`,
    );
  if (dropped > 0)
    lines.push(
      `Removed: ${counted(dropped, 'recorded run')} beyond --runs; record with as many runs as you replay`,
    );
  if (unseen.length > 0)
    lines.push(
      `Not recorded: connections to ${unseen.slice(0, 5).join(', ')}, made past fetch and node:http`,
    );
  const { attempts, cases } = missed;
  if (attempts > 0) {
    const isShort = cases.length <= 3 && cases.every((id) => /^[\w .-]+$/.test(id));
    const names = isShort ? ` --run '^(${cases.join('|').replaceAll('.', '\\.')})$'` : '';
    lines.push(
      `Without a recording: ${counted(attempts, 'run')} of ${counted(cases.length, 'case')}; record again with --record ${place}${names}${runs > 1 ? ` --runs ${String(runs)}` : ''}, or add what is missing with --record-missing`,
    );
  }
  return lines;
}

/** False if only some cases ran: that says nothing about the recordings of the others. */
function isEverything({ request: { only, resumed }, inputs: { settings } }: TapedPlan): boolean {
  return (
    (settings.run ?? settings.first ?? settings.sample) === undefined &&
    settings.tags.length === 0 &&
    only === undefined &&
    resumed === undefined
  );
}

function unusedLines({ unused }: TapeCounts, untouched: string[], place: string): string[] {
  const exchanges = unused.reduce((sum, entry) => sum + entry.exchanges.length, 0);
  const parts = [
    ...(exchanges === 0
      ? []
      : [
          `${counted(exchanges, 'request')} in ${counted(new Set(unused.map(({ file }) => file)).size, 'tape')}`,
        ]),
    ...(untouched.length === 0 ? [] : [`${counted(untouched.length, 'tape')} of other cases`]),
  ];
  if (parts.length === 0) return [];
  const examples = [
    ...unused.flatMap(({ file, run, exchanges }) =>
      exchanges.map(({ name }) => `  ${file}${run === 1 ? '' : ` (run ${String(run)})`}: ${name}`),
    ),
    ...untouched.map((file) => `  ${file}`),
  ];
  const more = examples.length > 5 ? [`  and ${String(examples.length - 5)} more`] : [];
  return [
    `Not used: ${parts.join(' and ')}; ${programName()} tapes prune ${place} removes them`,
    ...examples.slice(0, 5),
    ...more,
  ];
}
