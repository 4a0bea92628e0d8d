import { expect, test } from 'vitest';
import { evaluate } from '../../scripts/expressions/evaluate.ts';
import { toExpression } from './javascript.ts';

const convert = (source: string, options: Partial<Parameters<typeof toExpression>[1]> = {}) =>
  toExpression(source, { threshold: undefined, isStructured: false, isNegated: false, ...options });

/** What an assertion gives on an answer. */
async function verdict(
  source: string,
  output: unknown,
  options?: Parameters<typeof convert>[1],
): Promise<unknown> {
  const converted = convert(source, options);
  if (!('code' in converted)) return converted;
  const values = { output, input: 'x', vars: { word: 'tea' }, metadata: {}, duration_ms: 1 };
  const evaluated = await evaluate(converted.code, values, { timeoutMs: 1000 });
  return 'value' in evaluated ? evaluated.value : evaluated;
}

test.each([
  ['output.length < 5', 'output.length < 5'],
  ["output.toLowerCase().includes('a');", "output.toLowerCase().includes('a')"],
  ['/a+/.test(output) && !output.startsWith("b")', '/a+/.test(output) && !output.startsWith("b")'],
  ['output.includes(context.vars.word)', 'output.includes(context.vars.word)'],
  ['const n = output.length; n > 3', 'const n = output.length; return n > 3'],
  ["if (output === 'a') {\n  return true;\n}\nreturn { pass: false, reason: 'no' };", undefined],
])('%s gives true or false and stays', (source, code) => {
  expect(convert(source)).toEqual({ code: code ?? source });
});

test('a number passes above 0, or from the threshold on; the score is between 0 and 1', async () => {
  expect(await verdict('output.length', 'abc')).toEqual({ pass: true, score: 1 });
  expect(await verdict('output.length', '')).toEqual({ pass: false, score: 0 });
  expect(await verdict('output.length / 10', 'abc', { threshold: 0.5 })).toEqual({ pass: false, score: 0.3 });
  expect(await verdict('output.length / 10', 'abcde', { threshold: 0.5 })).toEqual({
    pass: true,
    score: 0.5,
  });
});

test('code that throws fails, also if the verdict is turned afterwards', async () => {
  const source = 'JSON.parse(output).ok === true';
  expect(await verdict(source, '{"ok": true}')).toBe(true);
  const failed = { message: expect.stringMatching(/^SyntaxError/) as unknown };
  expect(await verdict(source, 'no')).toEqual({ pass: false, ...failed });
  expect(await verdict(source, 'no', { isNegated: true })).toEqual({ pass: true, ...failed });
});

test.each([
  ["require('fs').existsSync(output)", 'it uses require, which expressions do not have'],
  ['console.log(output)', 'it uses console, which expressions do not have'],
  ['context.prompt === output', 'it uses context.prompt, which is not there'],
  ['output ===', 'it is no valid JavaScript: Unexpected token (1:17)'],
  ['const a = 1;\nconst b = 2;', 'it returns nothing'],
])('%s is lost', (source, problem) => {
  expect(convert(source)).toMatchObject({ problem });
});

test('names that the code declares are its own', () => {
  const source =
    'const { a, b: [c] } = { a: 1, b: [2] };\nconst f = ({ d }, ...rest) => d + rest.length;\nreturn f({ d: a }, c) > 1;';
  expect(convert(source)).toMatchObject({ code: expect.any(String) as unknown });
});
