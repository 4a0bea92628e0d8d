// One object of a case file in, a case or everything that is wrong with it out.

import { messageOf } from '../../../errors.ts';
import type { CheckDeps } from '../../../judge/assertion.ts';
import { assertionsShape } from '../../../judge/check.ts';
import { isShare } from '../../../judge/fields.ts';
import { transformShape } from '../../../judge/transform.ts';
import { mockProblem } from '../../../scripts/context/mocks.ts';
import type { TestCase } from '../../../model/case.ts';
import { list, object, optional, record, required, withSchemaRules } from '../../../schema/object.ts';
import { describeFlaws } from '../../../schema/problems.ts';
import type { Shape } from '../../../schema/shape.ts';
import { findFlaws } from '../../../schema/shape.ts';
import { anything, boolean, count, name, string, stringFor, that, withRule } from '../../../schema/values.ts';
import { durationPattern, parseDuration } from '../../../text/duration.ts';
import { isObject } from '../../../json/is-object.ts';
import { listSelections } from '../list-selections.ts';
import { inputShape } from './case-input.ts';
import { checkComparing, checkPassScore } from './case-rules.ts';
import { checkContent } from './content.ts';
import { checkConversation, checkpointsShape, id, simulatorShape, turnsShape } from './conversation.ts';

/** Something wrong with a case; the reader of the file knows the line. */
export type CaseProblem = { message: string; hint?: string };

const NO_DEPS: CheckDeps = {};

const duration = withRule(
  stringFor('a duration such as "30s"'),
  (value) => {
    try {
      parseDuration(value);
      return undefined;
    } catch (error) {
      return `is no duration: ${messageOf(error).replace(/^invalid duration /, '')}`;
    }
  },
  { pattern: durationPattern() },
);

const FIELDS = {
  id: required(id, 'Unique in its file'),
  input: optional(
    inputShape,
    'Text, a message, a conversation, or the content parts of one message; not needed with turns',
  ),
  expected: optional(anything, 'The exact answer; "assert" takes precedence'),
  assert: optional(assertionsShape, 'All of them must hold, unless there is a "pass_score"'),
  pass_score: optional(
    that<number>('a number from 0 to 1', { type: 'number', minimum: 0, maximum: 1 }, isShare),
    'The weighted score of the assertions that is enough to pass',
  ),
  transform: optional(
    transformShape,
    'All assertions judge the value of this expression or of scripts.<path>.<Function> instead of the answer',
  ),
  description: optional(string),
  tags: optional(
    list(name, { isEmptyFine: true, expected: 'a list of strings, none of them empty' }),
    'For --tag',
  ),
  user: optional(name, 'User id; -u overrides it'),
  team: optional(name, 'Team id; -t overrides it'),
  metadata: optional(record(anything), 'Reaches the agent as ctx.metadata'),
  options: optional(
    object({ connector: optional(name) }, { others: 'free' }),
    'Reaches the agent as options',
  ),
  skip: optional(boolean),
  timeout: optional(duration, 'A duration: 500ms, 30s, 1h30m'),
  turns: optional(turnsShape, 'A conversation that is written down'),
  simulator: optional(simulatorShape, 'A conversation with an agent that plays the user'),
  checkpoints: optional(checkpointsShape, 'What the conversation has to reach'),
  max_turns: optional(count(1000), '20 unless said otherwise'),
  before: optional(name, 'Function to call before: <module>.<Function> of the assistant, or scripts.…'),
  after: optional(name, 'Function to call after, whatever happened'),
  mocks: optional(
    record(anything, { nameProblem: mockProblem }),
    'Answers in place of members of ctx, such as "search.Web": a value, or a list with a value per call',
  ),
  agent: optional(name, 'The agent that this case is for, as -n takes it; -n overrides it'),
  vars: optional(
    record(anything, { nameProblem: varProblem }),
    'Values of {{name}} in this case; --var overrides them',
  ),
  each: optional(
    withSchemaRules(anything, { type: ['string', 'array', 'object'] }),
    'A file of rows, a list of objects, or lists of values by name, which are combined: one case per row, which has the values of {{name}}',
  ),
};

/** Names of fields in other tools. */
const OTHER_NAMES = {
  answer: 'write "expected"',
  assertions: 'write "assert"',
  defaultTest: 'write {"defaults": {…}} as the first object of the file',
  ideal: 'write "expected"',
  postprocess: 'write "transform"',
  prompt: 'write "input"',
  provider: 'write "agent"; for a model of an assistant, "options": {"connector": "<id>"}',
  providers: 'write "agent" on each case, or run the file once for each agent with -n',
  question: 'write "input"',
  scenarios: 'write "each": one case per row, or per combination of {"name": [values]}',
  scorers: 'write "assert"',
  target: 'write "expected"',
  tests: 'a case file is a list of cases',
  threshold: 'write "pass_score" for a case that passes by the score of its assertions',
};
const fields = object(FIELDS, { otherNames: OTHER_NAMES });

/** The names of all fields of a case. */
export const CASE_FIELDS = Object.keys(FIELDS);

/** A case. Its `input` may be missing if it has `turns`. */
export const caseShape: Shape<Partial<TestCase>> = {
  check(value, findings) {
    fields.check(value, findings);
    // The caller passes objects only.
    const fieldsOfCase = value as Record<string, unknown>;
    const { input, turns, simulator, checkpoints, max_turns, pass_score } = fieldsOfCase;
    if ((turns ?? simulator ?? checkpoints ?? max_turns) !== undefined)
      checkConversation(fieldsOfCase, findings);
    if (pass_score !== undefined) checkPassScore(fieldsOfCase, findings);
    checkComparing(fieldsOfCase, findings);
    if (input === undefined && turns === undefined) findings.missing('input');
    if ([turns, checkpoints].some(hasSelection))
      findings.note('"select_best" compares whole cases, so it belongs into "assert" of the case');
    if (isIdleTransform(value as Partial<TestCase>))
      findings.note('"transform" changes what assertions judge, but the case has none', 'add "assert"');
  },
  schema: fields.schema,
};

/** What is wrong with one field by itself. */
export function findFieldProblems(name: string, value: unknown): CaseProblem[] {
  const field = Object.entries(FIELDS).find(([key]) => key === name)?.[1];
  if (field === undefined) return [];
  const shape = object({ [name]: field });
  return describeFlaws(findFlaws(shape, { [name]: value }), { wrong: 'must be' });
}

/** The id of the one case that a message is. */
const MESSAGE_ID = 'message';

/** The one case that a message is. */
export function messageCase(message: string): TestCase {
  return { id: MESSAGE_ID, input: message };
}

/** The id of what may be a case. */
export function caseId(value: unknown): string | undefined {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** `{{name}}` finds only names of this form. */
function varProblem(name: string): string | undefined {
  if (name === '__proto__') return 'cannot be the name of a variable';
  return undefined;
}

function hasSelection(parts: unknown): boolean {
  return Array.isArray(parts) && parts.some((part) => isObject(part) && listSelections(part).length > 0);
}

function isIdleTransform({ transform, assert, expected, turns, checkpoints }: Partial<TestCase>): boolean {
  if (transform === undefined || assert !== undefined || expected !== undefined) return false;
  const isTurnJudged = Array.isArray(turns) && turns.some((turn) => turn?.assert !== undefined);
  return !isTurnJudged && checkpoints === undefined;
}

/**
 * Checks a whole case. A valid case is returned as it is, without a copy.
 * With a `root`, the scripts that assertions name must exist in it.
 */
export function checkCase(
  value: unknown,
  { root }: CheckDeps = NO_DEPS,
): { case: TestCase } | { problems: CaseProblem[] } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problems: [{ message: 'a case must be an object with "id" and "input"' }] };
  }
  // An object of JSON has string keys only.
  const content = checkContent(value as Record<string, unknown>);
  // No other check may descend into a value that is nested too deep.
  if (content !== undefined) return { problems: [content] };
  const flaws = findFlaws(caseShape, value, root);
  if (flaws.length === 0) return { case: value as TestCase };
  return { problems: describeFlaws(flaws, { wrong: 'must be' }) };
}
