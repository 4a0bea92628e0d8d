import { isObject } from '../json/is-object.ts';
import type { Assertion } from '../model/case.ts';
import { isName } from './fields.ts';

/** The name of an assertion's connector: its own field, else the one in its options. */
export function connectorName({ connector, options }: Assertion): string | undefined {
  const named = connector ?? (isObject(options) ? options['connector'] : undefined);
  return isName(named) ? named : undefined;
}
