// script: a function of the user judges the answer.

import { checkScript } from '../../scripts/check-function.ts';
import { readPythonReference } from '../../scripts/python-reference.ts';
import type { AssertionType } from '../assertion.ts';
import { NO_PROBLEMS } from '../assertion.ts';
import { THRESHOLD, VALUE } from '../fields.ts';
import { optional, withSchemaRules } from '../../schema/object.ts';
import { anything } from '../../schema/values.ts';

/** Calls the function with (output, input, expected); it returns a boolean, a score or `{pass, score, message}`. */
export const script: AssertionType = {
  fields: {
    script: optional(
      withSchemaRules(anything, { type: 'string' }),
      'scripts.<path>.<Function> or <file>.py:<function>, for script',
    ),
    threshold: THRESHOLD,
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
  async judge(assertion, subject, deps) {
    const { judgeScript } = await import('../user-code/judge-script.ts');
    return judgeScript(assertion, subject, deps);
  },
};
