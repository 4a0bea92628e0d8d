import { expect, test } from 'vitest';
import type { Assertion } from '../../model/case.ts';
import type { Verdict } from '../../model/outcome.ts';
import { depsFor, subjectOf, verdictOn } from '../judge.fixture.ts';
import { judge, judgedElsewhere } from '../judge.ts';
import { collectReferences } from '../references.ts';

const PASSING: Assertion = { type: 'contains', value: 'fine' };
const FAILING: Assertion = { type: 'contains', value: 'bad' };
/** The agent reports no cost, so that it cannot be judged. */
const UNCLEAR: Assertion = { type: 'cost', value: 1 };

const PASSED: Verdict = { type: 'contains', status: 'passed' };
const FAILED: Verdict = {
  type: 'contains',
  status: 'failed',
  message: 'the answer does not contain "bad"',
};
const ERROR: Verdict = { type: 'cost', status: 'error', message: expect.any(String) };

const verdictOf = (type: string, ...value: Assertion[]) => verdictOn('all is fine', { type, value });

test.each<[string, Assertion[], Verdict[]]>([
  ['any_of', [FAILING, PASSING], [FAILED, PASSED]],
  ['any_of', [UNCLEAR, PASSING], [ERROR, PASSED]],
  ['any_of', [UNCLEAR, FAILING, PASSING], [ERROR, FAILED, PASSED]],
  ['all_of', [PASSING, PASSING], [PASSED, PASSED]],
])('%s passes with %j', (type, assertions, verdicts) => {
  expect(verdictOf(type, ...assertions)).toEqual({ type, status: 'passed', verdicts });
});

test.each<[string, Assertion[], Verdict[], string]>([
  [
    'any_of',
    [FAILING, FAILING],
    [FAILED, FAILED],
    'none of 2 holds: contains: the answer does not contain "bad" (and 1 more)',
  ],
  [
    'all_of',
    [PASSING, FAILING],
    [PASSED, FAILED],
    '1 of 2 do not hold: contains: the answer does not contain "bad"',
  ],
  [
    'all_of',
    [UNCLEAR, FAILING],
    [ERROR, FAILED],
    '1 of 2 do not hold: contains: the answer does not contain "bad"',
  ],
])('%s fails with %j', (type, assertions, verdicts, message) => {
  expect(verdictOf(type, ...assertions)).toEqual({ type, status: 'failed', message, verdicts });
});

test.each<[string, Assertion[], Verdict[]]>([
  ['any_of', [UNCLEAR, FAILING], [ERROR, FAILED]],
  ['all_of', [PASSING, UNCLEAR], [PASSED, ERROR]],
])('%s is an error with %j: the result depends on it', (type, assertions, verdicts) => {
  const verdict = { type, status: 'error', verdicts };
  const message = expect.stringMatching(/^1 of 2 could not be judged: cost: /);
  expect(verdictOf(type, ...assertions)).toEqual({ ...verdict, message });
  // And negation does not change it.
  expect(verdictOn('all is fine', { type, value: assertions, negate: true })).toEqual({
    ...verdict,
    message,
    negate: true,
  });
});

test('negate turns the whole round, and assertions inside turn by themselves', () => {
  const value = [{ ...FAILING, negate: true }, PASSING];
  expect(verdictOn('all is fine', { type: 'all_of', value })).toEqual({
    type: 'all_of',
    status: 'passed',
    verdicts: [PASSED, PASSED],
  });
  expect(verdictOn('all is fine', { type: 'all_of', value, negate: true })).toEqual({
    type: 'all_of',
    status: 'failed',
    message: '"all_of" holds, but is negated',
    negate: true,
    expected: value,
    actual: 'all is fine',
    verdicts: [PASSED, PASSED],
  });
});

test('combinators combine combinators', () => {
  const value = [FAILING, { type: 'all_of', value: [PASSING] }];
  expect(verdictOn('all is fine', { type: 'any_of', value })).toEqual({
    type: 'any_of',
    status: 'passed',
    verdicts: [FAILED, { type: 'all_of', status: 'passed', verdicts: [PASSED] }],
  });
});

test('the costs of judges inside are added up, also if one of them fails', async () => {
  const spent = { usage: { input_tokens: 3, output_tokens: 1 }, cost_usd: 0.1 };
  const ask = (reply: string) => () => Promise.resolve({ output: reply, ...spent });
  const assertion: Assertion = {
    type: 'all_of',
    value: [
      { type: 'agent', use: 'judge', value: 'a' },
      { type: 'agent', use: 'judge', value: 'b' },
    ],
  };
  const total = { usage: { input_tokens: 6, output_tokens: 2 }, cost_usd: 0.2 };
  const verdictsWith = async (reply: string) =>
    judge(subjectOf('x'), [assertion], depsFor('/nowhere', { ask: ask(reply) }));
  expect(await verdictsWith('{"passed": true, "score": 0.9}')).toEqual([
    {
      type: 'all_of',
      status: 'passed',
      verdicts: [
        { type: 'agent', status: 'passed', score: 0.9 },
        { type: 'agent', status: 'passed', score: 0.9 },
      ],
      ...total,
    },
  ]);
  expect(await verdictsWith('no idea')).toMatchObject([{ type: 'all_of', status: 'error', ...total }]);
});

test('the log keeps the first fifty verdicts; all of them decide', () => {
  const value = [...Array.from({ length: 60 }, () => PASSING), FAILING];
  const verdict = verdictOn('all is fine', { type: 'all_of', value });
  expect(verdict.status).toBe('failed');
  expect(verdict.message).toBe('1 of 61 do not hold: contains: the answer does not contain "bad"');
  expect(verdict.verdicts).toEqual(Array.from({ length: 50 }, () => PASSED));
});

test('agents, connectors and scripts inside are found before the run', () => {
  const value: Assertion[] = [
    { type: 'script', script: 'scripts.a.B' },
    {
      type: 'all_of',
      value: [
        { type: 'agent', use: 'judge', value: 'x' },
        { type: 'schema', value: true },
      ],
    },
  ];
  expect(collectReferences([{ type: 'any_of', value }])).toEqual({
    agents: ['judge'],
    connectors: [],
    embedders: [],
    scripts: ['scripts.a.B'],
    commands: [],
  });
  expect(judgedElsewhere({ id: 'a', input: 'b', assert: { type: 'any_of', value } })).toEqual({
    apart: true,
    asks: true,
  });
});
