// A run in, what its form had out: who starts it again begins with the same values.

import { isObject } from '../../src/json/is-object.ts';
import { isCredentialName } from '../../src/secrets/credential-name.ts';
import type { StoredRun } from '../../src/history/store/store.ts';
import type { Texts } from './fields.ts';

export type EarlierValues = { texts: Texts; runs: string };

/** Only what the run itself was given; the rest comes from where it came from then. */
export function earlierValues({
  resolved_variables,
  flags,
}: Pick<StoredRun, 'flags' | 'resolved_variables'>): EarlierValues {
  const { values = {}, sources = {} } = resolved_variables ?? {};
  const given = Object.entries(values).filter(
    ([name, value]) => sources[name] === 'run' && !isCredentialName(name) && isPlain(value),
  );
  return {
    texts: Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
    runs: givenRuns(flags),
  };
}

/** The log has the number of runs in any case, and says which settings nobody typed. */
function givenRuns({ runs, definition }: StoredRun['flags']): string {
  const untyped = isObject(definition) ? definition['untyped'] : undefined;
  const isTyped = Array.isArray(untyped) && !untyped.includes('runs');
  return isTyped && typeof runs === 'number' ? String(runs) : '';
}

function isPlain(value: unknown): boolean {
  return ['boolean', 'number', 'string'].includes(typeof value);
}
