import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Assertion } from '../../model/case.ts';
import { findProblems } from '../../schema/problems.ts';
import type { Ask, Subject } from '../assertion.ts';
import { assertionsShape } from '../check.ts';
import { depsFor, subjectOf } from '../judge.fixture.ts';
import { judge } from '../judge.ts';
import { PROMPTS } from './prompts.ts';

const SUBJECT: Subject = {
  ...subjectOf('Paris', { answer_metadata: { pages: ['Paris is the capital.'] } }),
  expected: 'It is Paris.',
  vars: { document: 'France: Paris.' },
  metadata: { source: { text: 'metadata text' } },
};

/** What the judge is asked, and the verdict if it says no. */
async function asked(fields: Partial<Assertion>, subject = SUBJECT) {
  let question: unknown;
  const ask: Ask = (_who, { input }) => {
    question = input;
    return Promise.resolve({ output: { passed: false, score: 0.2 } });
  };
  const assertion = { type: 'agent', connector: 'local', ...fields };
  const verdicts = await judge(subject, [assertion], depsFor('/nowhere', { ask }));
  return { question, verdicts };
}

const SHARED = { output: 'Paris', input: 'question', expected: 'It is Paris.' };

test.each<[string, Partial<Assertion>, object]>([
  ['factual', {}, { reference: 'It is Paris.' }],
  ['factual', { value: 'Paris is it.' }, { reference: 'Paris is it.' }],
  ['faithful', { context: 'A text about Paris.' }, { context: 'A text about Paris.' }],
  ['faithful', { context: 'output of the search: Paris' }, { context: 'output of the search: Paris' }],
  ['faithful', { context: 'vars.document' }, { context: 'France: Paris.' }],
  ['faithful', { context: 'metadata.source.text' }, { context: 'metadata text' }],
  ['faithful', { context: 'answer_metadata.pages[0]' }, { context: 'Paris is the capital.' }],
  [
    'g_eval',
    { value: 'is short', steps: ['count the words'] },
    { goal: 'is short', steps: ['count the words'] },
  ],
  ['refuses', {}, {}],
  ['relevant', {}, {}],
])('%s %j asks with its criteria', async (preset, fields, more) => {
  const { question } = await asked({ preset, ...fields });
  expect(question).toEqual({ ...SHARED, criteria: PROMPTS[preset as keyof typeof PROMPTS], ...more });
});

test('score and threshold decide as without a preset; a failure shows the reference', async () => {
  expect((await asked({ preset: 'factual', threshold: 0.5 })).verdicts).toEqual([
    {
      type: 'agent',
      status: 'failed',
      message: 'the judge says no to "factual" (score 0.2, wanted 0.5)',
      expected: 'It is Paris.',
      actual: 'Paris',
      score: 0.2,
    },
  ]);
});

test('a case without what the preset needs is an error, and the judge is not asked', async () => {
  expect(await asked({ preset: 'factual' }, subjectOf('Paris'))).toEqual({
    question: undefined,
    verdicts: [
      {
        type: 'agent',
        status: 'error',
        message: '"factual" has nothing to compare with: add "value", or "expected" to the case',
      },
    ],
  });
  expect((await asked({ preset: 'faithful', context: 'vars.documnet' })).verdicts).toEqual([
    { type: 'agent', status: 'error', message: '"faithful" has no context: there is no vars.documnet' },
  ]);
});

test.each<[Partial<Assertion>, string[]]>([
  [{ preset: 'factual' }, []],
  [{ preset: 'factual', value: 42 }, []],
  [{ preset: 'g_eval', steps: ['a'] }, []],
  [{ preset: 'g_eval' }, ['the preset "g_eval" needs "steps" or a "value"']],
  [{ preset: 'faithful' }, ['the preset "faithful" needs a "context"']],
  [
    { preset: 'relevant', value: 'x', steps: ['a'] },
    ['the preset "relevant" has no "steps"', 'the preset "relevant" has no "value"'],
  ],
  [{ value: 'x', steps: ['a'] }, ['"agent" has "steps" only with a preset']],
  [{ preset: 'factual', steps: [] }, ['"steps" is an empty list', 'the preset "factual" has no "steps"']],
  [{ preset: 'fatcual' }, ['"preset" must be "factual", "faithful", "g_eval", "refuses" or "relevant"']],
])('%j is checked before anything runs', (fields, problems) => {
  const assertion = { type: 'agent', connector: 'local', ...fields };
  const found = findProblems(assertionsShape, assertion, { wrong: 'must be' });
  expect(found.map(({ message }) => message)).toEqual(problems);
});

test('the documentation has every prompt word for word', () => {
  const page = readFileSync('docs/assertions.md', 'utf8');
  const sections = page.matchAll(/^### (\w+)\n.*?^```\n(.*?)\n```$/gms);
  expect(Object.fromEntries([...sections].map(([, name, text]) => [name, text]))).toEqual(PROMPTS);
});
