import { Ajv } from 'ajv';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { list, object, oneOrMore, optional, record, required } from './object.ts';
import { findProblems } from './problems.ts';
import type { Infer } from './shape.ts';
import { findFlaws, matches } from './shape.ts';
import {
  anything,
  boolean,
  count,
  name,
  nullable,
  number,
  oneOf,
  scalar,
  string,
  text,
  variants,
  withRule,
} from './values.ts';

const step = object({ run: required(name), only: optional(oneOf('a', 'b')) });
const plan = object({
  id: required(text, 'Unique in its file.', 'write "id": "…"'),
  steps: optional(oneOrMore(step)),
  tags: optional(list(string, { isEmptyFine: true })),
  limits: optional(record(nullable(count(10)))),
  ratio: optional(number),
  variables: optional(object({ variables: required(record(scalar)) })),
  isDry: optional(boolean),
  note: optional(
    variants<string | number>([string, number], (value) => (typeof value === 'string' ? string : number)),
  ),
  even: optional(
    withRule(number, (value) => (value % 2 === 0 ? undefined : 'must be even'), { multipleOf: 2 }),
  ),
  extra: optional(anything),
});

type Plan = Infer<typeof plan>;

describe('findProblems', () => {
  const bad = {
    stepz: 1,
    steps: [{ run: '' }, { run: 'x', only: 'c' }, 7],
    tags: 'a',
    limits: { a: 1, b: 11, c: null },
    variables: { Name: 'x' },
    isDry: 'no',
    note: [],
    even: 3,
  };

  test('puts everything that is wrong into words, in the order of the fields, missing ones last', () => {
    expect(findProblems(plan, bad, { wrong: 'expected, got' })).toEqual([
      { message: 'unknown field "stepz"', hint: 'did you mean "steps"?' },
      { message: '"steps[0].run" must not be empty' },
      { message: 'steps[1].only: expected "a" or "b", got "c"', hint: 'did you mean "a"?' },
      { message: 'steps[2]: expected an object, got 7' },
      { message: 'tags: expected a list, got "a"' },
      { message: 'limits.b: expected a whole number from 1 to 10, got 11' },
      { message: 'unknown field "variables.Name"', hint: 'write "Name" into a further "variables" in here' },
      { message: '"variables.variables" is missing' },
      { message: 'isDry: expected true or false, got "no"' },
      { message: 'note: expected a number, got []' },
      { message: '"even" must be even' },
      { message: '"id" is missing', hint: 'write "id": "…"' },
    ]);
  });

  test('shows no values where they may be secret, and says where', () => {
    const at = (path: readonly string[]): string => `plan.yml:${path.join('/')}`;
    expect(findProblems(plan, { id: 'x', steps: [{ run: 5 }] }, { wrong: 'expected', at })).toEqual([
      { message: 'steps[0].run: expected a string', at: 'plan.yml:steps/0/run' },
    ]);
    expect(findProblems(plan, [], { wrong: 'must be', whole: 'the plan', at })).toEqual([
      { message: 'the plan must be an object', at: 'plan.yml:' },
    ]);
  });

  test('lists the known fields if none is near, and says so if quotes are missing', () => {
    expect(findProblems(step, { run: 'x', zzzzzzzz: 1 }, { wrong: 'must be' })).toEqual([
      { message: 'unknown field "zzzzzzzz"', hint: 'it may have run, only' },
    ]);
    expect(findProblems(oneOf('1.0'), 1, { wrong: 'expected, got' })).toEqual([
      { message: 'expected "1.0", got 1', hint: 'write it in quotes' },
    ]);
    expect(findProblems(list(string), [], { wrong: 'must be', whole: 'it' })).toEqual([
      { message: 'it is an empty list' },
    ]);
  });

  test('other fields may be free, or refused only if they look like a typing mistake', () => {
    const fields = { servers: optional(string) };
    const value = { servrs: 1, prompts: 1 };
    expect(findFlaws(object(fields, { others: 'free' }), value)).toEqual([]);
    expect(findFlaws(object(fields, { others: 'typos-refused' }), value)).toEqual([
      { type: 'unknown', path: ['servrs'], hint: 'did you mean "servers"?' },
    ]);
  });
});

test('a check inside a check keeps its own path', () => {
  const outer = object({
    a: required(withRule(anything, (value) => (matches(step, value) ? undefined : 'is no step'))),
  });
  expect(findProblems(outer, { a: {} }, { wrong: 'must be' })).toEqual([{ message: '"a" is no step' }]);
});

test('the type is inferred', () => {
  const whole: Plan = {
    id: 'x',
    steps: [{ run: 'a', only: 'b' }],
    limits: { a: 1, b: null },
    variables: { variables: { Name: true } },
    note: 1,
  };
  // @ts-expect-error -- "id" is required
  const withoutId: Plan = { tags: [] };
  // @ts-expect-error -- "c" is not a choice
  const wrongChoice: Plan = { id: 'x', steps: { run: 'a', only: 'c' } };
  expect([whole, withoutId, wrongChoice].map((value) => matches(plan, value))).toEqual([true, false, false]);
});

describe('the JSON Schema', () => {
  const validate = new Ajv({ allowUnionTypes: true }).compile(plan.schema());

  test('agrees with the check on values that are nearly right', () => {
    const leaf = fc.oneof(
      fc.jsonValue({ maxDepth: 1 }),
      fc.constantFrom('a', 'b', 'x', '', ' ', 0, 1, 2, 10, 11, 1.5),
    );
    const steps = fc.record({ run: leaf, only: leaf }, { requiredKeys: [] });
    const field = fc.oneof(
      leaf,
      steps,
      fc.array(fc.oneof(steps, leaf), { maxLength: 3 }),
      fc.dictionary(
        fc.constantFrom('a', 'variables'),
        fc.oneof(leaf, fc.dictionary(fc.constantFrom('x', 'y'), leaf)),
      ),
    );
    const names = ['id', 'steps', 'tags', 'limits', 'ratio', 'variables', 'isDry', 'note', 'even', 'extra'];
    const fields = Object.fromEntries(names.map((key) => [key, field]));
    const values = fc.oneof(
      fc.record({ ...fields, id: fc.constantFrom<unknown>('x', 'y', ' ', 1) }, { requiredKeys: ['id'] }),
      fc.dictionary(fc.constantFrom(...names, 'other'), field),
      leaf,
    );
    fc.assert(
      fc.property(values, (value) => {
        expect(validate(value)).toBe(matches(plan, value));
      }),
      { numRuns: 500 },
    );
  });

  test('describes the fields', () => {
    expect(step.schema()).toEqual({
      type: 'object',
      properties: { run: { type: 'string', minLength: 1 }, only: { enum: ['a', 'b'] } },
      required: ['run'],
      additionalProperties: false,
    });
    expect(object({ id: required(text, 'Unique.') }, { others: 'free' }).schema()).toEqual({
      type: 'object',
      properties: { id: { type: 'string', pattern: '\\S', description: 'Unique.' } },
      required: ['id'],
    });
  });
});
