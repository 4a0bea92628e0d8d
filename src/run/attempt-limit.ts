// How many attempts a run is: told before a matrix begins, refused if it is more than anybody wants.

import { ConfigError } from '../errors.ts';
import { runsRange } from '../model/runs-per-case.ts';
import { counted } from '../report/text/run-words.ts';
import type { Io } from './io.ts';
import type { RunPlan } from './plan.ts';

/** More attempts of a matrix than this need a word. */
const MANY = 1000;

/** A matrix grows faster than people think, and every attempt may cost money. */
export function refuseTooMany({ request, inputs, prepared }: RunPlan): void {
  const { maxAttempts, yes } = request.flags;
  const isMatrix = inputs.defined?.logged.matrix !== undefined;
  const most = maxAttempts === undefined ? (isMatrix ? MANY : undefined) : Number(maxAttempts);
  if (most !== undefined && !(Number.isInteger(most) && most > 0))
    throw new ConfigError('must be a whole number of at least 1', { at: '--max-attempts' });
  const { attempts } = prepared;
  if (most === undefined || attempts <= most || yes === true || request.resumed !== undefined) return;
  throw new ConfigError(`this would be ${count(attempts)} attempts, more than ${count(most)}`, {
    hint: `--yes runs them all the same; so does --max-attempts ${String(attempts)}`,
  });
}

/** How much a matrix is; of a run that only a part is left of, nothing is said. */
export function announceMatrix({ request, inputs, prepared }: RunPlan, io: Pick<Io, 'stderr'>): void {
  const { defined, settings, sources } = inputs;
  const { matrix } = defined?.logged ?? {};
  if (matrix === undefined || (request.only ?? request.resumed) !== undefined) return;
  const names = Object.entries(matrix).map(([name, values]) => `${name} (${String(values.length)})`);
  const tests = new Set(sources.map(({ test }) => test?.id)).size;
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
  return number.toLocaleString('en');
}
