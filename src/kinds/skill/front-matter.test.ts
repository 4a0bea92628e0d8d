import { expect, test } from 'vitest';
import { readFrontMatter } from './front-matter.ts';

test.each([
  [
    'name: pricing\ndescription: Works it out, with tax (all of it).',
    { name: 'pricing', description: 'Works it out, with tax (all of it).' },
  ],
  ['name: "quoted: yes"', { name: 'quoted: yes' }],
  ['name: a # comment', { name: 'a' }],
  ['name: true', { name: true }],
  ['name: 12', { name: 12 }],
  ['name: goes\n  on', { name: 'goes on' }],
  ['name: a\ntags:\n  - b', { name: 'a', tags: ['b'] }],
  ['name: a\n\ndescription: b c', { name: 'a', description: 'b c' }],
  ['', {}],
])('reads %j', async (yaml, expected) => {
  expect(await readFrontMatter(`---\n${yaml}\n---\n# Text\n`, 'SKILL.md')).toEqual(expected);
});

test('a field twice is an error with its place', async () => {
  await expect(readFrontMatter('---\nname: a\nname: b\n---\n', 'SKILL.md')).rejects.toThrow(
    /unique|twice|dupl/i,
  );
});
