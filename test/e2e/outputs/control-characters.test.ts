// Control characters in answers, errors and cases do not reach the terminal.

import { expect, test } from 'vitest';
import { assay, folder } from '../support/assay.ts';

const AGENT = `export default () => '\\u001b[31mred\\u001b[0m \\u0007 \\u202e';`;
const RUN = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs'];

test('answers cannot play with the terminal', async () => {
  const cwd = folder({
    'agent.mjs': AGENT,
    'cases.jsonl': [{ id: 'T\u001b[2J1', input: 'hostile', expected: 'x' }],
  });
  const { stdout, stderr } = await assay([...RUN, '-v'], { cwd });
  // oxlint-disable-next-line no-control-regex
  expect(`${stdout}${stderr}`).not.toMatch(/[\u001b\u0007\u202e]/);
  expect(stdout).toContain('\\x1b[31mred');
});

test('a message: logs and errors cannot touch the terminal, the answer is as it is', async () => {
  const cwd = folder({
    'bad.mjs': `export default () => { console.log('a\\x1b[2Jb'); throw new Error('c\\x1b]0;d\\x07'); };`,
    'good.mjs': `export default () => 'a\\x1b[1mb';`,
  });
  const { stderr } = await assay(['test', '-i', 'hi', '-n', './bad.mjs'], { cwd });
  expect(stderr).toContain(String.raw`a\x1b[2Jb`);
  expect(stderr).toContain(String.raw`error: c\x1b]0;d\x07`);
  expect(stderr).not.toContain('\x1b');
  expect((await assay(['test', '-i', 'hi', '-n', './good.mjs'], { cwd })).stdout).toBe('a\x1b[1mb\n');
});

test('--dry-run spells out control characters', async () => {
  const cwd = folder({
    'agent.mjs': AGENT,
    'cases.jsonl': [{ id: 'a\x1b[2J', input: 'x', description: 'b\x1b[2J', tags: ['c\x1b[2J'] }],
  });
  const { stdout } = await assay([...RUN, '--dry-run'], { cwd });
  expect(stdout).not.toContain('\x1b');
  expect(stdout).toContain(String.raw`a\x1b[2J`);
});

test('names of skills and of their folders are spelled out in warnings, lists and errors', async () => {
  const cwd = folder({
    'skills/a\x1b[2J/SKILL.md': '---\nname: "b\\e[2J"\n---\n',
    'skills/a\x1b[2J/cskill.md': '',
    '.agents/skills/c\x1b[2J/SKILL.md': '---\nname: "b\\e[2J"\n---\n',
    'tests/d\x1b[2J.tests.mjs': '',
  });
  for (const args of [
    ['skills'],
    ['skills', '--require-tests'],
    ['skills', 'all'],
    ['skills', 'nope'],
    ['skills', 'all', '--dry-run'],
    ['skills', 'all', '--require-tests'],
  ]) {
    const { stdout, stderr } = await assay(args, { cwd });
    expect(`${stdout}${stderr}`).not.toContain('\x1b');
    expect(stderr).toContain(String.raw`skills/a\x1b[2J/cskill.md is left out`);
  }
});
