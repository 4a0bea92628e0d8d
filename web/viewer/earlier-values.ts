// The form values of an earlier run, for starting it again with the same values.

import { isObject } from '../../src/json/is-object.ts';
import { isCredentialName } from '../../src/secrets/credential-name.ts';
import type { StoredRun } from '../../src/history/store/store.ts';
import type { Texts } from './fields.ts';

export type EarlierValues = { texts: Texts; runs: string };

/** Only values set by the run itself; the others come from suite, test and type again. */
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

/** The number of runs, unless the log marks it as coming from a definition. */
function givenRuns({ runs, definition }: StoredRun['flags']): string {
  const untyped = isObject(definition) ? definition['untyped'] : undefined;
  const isTyped = Array.isArray(untyped) && !untyped.includes('runs');
  return isTyped && typeof runs === 'number' ? String(runs) : '';
}

function isPlain(value: unknown): boolean {
  return ['boolean', 'number', 'string'].includes(typeof value);
}
