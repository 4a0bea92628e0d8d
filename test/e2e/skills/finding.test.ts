// Which skills there are, which have tests, and how they are named.

import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, folder, readLog } from '../support/assay.ts';
import { application, ends, returns, runSkills } from '../support/skill-files.ts';

const FINE = returns({ passed: 1, failed: 0, errors: [] });
const MANY = {
  'skills/pricing/SKILL.md': '---\nname: acme.pricing\n---\n',
  '.claude/skills/equipment/SKILL.md': '---\nname: equipment\n---\n',
  '.AchillesSkills/report/cskill.md': '# Report\n',
  '.AchillesSkills/table/tskill.md': '# Table\n',
  'tests/pricing.tests.mjs': FINE,
  'tests/equipment.tests.js': 'exports.runTests = () => ({ passed: 2, failed: 0, errors: [] });\n',
  'tests/report.tests.ts': `const passed: number = 3;\nexport const runTests = async () => ({ passed, failed: 0, errors: [] });\n`,
};

test('lists skills with type, test and last result; as JSON, too', async () => {
  const cwd = folder(MANY);
  const before = await assay(['skills'], { cwd });
  expect({ ...before, stdout: before.stdout.split('\n') }).toEqual({
    exitCode: 0,
    signal: null,
    stderr: '',
    stdout: [
      '  acme.pricing  skill   tests/pricing.tests.mjs',
      '  equipment     skill   tests/equipment.tests.js',
      '  report        cskill  tests/report.tests.ts',
      '  table         tskill  untested',
      '',
      'assay skills all runs their tests.',
      'assay skills new table writes a test to start from.',
      '',
    ],
  });
  await runSkills(cwd);
  expect((await assay(['skills', 'list'], { cwd })).stdout.split('\n').slice(0, 4)).toEqual([
    '  acme.pricing  skill   tests/pricing.tests.mjs   ✓ passed 1✓ 0✗',
    '  equipment     skill   tests/equipment.tests.js  ✓ passed 2✓ 0✗',
    '  report        cskill  tests/report.tests.ts     ✓ passed 3✓ 0✗',
    '  table         tskill  untested',
  ]);
  const json = JSON.parse((await assay(['skills', '--json'], { cwd })).stdout) as unknown[];
  expect([json.length, json[0], json[3]]).toEqual([
    4,
    {
      skill: 'acme.pricing',
      short_name: 'pricing',
      skill_type: 'skill',
      test_file: 'tests/pricing.tests.mjs',
      last_result: { status: 'passed', passed: 1, failed: 0, at: expect.any(String) },
    },
    { skill: 'table', short_name: 'table', skill_type: 'tskill', test_file: null, last_result: null },
  ]);
});

test.each([
  [
    ['skills', 'all'],
    ['acme.pricing passed', 'equipment passed', 'report passed', 'table skipped'],
  ],
  [['skills', 'acme.pricing'], ['acme.pricing passed']],
  [
    ['skills', 'pricing', 'report', 'pricing'],
    ['acme.pricing passed', 'report passed'],
  ],
  [['test', '-i', 'skills.equipment'], ['equipment passed']],
  [
    ['test', '-i', 'skills.*p*'],
    ['acme.pricing passed', 'equipment passed', 'report passed'],
  ],
  [['skills', 'tests/report.tests.ts'], ['report passed']],
  [['skills', 'all', '--run', '^acme'], ['acme.pricing passed']],
])('assay %o runs %o', async (args, expected) => {
  const cwd = folder(MANY);
  const { exitCode, stderr } = await assay([...args, '-o', 'log.jsonl'], { cwd });
  const { results } = readLog(join(cwd, 'log.jsonl'));
  expect(results.map(({ id, status }) => `${id} ${status}`).sort()).toEqual(expected);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
});

test('skills of other tools and of plugins run; a new test lies beside its skills', async () => {
  const cwd = folder({
    '.agents/skills/a/SKILL.md': '',
    '.github/skills/b/skill.md': '',
    'skills/group/c/cskill.md': '',
    'plugins/shop/skills/d/SKILL.md': '',
    'plugins/shop/skills/c/SKILL.md': '---\nname: other\n---\n',
    'tests/a.tests.mjs': FINE,
    'tests/b.tests.mjs': FINE,
    'tests/c.tests.mjs': FINE,
  });
  const written = await assay(['skills', 'new', 'd'], { cwd });
  expect(written.stdout).toBe('Wrote plugins/shop/tests/d.tests.mjs; run it with: assay skills d\n');
  const { exitCode, stderr } = await assay(['skills', 'all', '-o', 'log.jsonl'], { cwd });
  expect({ exitCode, stderr, ends: ends(cwd) }).toEqual({
    exitCode: 0,
    stderr: 'skill "other" is untested: tests/c.tests.mjs is the test of "c"\n',
    ends: { a: 'passed', b: 'passed', c: 'passed', d: 'passed', other: 'skipped | skip' },
  });
});

test('a test of a skill may lie in its own folder; a test file that belongs to no skill runs, too', async () => {
  const cwd = folder({
    'skills/a/SKILL.md': '',
    'skills/a/tests/a.tests.mjs': FINE,
    'other/stray.tests.mjs': FINE,
  });
  await assay(['skills', 'a', 'other/stray.tests.mjs', '-o', 'log.jsonl'], { cwd });
  expect(ends(cwd)).toEqual({ a: 'passed', stray: 'passed' });
});

test('skills are found from a folder below', async () => {
  const cwd = application({ a: FINE }, { 'skills/a/scripts/x.mjs': '' });
  const { exitCode, stdout } = await assay(['skills', 'a'], { cwd: join(cwd, 'skills/a/scripts') });
  expect([exitCode, stdout.includes('✓ a [1✓ 0✗]')]).toEqual([0, true]);
});

test('an untested skill is skipped, and a failure if tests are required', async () => {
  const cwd = application({ a: FINE }, { 'skills/b/SKILL.md': '' });
  const { exitCode, stdout } = await runSkills(cwd);
  expect([exitCode, ends(cwd)]).toEqual([0, { a: 'passed', b: 'skipped | skip' }]);
  expect(stdout).toContain('○ b (untested)\n');
  expect(stdout).toContain('Skills: 2 (1 untested)\n');

  const required = await runSkills(cwd, ['--require-tests']);
  expect([required.exitCode, ends(cwd)]).toEqual([1, { a: 'passed', b: 'failed | no test' }]);
  expect((await assay(['skills', '--require-tests'], { cwd })).exitCode).toBe(1);
  expect((await assay(['skills', 'a', '--require-tests'], { cwd })).exitCode).toBe(0);
  expect((await assay(['test', '-i', 'skills.b', '--require-tests'], { cwd })).exitCode).toBe(1);
});

test.each([
  [['skills', 'pricng'], 'no skill "pricng"\n  hint: did you mean pricing?\n'],
  [['skills', 'zzzzzz'], 'no skill "zzzzzz"\n  hint: there is pricing, report\n'],
  [
    ['skills', 'report'],
    'skill "report" has no test\n  hint: assay skills new report writes one to start from\n',
  ],
  [
    ['skills', '-o', 'r.md'],
    'say which skills to test\n  hint: assay skills all runs the tests of all skills; without names, skills are only listed\n',
  ],
  [['skills', 'tests/none.tests.mjs'], /^input file "tests\/none\.tests\.mjs" does not exist\n {2}hint: /],
  [['skills', 'new', 'pricing'], 'skill "pricing" already has a test: tests/pricing.tests.mjs\n'],
  [['skills', 'new', 'nothing'], 'no skill "nothing"\n  hint: there is pricing, report\n'],
  [['skills', 'new'], 'name the skill: assay skills new <skill>\n  hint: without a test: report\n'],
  [['skills', 'all', '--timeout', 'soon'], /^--timeout: /],
  [['skills', 'all', 'nope'], /^no skill "nope"\n/],
])('%o is refused with a remedy', async (args, expected) => {
  const cwd = application({ pricing: FINE }, { 'skills/report/SKILL.md': '' });
  const { exitCode, stdout, stderr } = await assay(args, { cwd });
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  if (typeof expected === 'string') expect(stderr).toBe(expected);
  else expect(stderr).toMatch(expected);
});

test('without skills it says where they would be', async () => {
  const cwd = folder({ 'app.yao': '{}' });
  for (const args of [['skills'], ['skills', 'all'], ['test', '-i', 'skills.a']]) {
    const { exitCode, stderr } = await assay(args, { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/there are no skills below \.\n {2}hint: a skill is a folder with a SKILL\.md/);
  }
});

test('nothing but untested skills is no success', async () => {
  const cwd = folder({ 'skills/a/SKILL.md': '', 'skills/b/SKILL.md': '' });
  const { exitCode, stderr } = await assay(['skills', 'all'], { cwd });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: 'no skill has a test: a, b\n  hint: assay skills new a writes one to start from\n',
  });
});

test('new writes a test that runs, and never over another', async () => {
  const cwd = folder({ 'skills/with #space?/SKILL.md': '', '.AchillesSkills/calc/cskill.md': '' });
  const { exitCode, stdout } = await assay(['skills', 'new', 'with #space?', 'calc', 'calc'], { cwd });
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout:
      'Wrote tests/with #space?.tests.mjs; run it with: assay skills "with #space?"\nWrote tests/calc.tests.mjs; run it with: assay skills calc\n',
  });
  const text = readFileSync(join(cwd, 'tests/calc.tests.mjs'), 'utf8');
  expect((await runSkills(cwd)).exitCode).toBe(0);
  expect(ends(cwd)).toEqual({ 'with #space?': 'passed', calc: 'passed' });
  expect((await assay(['skills', 'new', 'calc'], { cwd })).exitCode).toBe(2);
  expect(readFileSync(join(cwd, 'tests/calc.tests.mjs'), 'utf8')).toBe(text);
  // A link to nowhere is something that is there.
  const linked = folder({ 'skills/b/SKILL.md': '', 'tests/x': '' });
  symlinkSync('/nowhere', join(linked, 'tests/b.tests.mjs'));
  expect((await assay(['skills', 'new', 'b'], { cwd: linked })).exitCode).toBe(3);
});

test('warns about test files that would never run', async () => {
  const cwd = application(
    { a: FINE },
    { 'tests/a.tests.ts': '', 'tests/gone.tests.js': '', 'tests/x.mjs': '' },
  );
  const { exitCode, stderr } = await runSkills(cwd);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr:
      'tests/a.tests.ts is left out: tests/a.tests.mjs is the test of "a"\ntests/gone.tests.js is left out: it belongs to no skill\n',
  });
  const one = await assay(['skills', 'a'], { cwd });
  expect(one.stderr).toBe('tests/a.tests.ts is left out: tests/a.tests.mjs is the test of "a"\n');
});

test('the plan is shown without running anything', async () => {
  const cwd = application({ a: `throw new Error('ran');`, b: FINE }, { 'skills/c/SKILL.md': '' });
  const { exitCode, stdout } = await assay(['skills', 'all', '--dry-run', '--parallel', '2'], { cwd });
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout:
      'Plan: 3 skills, 2 at a time. Nothing is executed.\n\n  a  (tests/a.tests.mjs; timeout 30s)\n  b  (tests/b.tests.mjs; timeout 30s)\n  c  (untested)\n',
  });
});
