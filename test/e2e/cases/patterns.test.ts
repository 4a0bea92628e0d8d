// Patterns of files, cases and names: no pattern hangs the program.

import { expect, test } from 'vitest';
import { assay, folder } from '../support/assay.ts';

const LONG = 'a'.repeat(240);
const files = {
  'agent.mjs': 'export default () => "x"',
  [`deep/${LONG}/${LONG}.jsonl`]: [{ id: LONG.repeat(40), input: 'x', tags: [LONG] }],
  'skills/a/SKILL.md': '---\nname: a\n---\n',
  [`tests/${LONG.slice(0, 100)}.test.json`]: {
    id: LONG,
    name: 'a',
    type: 'agent-eval',
    cases: [{ id: 'a', input: 'x' }],
  },
};

test.each([
  ['**/**/**/**/*a*a*a*a*a*a*a*a*a*a*a*b.jsonl', 'no file matches'],
  [`deep/${'+(a|aa)'.repeat(10)}b/*.jsonl`, 'no file matches'],
  [`deep/${'{a,aa}'.repeat(60)}b/*.jsonl`, 'no file matches'],
  ['deep/{1..999999}/*.jsonl', 'the pattern "deep/{1..999999}/*.jsonl" has a range of more than 1000 values'],
  ['deep/!(b)/*.jsonl', 'the pattern "deep/!(b)/*.jsonl" has "!(…)", which is not supported'],
  [`deep/${'*'.repeat(9000)}.jsonl`, 'is longer than 4096 characters'],
])('-i %.40s is an error soon', async (pattern, message) => {
  const cwd = folder(files);
  const { exitCode, stderr } = await assay(['test', '-i', pattern, '-n', './agent.mjs'], { cwd });
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(message) });
});

test('patterns of cases, tests and skills', async () => {
  const cwd = folder(files);
  const wild = `${'*a'.repeat(100)}*b`;
  const runs = [
    [
      'test',
      '-i',
      'deep/*/*{a,b}.jsonl',
      '-n',
      './agent.mjs',
      '--run',
      '(a|aa)+(a|aa)+(a|aa)+b$',
      '--no-history',
    ],
    ['run', wild],
    ['skills', wild],
  ];
  const ends = await Promise.all(runs.map((args) => assay(args, { cwd })));
  expect(ends.map(({ exitCode }) => exitCode)).toEqual([2, 2, 2]);
});
