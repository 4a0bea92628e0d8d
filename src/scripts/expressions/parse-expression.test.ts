import { expect, test } from 'vitest';
import { parseExpression } from './parse-expression.ts';

test.each([
  'output.total > 3 && output.items.length < vars.max',
  '{"pass": true, "score": 1}',
  'output // the answer',
  '(1) + (2)',
  'await output',
  '(() => { return 1; })()',
])('%s is an expression', (code) => {
  expect(parseExpression(code)).toEqual({ type: 'expression', code });
});

test('a final semicolon is no part of an expression', () => {
  expect(parseExpression(' output.length > 3; ')).toEqual({ type: 'expression', code: 'output.length > 3' });
});

test.each([
  'return output === 1',
  'const n = output.length;\nreturn n > 3;',
  'if (output) { return true; }\nreturn false',
  'for (const item of output) if (item === 1) return true; return false;',
])('%s is the body of a function', (code) => {
  expect(parseExpression(code)).toEqual({ type: 'body', code });
});

test.each([
  ['', 'it is empty'],
  [' \n', 'it is empty'],
  ['output.total >', 'it ends too early'],
  ['if (output) {\n  return true;', 'it ends too early'],
  ['output..total', 'Unexpected token (line 1, column 8)'],
  ['1) + (2', 'Unexpected token (line 1, column 2)'],
  ['const n = 1;\nreturn n >> > 3', 'Unexpected token (line 2, column 13)'],
  ['const n = output.length; n > 3', 'it has statements, but returns nothing: add "return"'],
  ['if (output) { (() => { return true; })(); }', 'it has statements, but returns nothing: add "return"'],
  ['function check() { return true; }', 'it is a function, which is never called: write only its body'],
  ['(output) => output > 3', 'it is a function, which is never called: write only its body'],
  ['import fs from "node:fs"', 'Unexpected token (line 1, column 8)'],
])('%s has a problem, with its place', (code, problem) => {
  expect(parseExpression(code)).toEqual({ problem });
});
