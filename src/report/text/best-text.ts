// Which value of a variable is best, in words; the same in all reports. Values are untrusted and not escaped here.

import type { ByVariable } from '../fold/by-variable.ts';
import type { Best } from '../fold/rank-values.ts';
import type { ValueCounts } from '../fold/value-counts.ts';
import { variableText } from './variable-text.ts';

const LISTED = 5;

/** The sentence about a variable; undefined if it has less than two values with results. */
export function variableVerdict(
  { by_variable, best }: Pick<ByVariable, 'best' | 'by_variable'>,
  name: string,
  noun: string,
): string | undefined {
  const values = Object.hasOwn(by_variable, name) ? (by_variable[name] ?? []) : [];
  const known = best.find(({ variable }) => variable === name);
  if (known !== undefined) return bestText(known, values, noun);
  if (values.filter(({ pass_rate: rate }) => rate !== null).length < 2) return undefined;
  return `Not compared: no ${noun} has results with two of these values and otherwise equal ones.`;
}

/**
 * `Best: sonnet, clear.`, or `Not clear: sonnet or gpt (p 0.18); 4 more runs of both would decide.` Tests whose results do not
 * vary have counts instead of chances; `noun` is their name.
 */
function bestText(best: Best, values: readonly ValueCounts[], noun: string): string {
  const { value, clear, p, candidates, more_runs: more } = best;
  if (p === null) return countsText(best, values, noun);
  if (clear) return `Best: ${variableText(value)}, clear.`;
  const names = alternatives(candidates.map(variableText), 'or');
  return `Not clear: ${names} (${chanceText(p)}); ${moreText(more, candidates.length)}.`;
}

function moreText(more: number | null, candidates: number): string {
  if (more === null) return 'more runs would hardly decide, more cases might';
  const which = candidates === 2 ? 'both' : 'each';
  return `${more === 1 ? '1 more run' : `${more} more runs`} of ${which} would decide`;
}

/** `p 0.18`, `p < 0.0001` */
function chanceText(p: number): string {
  return p < 0.0001 ? 'p < 0.0001' : `p ${Number(p.toPrecision(2))}`;
}

function countsText({ clear, candidates }: Best, values: readonly ValueCounts[], noun: string): string {
  const keys = new Set(candidates.map((value) => JSON.stringify(value)));
  const isCandidate = ({ value }: ValueCounts): boolean => keys.has(JSON.stringify(value));
  const ranked = values.filter(({ rank }) => rank !== undefined);
  const text = ({ value, passed, total }: ValueCounts): string =>
    `${variableText(value)} (${passed} of ${total} ${noun}s passed)`;
  const first = alternatives(ranked.filter(isCandidate).map(text), 'and');
  const others = ranked.filter((one) => !isCandidate(one)).map(text);
  const rest = others.length === 0 ? '' : `; then ${alternatives(others, 'and')}`;
  return `${clear ? 'Best' : 'Equal'}: ${first}${rest}.`;
}

/** `a, b or c`; of many, the first and the number of the others. */
function alternatives(names: readonly string[], word: 'and' | 'or'): string {
  const shown =
    names.length > LISTED + 1 ? [...names.slice(0, LISTED), `${names.length - LISTED} others`] : names;
  return shown.length < 2 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} ${word} ${shown.at(-1)}`;
}
