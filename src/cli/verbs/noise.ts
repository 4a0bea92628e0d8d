// `assay compare --self <run>`: how much a suite differs from itself.

import type { FlagsOf } from '../../application/options/options.ts';
import type { NoiseFloor } from '../../compare/noise-floor.ts';
import { noiseFloor } from '../../compare/noise-floor.ts';
import type { Side } from '../../compare/side.ts';
import { number } from '../../compare/words.ts';
import { ConfigError } from '../../errors.ts';
import { findBaseline, findLogFile } from '../../history/baseline.ts';
import { readLogSide, readSide } from '../../history/read-side.ts';
import { withStore } from '../../history/store/application-store.ts';
import { EXIT } from '../../model/exit-code.ts';
import { caseName } from '../../report/comparison/labels.ts';
import type { Io } from '../../run/io.ts';
import { groupDigits } from '../../text/group-digits.ts';
import { oneLine } from '../../text/untrusted.ts';
import { programName } from '../../platform/how-started.ts';

/** Maximum number of listed cases. */
const SHOWN = 20;

export async function noiseCommand(
  reference: string,
  others: readonly string[],
  flags: FlagsOf<'compare'>,
  io: Io,
): Promise<number> {
  if (flags.output !== undefined)
    throw new ConfigError('--self writes no file', {
      at: '-o',
      hint: `redirect its output: ${programName()} compare --self <run> --json > noise.json`,
    });
  if (others.length > 0 || flags.latest === true)
    throw new ConfigError('--self takes one run and nothing to compare it with', {
      hint: `${programName()} compare --self <run>, with a run of the history, a baseline or a log; --json for programs`,
    });
  const floor = noiseFloor(await readOne(reference, flags, io));
  if (floor === undefined)
    throw new ConfigError(`${reference} ran every case once, which shows no noise`, {
      hint: 'run it with --runs 3 or more, or name a baseline of several runs',
    });
  io.stdout.write(flags.json === true ? `${JSON.stringify(floor, null, 2)}\n` : noiseText(floor));
  return EXIT.passed;
}

async function readOne(reference: string, flags: FlagsOf<'compare'>, io: Io): Promise<Side> {
  const log = findLogFile(reference, io.cwd);
  if (log !== undefined) return readLogSide(log);
  return withStore(flags, io, async (store) =>
    readSide(store, await findBaseline(store, reference, { cwd: io.cwd })),
  );
}

function noiseText({ cases, runs, by_runs, flipping }: NoiseFloor): string {
  const rows = by_runs.map(
    (row) =>
      `  ${String(row.runs).padStart(4)} → ${String(row.runs).padEnd(4)}  ±${number(row.chance).padEnd(5)}  ${number(row.detectable)}`,
  );
  const shown = flipping.slice(0, SHOWN);
  const rest = flipping.length - shown.length;
  const lines = [
    `${groupDigits(cases)} cases with up to ${runs} runs each. Nothing changed between them, so what differs is noise.`,
    'In points of the pass rate, comparing this suite with itself:',
    '  runs         chance  a drop that is seen 4 times in 5',
    ...rows,
    flipping.length === 0
      ? 'No case disagrees with itself.'
      : `${groupDigits(flipping.length)} cases disagree with themselves:`,
    ...shown.map((one) => `  ${oneLine(caseName(one))}  ${one.passed} of ${one.measured} passed`),
    ...(rest > 0 ? [`  … and ${groupDigits(rest)} more; --json has them all`] : []),
  ];
  return `${lines.join('\n')}\n`;
}
