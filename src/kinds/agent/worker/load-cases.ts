// In a worker: a module in, the cases of its default export out: a list, a generator, or a function that gives either.

import { importModule } from '../../../compile/bundle.ts';
import { isObject } from '../../../json/is-object.ts';
import { raceSignal } from '../../../platform/race.ts';
import { isThenable } from '../../../platform/thenable.ts';

/** An endless generator must end somewhere. */
const MAX_CASES = 1_000_000;
/** Gives whatever else the default export is as it is. */
export async function loadCases(file: string, root: string, signal: AbortSignal): Promise<unknown> {
  const namespace = await raceSignal(importModule(file, { root, direct: true }), signal);
  let value: unknown = namespace['default'];
  // CommonJS that was compiled from an ES module nests it.
  if (isObject(value) && Object.hasOwn(value, 'default')) value = value['default'];
  if (typeof value === 'function') value = (value as () => unknown)();
  if (isThenable(value)) value = await raceSignal(value, signal);
  return await raceSignal(collect(value), signal);
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
