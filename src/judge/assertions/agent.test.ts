import { expect, test } from 'vitest';
import { AttemptError } from '../../errors.ts';
import type { Transcript } from '../../model/agent.ts';
import type { Assertion } from '../../model/case.ts';
import type { Verdict } from '../../model/outcome.ts';
import type { Ask, Subject } from '../assertion.ts';
import { depsFor, subjectOf } from '../judge.fixture.ts';
import { judge } from '../judge.ts';

const POLITE = { type: 'agent', use: 'agents:judge', value: 'is polite' };

/** The verdict of a judge who says this. */
async function verdict(
  fields: object,
  says: unknown,
  transcript: Partial<Transcript> = {},
): Promise<Verdict> {
  const ask: Ask = () => Promise.resolve({ output: says, ...transcript });
  const verdicts = await judge(
    subjectOf('Go away.'),
    [{ ...POLITE, ...fields }],
    depsFor('/nowhere', { ask }),
  );
  return verdicts[0] ?? { type: 'none', status: 'error' };
}

/** What the judge is asked. */
async function question(assertion: Assertion, subject: Subject): Promise<Parameters<Ask>[]> {
  const asked: Parameters<Ask>[] = [];
  const ask: Ask = (...call) => {
    asked.push(call);
    return Promise.resolve({ output: { passed: true } });
  };
  await judge(subject, [assertion], depsFor('/nowhere', { ask }));
  return asked;
}

test('a judge gets the answer, the question and the criteria', async () => {
  expect(await question(POLITE, subjectOf('Go away.'))).toEqual([
    [
      { use: 'agents:judge', connector: undefined },
      { input: { output: 'Go away.', input: 'question', criteria: 'is polite' } },
    ],
  ]);
});

test('a judge gets all that is known of the answer, and its options', async () => {
  const tool_calls = [{ name: 'search', arguments: { query: 'cats' } }];
  const messages = [{ role: 'user', content: 'question' }];
  const options = { connector: 'openai', temperature: 0, metadata: { tone: 'formal' } };
  const value = ['is polite', { id: 'short' }];
  const subject = { ...subjectOf('Go away.', { tool_calls, messages }), expected: 'Please go away.' };
  expect(await question({ type: 'agent', use: 'judge', value, options }, subject)).toEqual([
    [
      { use: 'judge', connector: 'openai' },
      {
        input: {
          output: 'Go away.',
          input: 'question',
          criteria: value,
          expected: 'Please go away.',
          tool_calls,
          messages,
          metadata: { tone: 'formal' },
        },
        metadata: { tone: 'formal' },
        options,
      },
    ],
  ]);
});

test('a connector alone asks the built-in judge', async () => {
  const asked = await question({ type: 'agent', connector: 'local', value: 'is polite' }, subjectOf('x'));
  expect(asked.map(([who]) => who)).toEqual([{ use: undefined, connector: 'local' }]);
});

test('a judge cannot change what the other assertions see', async () => {
  const ask: Ask = (_who, { input }) => {
    // The question of this assertion is an object with the output.
    (input as { output: { a?: number } }).output.a = 2;
    return Promise.resolve({ output: { passed: true } });
  };
  const assertions = [POLITE, { type: 'equals', value: { a: 1 } }];
  expect(await judge(subjectOf({ a: 1 }), assertions, depsFor('/nowhere', { ask }))).toEqual([
    { type: 'agent', status: 'passed' },
    { type: 'equals', status: 'passed' },
  ]);
});

test.each<[string, object, unknown, object]>([
  ['yes', {}, { passed: true }, {}],
  ['yes, as pass', {}, { pass: true }, {}],
  [
    'yes, with a score and a reason',
    {},
    { passed: true, score: 1, reason: 'kind' },
    { score: 1, reason: 'kind' },
  ],
  ['yes, in JSON text', {}, '{"passed": true, "reason": "kind"}', { reason: 'kind' }],
  ['yes, in a fenced block', {}, 'I think:\n```json\n{"passed": true}\n```', {}],
  ['yes, with nothing else to say', {}, { passed: true, score: null, reason: null }, {}],
  ['yes, whatever the score', {}, { passed: true, score: 0.1 }, { score: 0.1 }],
  ['a score that is high enough', { threshold: 0.7 }, { score: 0.7 }, { score: 0.7 }],
  ['yes and a score', { threshold: 0.7 }, { passed: true, score: 0.9 }, { score: 0.9 }],
  ['no, negated', { negate: true }, { passed: false, reason: 'rude' }, { reason: 'rude' }],
])('passes: %s', async (_name, fields, says, measured) => {
  expect(await verdict(fields, says)).toEqual({ type: 'agent', status: 'passed', ...measured });
});

test.each<[string, object, unknown, string, object]>([
  ['no', {}, { passed: false }, 'the judge says no', {}],
  ['no, with a reason', {}, { passed: false, reason: 'rude' }, 'the judge says no: rude', { reason: 'rude' }],
  ['no, with a score', {}, { passed: false, score: 0.9 }, 'the judge says no (score 0.9)', { score: 0.9 }],
  [
    'a score that is too low, even with yes',
    { threshold: 0.7 },
    '{"passed": true, "score": 0.4, "reason": "a bit\\nrude"}',
    'the judge says no (score 0.4, wanted 0.7): a bit rude',
    { score: 0.4, reason: 'a bit\nrude' },
  ],
  [
    'no, even with a score that is high enough',
    { threshold: 0.7 },
    { passed: false, score: 0.8 },
    'the judge says no (score 0.8, wanted 0.7)',
    { score: 0.8 },
  ],
  [
    'yes, negated',
    { negate: true },
    { passed: true, reason: 'kind' },
    '"agent" holds, but is negated',
    { negate: true, reason: 'kind' },
  ],
])('fails: %s', async (_name, fields, says, message, rest) => {
  expect(await verdict(fields, says)).toEqual({
    type: 'agent',
    status: 'failed',
    message,
    expected: 'is polite',
    actual: 'Go away.',
    ...rest,
  });
});

test.each<[string, object, unknown, string]>([
  ['prose', {}, 'It is fine.', 'the judge answered "It is fine.", but must answer {passed, score, reason}'],
  ['nothing', {}, undefined, 'the judge answered nothing, but must answer {passed, score, reason}'],
  ['a boolean', {}, true, 'the judge answered true, but must answer {passed, score, reason}'],
  ['a list', {}, [], 'the judge answered [], but must answer {passed, score, reason}'],
  [
    'no decision',
    {},
    { reason: 'x' },
    'the judge answered {"reason":"x"}, but "passed" must be true or false',
  ],
  ['a score alone', {}, { score: 1 }, 'the judge answered {"score":1}, but "passed" must be true or false'],
  [
    'a word',
    {},
    { passed: 'yes' },
    'the judge answered {"passed":"yes"}, but "passed" must be true or false',
  ],
  [
    'a contradiction',
    {},
    { passed: true, pass: false },
    'the judge answered {"passed":true,"pass":false}, but "passed" and "pass" must be the same',
  ],
  [
    'a score out of range',
    { threshold: 0.7 },
    { passed: true, score: 7 },
    'the judge answered {"passed":true,"score":7}, but "score" must be a number from 0 to 1',
  ],
  [
    'a score in words',
    {},
    { passed: true, score: '1' },
    'the judge answered {"passed":true,"score":"1"}, but "score" must be a number from 0 to 1',
  ],
  [
    'no score to compare',
    { threshold: 0.7 },
    { passed: true },
    'the judge answered {"passed":true}, but "threshold" needs a "score"',
  ],
  [
    'two judgements',
    {},
    'It says {"passed": true}, but {"passed": false,}',
    'the judge answered "It says {\\"passed\\": true}, but {\\"passed\\": false,}", but must give one judgement, not several or parts of one',
  ],
  [
    'a part of a judgement',
    {},
    '[{"passed":true},{"passed":fal',
    'the judge answered "[{\\"passed\\":true},{\\"passed\\":fal", but must answer {passed, score, reason}',
  ],
  [
    'a reason that is no text',
    {},
    { passed: true, reason: {} },
    'the judge answered {"passed":true,"reason":{}}, but "reason" must be a text',
  ],
])('an answer that is unclear is an error, negated or not: %s', async (_name, fields, says, message) => {
  expect(await verdict(fields, says)).toEqual({ type: 'agent', status: 'error', message });
  expect(await verdict({ ...fields, negate: true }, says)).toEqual({
    type: 'agent',
    status: 'error',
    message,
    negate: true,
  });
});

test('a judge that fails is an error, negated or not', async () => {
  const ask: Ask = () => Promise.reject(new AttemptError('connection', 'connection refused'));
  const assertions = [POLITE, { ...POLITE, negate: true, message: 'be kind' }];
  expect(await judge(subjectOf('x'), assertions, depsFor('/nowhere', { ask }))).toEqual([
    { type: 'agent', status: 'error', message: 'the judge failed: connection refused' },
    {
      type: 'agent',
      status: 'error',
      message: 'be kind: the judge failed: connection refused',
      negate: true,
    },
  ]);
});

test('a judge that never answers ends with the attempt', async () => {
  const controller = new AbortController();
  const ask: Ask = () => new Promise(() => controller.abort(new Error('the time is over')));
  const deps = depsFor('/nowhere', { ask, signal: controller.signal });
  expect(await judge(subjectOf('x'), [POLITE], deps)).toEqual([
    { type: 'agent', status: 'error', message: 'the time is over' },
  ]);
});

test('a judgement that cannot be used has its price, too', async () => {
  const took = { usage: { input_tokens: 90, output_tokens: 10 }, cost_usd: 0.01 };
  expect(await verdict({}, 'Fine.', took)).toEqual({
    type: 'agent',
    status: 'error',
    message: 'the judge answered "Fine.", but must answer {passed, score, reason}',
    ...took,
  });
});

test('what judging took is part of the verdict, passed or failed', async () => {
  const took = { usage: { input_tokens: 90, output_tokens: 10 }, cost_usd: 0.01 };
  expect(await verdict({}, { passed: true }, took)).toEqual({ type: 'agent', status: 'passed', ...took });
  expect(await verdict({}, { passed: false }, { ...took, cost_usd: null })).toEqual({
    type: 'agent',
    status: 'failed',
    message: 'the judge says no',
    expected: 'is polite',
    actual: 'Go away.',
    usage: took.usage,
    cost_usd: null,
  });
});

test('a long reason is cut', async () => {
  const { message, reason } = await verdict({}, { passed: false, reason: 'x'.repeat(100_000) });
  expect({ message, reason }).toEqual({
    message: `the judge says no: ${'x'.repeat(300)}…`,
    reason: `${'x'.repeat(4096)}… (100000 characters)`,
  });
});
