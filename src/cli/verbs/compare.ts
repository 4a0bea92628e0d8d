// `assay compare`: is the new run worse, how sure is that, and which cases are.

import { openApplication } from '../../application/open.ts';
import type { FlagsOf, Settings } from '../../application/options/options.ts';
import { compareSides } from '../../compare/compare-sides.ts';
import { comparisonExit } from '../../compare/comparison-exit.ts';
import type { Side } from '../../compare/side.ts';
import type { Problem } from '../../errors.ts';
import { collectProblems, ConfigError } from '../../errors.ts';
import { EXIT } from '../../model/exit-code.ts';
import { findBaseline, findLogFile } from '../../history/baseline.ts';
import { readLogSide, readSide } from '../../history/read-side.ts';
import { withStore } from '../../history/store/application-store.ts';
import { previousRun } from '../../history/store/run-subject.ts';
import type { Store } from '../../history/store/store.ts';
import { comparisonJson } from '../../report/comparison/json.ts';
import type { SideLabels } from '../../report/comparison/labels.ts';
import { comparisonText } from '../../report/comparison/text.ts';
import type { Io } from '../../run/io.ts';
import { comparisonFiles, writeComparison } from './comparison-files.ts';
import { noiseCommand } from './noise.ts';
import { programName } from '../../platform/how-started.ts';

type CompareFlags = FlagsOf<'compare'>;

/** The two sides, and how the user named them. */
type Sides = { before: Side; after: Side; labels: SideLabels };

export async function compareCommand(
  references: readonly string[],
  flags: CompareFlags,
  io: Io,
): Promise<number> {
  const { alpha, margin, baselineRuns, failOn } = flags;
  const { settings } = await openApplication({
    cwd: io.cwd,
    env: io.env,
    flags: { alpha, margin, baselineRuns, failOn },
  });
  if (flags.self !== undefined) return noiseCommand(flags.self, references, flags, io);
  const files = comparisonFiles(flags.output ?? []);

  const { before, after, labels } = await readSides(references, { flags, settings }, io);
  const comparison = compareSides(before, after, settings);
  if (flags.json === true) io.stdout.write(comparisonJson(comparison));
  else io.stdout.write(comparisonText(comparison, { ...labels, again: againCommand(labels, after) }));
  const exitCode = comparisonExit(comparison, settings.fail_on);
  if (exitCode === EXIT.passed && comparison.verdict === 'undecided' && flags.json !== true)
    io.stdout.write('Undecided does not fail; --fail-on undecided makes it exit 1.\n');
  await writeComparison(files, { comparison, labels }, io.cwd);
  return exitCode;
}

type Asked = { flags: CompareFlags; settings: Settings };

async function readSides(references: readonly string[], { flags, settings }: Asked, io: Io): Promise<Sides> {
  const [before, after] = references;
  if (flags.latest === true && references.length === 0)
    return withStore(flags, io, (store) => latestSides(store, settings, io));
  if (before === undefined || after === undefined || references.length !== 2)
    throw new ConfigError(flags.latest === true ? '--latest names both runs' : 'name two runs', {
      hint: `${programName()} compare <run> <run>, with ids of ${programName()} history, baselines or run logs; or --latest for the last run and the ones before it`,
    });
  const labels = { before, after };
  const logs = [before, after].map((reference) => findLogFile(reference, io.cwd));
  const [earlier, later] = logs;
  if (earlier !== undefined && later !== undefined)
    return { before: await readLogSide(earlier), after: await readLogSide(later), labels };
  return withStore(flags, io, async (store) => {
    const problems: Problem[] = [];
    const now = await collectProblems(problems, () => findBaseline(store, after, { cwd: io.cwd, runs: 1 }));
    const then = await collectProblems(problems, () =>
      findBaseline(store, before, {
        cwd: io.cwd,
        runs: settings.baseline_runs,
        without: now !== undefined && 'runs' in now ? now.runs.map(({ run_id }) => run_id) : [],
      }),
    );
    if (now === undefined || then === undefined) throw ConfigError.of(problems.toReversed());
    return { before: await readSide(store, then), after: await readSide(store, now), labels };
  });
}

/** The newest run, and the newest ones before it that tested the same: all of the version right before it. */
async function latestSides(store: Store, { baseline_runs: runs }: Settings, io: Io): Promise<Sides> {
  const [latest] = await store.runs({ limit: 1 });
  const earlier = latest === undefined ? undefined : await previousRun(store, latest);
  if (latest === undefined || earlier === undefined)
    throw new ConfigError('there are no two runs of the same', {
      hint: `${programName()} import <log> brings runs into the history; ${programName()} history lists them`,
    });
  const found = await findBaseline(store, earlier.run_id, {
    cwd: io.cwd,
    runs: runs ?? 30,
    without: [latest.run_id],
  });
  return {
    before: await readSide(store, found),
    after: await readSide(store, { runs: [latest] }),
    labels: { before: earlier.run_id, after: latest.run_id },
  };
}

/** Runs the new version more often; a log can be extended, a run of the history has no log to name. */
function againCommand({ after }: SideLabels, { cases }: Side): ((runs: number) => string) | undefined {
  if (!after.endsWith('.jsonl')) return undefined;
  const now = cases.reduce((most, { measured }) => Math.max(most, measured), 0);
  return (more) => `${programName()} test --resume ${after} --runs ${now + more}`;
}
