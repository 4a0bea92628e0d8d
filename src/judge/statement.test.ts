import { expect, test } from 'vitest';
import { findStatement } from './statement.ts';

test.each([
  [{ passed: true }, { statement: { passed: true } }],
  ['{"passed": false}', { statement: { passed: false } }],
  ['Sure: {"note": 1} and ```json\n{"passed": true}\n```', { statement: { passed: true } }],
  ['{"passed": true} I repeat: {"passed": true}', { statement: { passed: true } }],
  ['It said {"passed": true}, which is wrong. {"passed": false}', { isAmbiguous: true }],
  ['{"a": {"passed": true}}', {}],
  ['yes', {}],
  [undefined, {}],
])('%j', (output, found) => {
  expect(findStatement(output, ['passed', 'score'])).toEqual(found);
});
