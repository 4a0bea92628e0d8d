import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findReply } from './find-reply.ts';

const FIELDS = ['passed', 'pass', 'score'];
const NO = { reply: { passed: false } };
const YES = { reply: { passed: true } };
const AMBIGUOUS = { isAmbiguous: true };

test.each([
  [{ passed: true }, YES],
  ['{"passed": false}', NO],
  ['Sure: {"note": 1} and ```json\n{"passed": true}\n```', YES],
  ['{"passed": true} I repeat: {"passed": true}', YES],
  ['It said {"passed": true}, which is wrong. {"passed": false}', AMBIGUOUS],
  ['{"a": {"passed": true}}', {}],
  ['{"quoted": {"passed": false, "n": 1}} {"passed": false}', NO],
  [
    '{"criteria": [{"passed": true}], "passed": false}',
    { reply: { criteria: [{ passed: true }], passed: false } },
  ],
  ['I set passed: false, and passed=False. {"passed": false}', NO],
  [
    '{"passed": false, "reason": "it said \\"passed\\": true"}',
    { reply: { passed: false, reason: 'it said "passed": true' } },
  ],
  ['Use {name}, [see below], {{x}} or [1]: [verdict: {"passed": true}]', YES],
  ['The answer {"a": 1,} is no JSON, nor is [1, x]. {"passed": false}', NO],
  ['The score: low. Passed: no. {"passed": false}', NO],
  [`${'{"n": [1]} '.repeat(30)}{"passed": false}`, NO],
  ['yes', {}],
  [undefined, {}],
])('reads what is said: %j', (output, found) => {
  expect(findReply(output, FIELDS)).toEqual(found);
});

test.each([
  ['{"quoted":{"passed":true,"score":1},"passed":fal', {}],
  ['{"criteria":[{"name":"polite","passed":true,"score":1},{"name":"kind","passed":false', {}],
  ['[{"passed":true},{"passed":fal', {}],
  ['[{"passed":true}, …]', {}],
  ['[1, {"passed":true}', {}],
  ['{"note": "it said "no"", "quoted": {"passed": true}', {}],
  ['{"note": "a } "b"", "quoted": {"passed": true}', {}],
  ['{\'quoted\': {"passed": true}}', {}],
  ['{quoted: {"passed": true}}', {}],
  ['{"passed": true', {}],
  ['It said {"passed": true}. I say {"', AMBIGUOUS],
  ['It said {"passed": true}. I say [{"name": "polite"', AMBIGUOUS],
])('what breaks off says nothing: %s', (output, found) => {
  expect(findReply(output, FIELDS)).toEqual(found);
});

test.each([
  'It said {"passed": true, "score": 1}, but I say {"passed": false, "score": 0, "reason": "it says "yes" only"}',
  'It said {"passed": true}, but I say {\'passed\': False}',
  'It said {"passed": true}, but I say\n```json\n{"passed": false,}\n```',
  'It said {"passed": true}, but I say {passed: false}',
  'It said {"passed": true}, but I say “passed”: false',
  'It said {"passed": true}, but I say "{\\"passed\\": false}"',
  'It said {"passed": true}, but I say [{"passed": false}]',
  'It said {"passed": true}, but "score" : 0',
  `{"passed": true} ${'{} '.repeat(30)}{"passed": false}`,
  '{"passed":false,"passed":true}',
  'It begins "<think>". I say {"passed": false}. It ends "</think> {"passed": true}"',
  '{"passed": true} <think>{"passed": false}</think>',
  '{"result": {"passed": false}} {"passed": true}',
  '{"result": [[{"passed": false}]]} {"passed": true}',
  '{"passed": true} ["passed", false]',
  '{"passed": true} dict(passed=False)',
  '{"passed": true} {&quot;passed&quot;: false}',
  '{"passed": true} {`passed`: false}',
  '{"passed": true}\npassed: false',
  '{"score": 0.9} score: 0.1',
  '{"passed":true, "reason": {"a": ["}"]}, "p\\u0061ssed" : true}',
])('nobody knows what is meant: %s', (output) => {
  expect(findReply(output, FIELDS)).toEqual(AMBIGUOUS);
});

test.each([
  ['<think>If polite then {"passed": true}</think> No verdict possible.', {}],
  ['<think>If polite then {"passed": true}</think>{"passed": false}', NO],
  ['<think>"passed": true, or { not</think>\n```json\n{"passed": false}\n```', NO],
  ['<THINKING>{"passed": true}</THINKING> <think>{"passed": true}</think>{"passed": false}', NO],
  ['{"passed": false} <think>I am done.</think>', NO],
  ['<think>Perhaps {"passed": true}', {}],
  ['{"passed": true} <think>Or perhaps', AMBIGUOUS],
  ['If polite then {"passed": true}</think> No verdict possible.', {}],
  ['Let me see.</think>{"passed": false}', NO],
  ['If polite then {"passed": true}</think>{"passed": false}', AMBIGUOUS],
  ['<think>It says </think>{"passed": true}, which is a trick.</think> No verdict possible.', {}],
  [
    '{"passed": false, "reason": "a <think> and a </think>"}',
    { reply: { passed: false, reason: 'a <think> and a </think>' } },
  ],
])('a thought is no reply: %s', (output, found) => {
  expect(findReply(output, FIELDS)).toEqual(found);
});

test('hostile texts take linear time', () => {
  const pieces = [
    '{',
    '[',
    '[ ',
    '[1,',
    '{"a":',
    '{"a',
    '["',
    '["[',
    '"{',
    '{a',
    '{} ',
    '[x]',
    '{"a",}',
    '<think>',
    '</think>',
    '{}</think>',
    '{"\\"',
    '{"passed":',
  ];
  for (const piece of pieces) {
    const started = performance.now();
    expect(findReply(piece.repeat(Math.ceil(1e6 / piece.length)), FIELDS)).toEqual({});
    expect({ piece, tooSlow: performance.now() - started > 3000 }).toEqual({ piece, tooSlow: false });
  }
});

test('a reply in prose is read, and no part of it is one', () => {
  const prose = fc.string({ unit: 'binary' }).map((text) => text.replace(/[[\]{}<:]/g, ''));
  const reason = fc.oneof(fc.string(), fc.jsonValue(), fc.constant({ passed: true }));
  fc.assert(
    fc.property(prose, reason, fc.boolean(), fc.nat(), prose, (before, why, passed, length, after) => {
      const json = JSON.stringify({ why, passed });
      expect(findReply(`${before}${json}${after}`, FIELDS)).toEqual({ reply: JSON.parse(json) });
      expect(findReply(`${before}${json.slice(0, length % json.length)}`, FIELDS)).toEqual({});
    }),
    { numRuns: 1000 },
  );
});
