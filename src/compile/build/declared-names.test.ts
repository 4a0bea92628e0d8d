import { expect, test } from 'vitest';
import { declaredNames } from './declared-names.ts';

test('finds what is declared at the top level, and nothing else', async () => {
  const code = `
    import fs, { a as b } from 'x';
    export function f() { function inner() {} }
    export async function g() {}
    export default function h() {}
    const arrow = (t) => 1, value = 2, { p, q: [r, ...s], ...o } = {};
    let expression = function () {};
    class C {}
    if (true) { var nested = 1; function alsoNested() {} }
    const text = \`function fake() {}
function fakeToo() {}\`;
    // function commented() {}
  `;
  const names = await declaredNames(code);
  const of = (wanted: (name: (typeof names)[number]) => boolean): string[] =>
    names.filter(wanted).map(({ name }) => name);
  expect(of(({ isFunction }) => isFunction)).toEqual(['f', 'g', 'h', 'arrow', 'expression']);
  expect(of(({ isImport }) => isImport)).toEqual(['fs', 'b']);
  expect(of(({ isFunction, isImport }) => !isFunction && !isImport)).toEqual([
    'value',
    'p',
    'r',
    's',
    'o',
    'C',
    'text',
  ]);
});
