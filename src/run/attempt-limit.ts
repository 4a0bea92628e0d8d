// How many attempts a run has: shown before a matrix begins, refused if there are too many.

import { ConfigError } from '../errors.ts';
import { runsRange } from '../model/runs-per-case.ts';
import { counted } from '../report/text/run-words.ts';
import type { Io } from './io.ts';
import type { RunPlan } from './plan.ts';
import { groupDigits } from '../text/group-digits.ts';

/** A matrix with more attempts needs `--yes` or `--max-attempts`. */
const MANY = 1000;

/** Throws ConfigError if the run is longer than allowed: a matrix grows fast, and every attempt may cost money. */
export function refuseTooMany({ request, inputs, prepared }: RunPlan): void {
  const { maxAttempts, yes } = request.flags;
  const isMatrix = inputs.matrix !== undefined;
  const most = maxAttempts === undefined ? (isMatrix ? MANY : undefined) : Number(maxAttempts);
  if (most !== undefined && !(Number.isInteger(most) && most > 0))
    throw new ConfigError('must be a whole number of at least 1', { at: '--max-attempts' });
  const { attempts } = prepared;
  if (most === undefined || attempts <= most || yes === true || request.resumed !== undefined) return;
  throw new ConfigError(`this would be ${count(attempts)} attempts, more than ${count(most)}`, {
    hint: `--yes runs them all the same; so does --max-attempts ${String(attempts)}`,
  });
}

/** Shows the size of a matrix; says nothing if only a part of the run is left. */
export function announceMatrix({ request, inputs, prepared }: RunPlan, io: Pick<Io, 'stderr'>): void {
  const { matrix, settings, sources } = inputs;
  if (matrix === undefined || (request.only ?? request.resumed) !== undefined) return;
  const names = Object.entries(matrix).map(([name, values]) => `${name} (${String(values.length)})`);
  const tests = new Set(sources.map((source) => source.test?.id ?? source.original ?? source)).size;
  const { least, most } = runsRange({ inputs: prepared.inputs, runs_per_case: settings.runs });
  const runs =
    most === 1 ? '' : `, ${least === most ? count(most) : `${count(least)} to ${count(most)}`} runs each`;
  const what = [
    `${counted(tests, 'test')} in ${counted(sources.length, 'combination')}`,
    `${counted(prepared.total, 'case')}${runs}`,
    counted(prepared.attempts, 'attempt'),
  ];
  io.stderr.write(`Matrix of ${names.join(' × ')}: ${what.join(', ')}.\n`);
}

function count(number: number): string {
  return groupDigits(number);
}
