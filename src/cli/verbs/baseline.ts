// `assay baseline`: names for runs that others are compared with.

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { FlagsOf } from '../../application/options/options.ts';
import { ConfigError } from '../../errors.ts';
import { DEFAULT_BASELINE, findBaseline } from '../../history/baseline.ts';
import { withStore } from '../../history/store/application-store.ts';
import type { StoredRun } from '../../history/store/store.ts';
import { EXIT } from '../../model/exit-code.ts';
import { counted } from '../../report/text/run-words.ts';
import type { Io } from '../../run/io.ts';
import { oneLine } from '../../text/untrusted.ts';
import { programName } from '../../platform/how-started.ts';

type BaselineFlags = FlagsOf<'baseline.list' | 'baseline.remove' | 'baseline.set' | 'baseline.show'>;

export async function listBaselines(flags: BaselineFlags, io: Io): Promise<number> {
  return withStore(flags, io, async (store) => {
    const baselines = await store.baselines();
    const width = Math.max(0, ...baselines.map(({ name }) => name.length));
    const lines = baselines.map(
      ({ name, run_id, created_at }) =>
        `${name.padEnd(width)}  ${run_id}  ${created_at.slice(0, 16).replace('T', ' ')}\n`,
    );
    if (flags.json === true) io.stdout.write(`${JSON.stringify(baselines, null, 2)}\n`);
    else io.stdout.write(lines.length === 0 ? NO_BASELINES : lines.join(''));
    return EXIT.passed;
  });
}

export async function setBaseline(
  reference: string,
  name = DEFAULT_BASELINE,
  flags: BaselineFlags,
  io: Io,
): Promise<number> {
  if (statSync(resolve(io.cwd, reference), { throwIfNoEntry: false })?.isFile() === true)
    throw new ConfigError(`${reference} is a log, and a name stands for a run of the history`, {
      hint: `${programName()} import ${reference} brings its run in, and ${programName()} history lists it; or compare with the log itself: --against ${reference}`,
    });
  return withStore(flags, io, async (store) => {
    const { run_id } = await store.setBaseline(name, reference);
    if (flags.json === true) io.stdout.write(`${JSON.stringify({ name, run_id }, null, 2)}\n`);
    else io.stdout.write(`The baseline ${name} is run ${run_id}.\n`);
    return EXIT.passed;
  });
}

export async function showBaseline(
  reference = DEFAULT_BASELINE,
  flags: BaselineFlags,
  io: Io,
): Promise<number> {
  return withStore(flags, io, async (store) => {
    const found = await findBaseline(store, reference, { cwd: io.cwd });
    if ('log' in found)
      throw new ConfigError(`${reference} is a log`, {
        hint: `to look at it: ${programName()} report ${reference}`,
      });
    const { runs } = found;
    if (flags.json === true) io.stdout.write(`${JSON.stringify({ baseline: reference, runs }, null, 2)}\n`);
    else
      io.stdout.write(
        `${oneLine(reference)}: ${counted(runs.length, 'run')} of the same agent, judges and variables\n${runs.map(runLine).join('')}`,
      );
    return EXIT.passed;
  });
}

export async function removeBaseline(name: string, flags: BaselineFlags, io: Io): Promise<number> {
  return withStore(flags, io, async (store) => {
    await store.removeBaseline(name);
    if (flags.json === true) io.stdout.write(`${JSON.stringify({ removed: name }, null, 2)}\n`);
    else io.stdout.write(`The baseline ${name} is forgotten; its run stays.\n`);
    return EXIT.passed;
  });
}

const NO_BASELINES = `There are no baselines yet; ${programName()} baseline set <run> [name] makes one.\n`;

function runLine({ run_id, started_at, summary, git }: StoredRun): string {
  const rate = summary?.overall_pass_rate;
  const facts = [
    run_id,
    started_at.slice(0, 16).replace('T', ' '),
    rate === undefined || rate === null ? 'no pass rate' : `${String(rate)}%`,
    ...(git === null ? [] : [`${git.branch ?? ''} ${git.commit.slice(0, 8)}`.trim()]),
  ];
  return `  ${oneLine(facts.join('  '))}\n`;
}
