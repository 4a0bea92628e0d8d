import { expect, test } from 'vitest';
import { wireName } from './wire-name.ts';

const none = new Set<string>();

test('joins server and tool with two underscores', () => {
  expect(wireName('agents.calc.math', 'add', none)).toBe('agents_calc_math__add');
  expect(wireName('math', 'über/add', none)).toBe('math___ber_add');
});

test('keeps long names within 64 characters, unique, and ending in the name of the tool', () => {
  const server = `agents.${'very'.repeat(15)}.long`;
  const names = ['add', 'sub', 'a'.repeat(50)].map((tool) => wireName(server, tool, none));
  expect(names).toEqual([
    'agents_veryveryveryveryveryveryveryveryveryveryver_5f376bb0__add',
    'agents_veryveryveryveryveryveryveryveryveryveryver_f5292670__sub',
    `age_df2b8d98__${'a'.repeat(50)}`,
  ]);
  expect(names.map(({ length }) => length)).toEqual([64, 64, 64]);
  expect(wireName(server, 'b'.repeat(80), none)).toBe(`8e862b8f__${'b'.repeat(54)}`);
});

test('tells two servers apart whose names look the same', () => {
  const first = wireName('a.b', 'add', none);
  expect([first, wireName('a_b', 'add', new Set([first]))]).toEqual(['a_b__add', 'a_b_486ae557__add']);
});
