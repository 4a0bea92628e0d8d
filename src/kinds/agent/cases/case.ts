// One object of a case file in, a case or everything that is wrong with it out.

import { messageOf } from '../../../errors.ts';
import type { CheckDeps } from '../../../judge/assertion.ts';
import { checkAssertions } from '../../../judge/check.ts';
import type { TestCase } from '../../../model/case.ts';
import { parseDuration } from '../../../text/duration.ts';
import { didYouMean } from '../../../text/nearest.ts';
import { checkCaseInput } from './case-input.ts';
import { checkContent } from './content.ts';
import { checkConversation, isConversationField } from './conversation.ts';
import { quoted } from './quoted.ts';

/** What is wrong with a case; the place is known to whoever read it. */
export type CaseProblem = { message: string; hint?: string };

const NO_DEPS: CheckDeps = {};

type FieldCheck = (value: unknown) => string | undefined;

/** The fields of a case that take one look to check; `input`, `assert` and conversations are looked at in depth. */
const FIELDS: Record<keyof TestCase, FieldCheck> = {
  after: isName,
  assert: () => undefined,
  before: isName,
  checkpoints: () => undefined,
  description: isText,
  expected: () => undefined,
  id: isId,
  input: () => undefined,
  max_turns: () => undefined,
  metadata: isRecord,
  options: isOptions,
  simulator: () => undefined,
  skip: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
  tags: isTagList,
  team: isName,
  timeout: isDuration,
  turns: () => undefined,
  user: isName,
};

/**
 * Checks one case whole. The value is the case itself when nothing is wrong: no copy is made.
 * With a `root`, the scripts that assertions name must exist below it.
 */
export function checkCase(
  value: unknown,
  deps: CheckDeps = NO_DEPS,
): { case: TestCase } | { problems: CaseProblem[] } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problems: [{ message: 'a case must be an object with "id" and "input"' }] };
  }
  // A million cases go through here, so nothing is allocated for a good one.
  let problems: CaseProblem[] | undefined;
  let isConversation = false;
  // An object of JSON has string keys and no others.
  const fields = value as Record<string, unknown>;
  const content = checkContent(fields);
  // Nothing else may walk through what is too deep.
  if (content !== undefined) return { problems: [content] };
  for (const name in fields) {
    const field = fields[name];
    if (name === 'input') problems = join(problems, checkCaseInput(field));
    else if (name === 'assert') problems = join(problems, checkAssertions(field, deps));
    else if (isConversationField(name)) isConversation = true;
    else {
      const problem = checkField(name, field);
      if (problem !== undefined) problems = join(problems, [problem]);
    }
  }
  if (fields['id'] === undefined) problems = join(problems, [{ message: '"id" is missing' }]);
  if (isConversation) problems = join(problems, checkConversation(fields, deps));
  if (fields['input'] === undefined && fields['turns'] === undefined)
    problems = join(problems, [{ message: '"input" is missing' }]);
  // Every field was checked above.
  return problems === undefined ? { case: fields as TestCase } : { problems };
}

function checkField(name: string, value: unknown): CaseProblem | undefined {
  if (!Object.hasOwn(FIELDS, name)) {
    const hint = didYouMean(name, Object.keys(FIELDS));
    return { message: `unknown field ${quoted(name)}`, ...(hint === undefined ? {} : { hint }) };
  }
  // One of the keys of FIELDS, as the line above makes sure.
  const problem = FIELDS[name as keyof TestCase](value);
  return problem === undefined ? undefined : { message: `"${name}" ${problem}` };
}

function join(all: CaseProblem[] | undefined, more: readonly CaseProblem[]): CaseProblem[] | undefined {
  if (more.length === 0) return all;
  return all === undefined ? [...more] : [...all, ...more];
}

function isText(value: unknown): string | undefined {
  return typeof value === 'string' ? undefined : 'must be a string';
}

function isName(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  return value === '' ? 'must not be empty' : undefined;
}

function isId(value: unknown): string | undefined {
  if (typeof value === 'number') return `must be a string: write "${value}"`;
  if (typeof value !== 'string') return 'must be a string';
  return value.trim() === '' ? 'must not be empty' : undefined;
}

function isRecord(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? undefined
    : 'must be an object';
}

function isOptions(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object';
  const isFine = !('connector' in value) || (typeof value.connector === 'string' && value.connector !== '');
  return isFine ? undefined : 'has a "connector" that is no name';
}

function isTagList(value: unknown): string | undefined {
  const isList = Array.isArray(value) && value.every((tag) => typeof tag === 'string' && tag !== '');
  return isList ? undefined : 'must be a list of strings, none of them empty';
}

function isDuration(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a duration such as "30s"';
  try {
    parseDuration(value);
    return undefined;
  } catch (error) {
    return `is no duration: ${messageOf(error).replace(/^invalid duration /, '')}`;
  }
}
