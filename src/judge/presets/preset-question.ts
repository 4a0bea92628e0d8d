// A preset of `agent` and an answer in, the part of the judge's question that depends on the preset out.

import type { Assertion } from '../../model/case.ts';
import { followPath, parsePlainPath } from '../../json/plain-path.ts';
import type { Subject } from '../assertion.ts';
import type { PresetName } from './prompts.ts';
import { PROMPTS } from './prompts.ts';

/** Where a path of `context` may begin. */
const CONTEXT_PATH = /^(?:vars|metadata|answer_metadata|output)(?:[.[]|$)/;

/** The criteria, and the fields that they talk about. Throws if the case lacks something that the preset needs. */
export function presetQuestion(assertion: Assertion, subject: Subject): Record<string, unknown> {
  // The check before the run has made sure of the name.
  const preset = assertion['preset'] as PresetName;
  const question = { criteria: PROMPTS[preset] };
  switch (preset) {
    case 'factual': {
      const reference = assertion.value === undefined ? subject.expected : assertion.value;
      if (reference === undefined)
        throw new Error('"factual" has nothing to compare with: add "value", or "expected" to the case');
      return { ...question, reference };
    }
    case 'faithful':
      return { ...question, context: readContext(assertion['context'], subject) };
    case 'g_eval': {
      const { value: goal, steps } = assertion;
      return { ...question, ...(goal !== undefined && { goal }), ...(steps !== undefined && { steps }) };
    }
    case 'refuses':
    case 'relevant':
      return question;
  }
}

/** A text, or the value at a path such as `vars.document`. */
function readContext(context: unknown, { output, vars = {}, metadata = {}, transcript }: Subject): unknown {
  if (typeof context !== 'string' || !CONTEXT_PATH.test(context)) return context;
  const path = parsePlainPath(context);
  // A sentence that begins with such a word.
  if (path === undefined) return context;
  const { answer_metadata = {} } = transcript;
  const found = followPath({ output, vars, metadata, answer_metadata }, path);
  if ('value' in found) return found.value;
  throw new Error(`"faithful" has no context: there is no ${context}`);
}
