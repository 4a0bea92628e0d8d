// script: a function of the user judges the answer.

import { checkScript } from '../../scripts/call-function.ts';
import { readPythonReference } from '../../scripts/python-reference.ts';
import type { AssertionType, Judgement } from '../assertion.ts';
import { NO_PROBLEMS, PASS } from '../assertion.ts';
import { quote } from '../../text/quote.ts';
import { isObject } from '../../json/is-object.ts';
import { VALUE } from '../fields.ts';
import { optional, withSchemaRules } from '../../schema/object.ts';
import { anything } from '../../schema/values.ts';

/** Calls the function with (output, input, expected); it returns a boolean or `{pass, message}`. */
export const script: AssertionType = {
  fields: {
    script: optional(
      withSchemaRules(anything, { type: 'string' }),
      'scripts.<path>.<Function> or <file>.py:<function>, for script',
    ),
    value: VALUE,
  },
  check({ script: reference }, { root }) {
    if (typeof reference !== 'string' || reference === '') {
      return [
        { message: '"script" needs the name of a function as "script", such as "scripts.test.Validate"' },
      ];
    }
    const python = readPythonReference(reference);
    // Its file may lie beside the cases, so it is checked with the other references of the case file.
    if (python?.name !== undefined) return NO_PROBLEMS;
    if (python !== undefined)
      return [{ message: `"${reference}" needs a function, such as "${reference}:is_polite"` }];
    const problem = root === undefined ? undefined : checkScript(reference, { root });
    return problem === undefined ? NO_PROBLEMS : [{ message: problem }];
  },
  place: () => 'here',
  async judge({ script: reference = '', value }, { output, input, expected }, deps) {
    const wanted = value === undefined ? expected : value;
    const result = await deps.callScript(reference, [output, input, wanted]);
    const { pass, message } = readResult(reference, result);
    if (pass) return PASS;
    return { pass, message: message ?? `${reference} says no`, expected: wanted, actual: output };
  },
};

function readResult(reference: string, result: unknown): Pick<Judgement, 'pass' | 'message'> {
  if (typeof result === 'boolean') return { pass: result };
  if (isObject(result) && typeof result['pass'] === 'boolean') {
    const { pass, message } = result;
    return typeof message === 'string' && message !== '' ? { pass, message } : { pass };
  }
  throw new Error(`${reference} returned ${quote(result)}, but must return a boolean or {pass, message}`);
}
