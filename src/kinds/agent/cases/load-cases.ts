// A module in, the cases of its default export out: a list, a generator, or a function that gives either.

import type { LostValue } from '../../../agents/plain-answer.ts';
import { findLost, isJson } from '../../../agents/plain-answer.ts';
import { importModule } from '../../../compile/bundle.ts';
import { isObject } from '../../../json/is-object.ts';
import { raceSignal } from '../../../platform/race.ts';
import { isThenable } from '../../../platform/thenable.ts';
import { quote } from '../../../text/quote.ts';

/** An endless generator must end somewhere. */
const MAX_CASES = 1_000_000;
const MAX_PROBLEMS = 50;

/** `problems` has what JSON would drop or change without a word. */
export type LoadedModule = { value: unknown; problems: string[] };

/** Gives whatever else the default export is as it is. */
export async function loadCases(file: string, root: string, signal: AbortSignal): Promise<LoadedModule> {
  const namespace = await raceSignal(importModule(file, { root, direct: true }), signal);
  let value: unknown = namespace['default'];
  // CommonJS that was compiled from an ES module nests it.
  if (isObject(value) && Object.hasOwn(value, 'default')) value = value['default'];
  if (typeof value === 'function') value = (value as () => unknown)();
  if (isThenable(value)) value = await raceSignal(value, signal);
  return raceSignal(collectCases(value), signal);
}

/** Reads a list or a generator of cases to its end; gives whatever else the value is as it is. */
export async function collectCases(value: unknown): Promise<LoadedModule> {
  const cases = await collect(value);
  if (!Array.isArray(cases)) return { value: cases, problems: [] };

  const problems: string[] = [];
  for (const [index, one] of cases.entries()) {
    const lost = lostIn(one);
    if (lost === undefined) continue;
    const id: unknown = isObject(one) ? one['id'] : undefined;
    const name = typeof id === 'string' ? `case ${quote(id)}` : `case ${index + 1}`;
    const place = lost.path === '' ? '' : `${lost.path} is `;
    problems.push(`${name}: ${place}${describe(lost.value)}, which cannot be written as JSON`);
    if (problems.length === MAX_PROBLEMS) break;
  }
  return { value: problems.length === 0 ? cases : [], problems };
}

/** The first value of a case that JSON would drop or change. */
function lostIn(one: unknown): LostValue | undefined {
  if (!isJson(one)) return { value: one, path: '' };
  return typeof one === 'object' && one !== null ? findLost(one) : undefined;
}

function describe(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return `a ${typeof value}`;
  return `an object of the class ${value.constructor.name}`;
}

async function collect(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return value;
  const isIterable =
    typeof value === 'object' &&
    value !== null &&
    (Symbol.asyncIterator in value || Symbol.iterator in value);
  if (!isIterable) return value;
  const cases: unknown[] = [];
  // `for await` reads both sync and async iterables.
  for await (const one of value as AsyncIterable<unknown>) {
    cases.push(one);
    if (cases.length > MAX_CASES)
      throw new Error(`gives more than ${MAX_CASES} cases: does its generator end?`);
  }
  return cases;
}
