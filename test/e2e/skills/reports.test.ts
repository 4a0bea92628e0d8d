// The screen, the log, the reports, the flags and the picker of skill tests.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { assay, callsIn, readLog, start, write } from '../support/assay.ts';
import { until } from '../../until.ts';
import { application, ends, returns, runSkills } from '../support/skill-files.ts';
import { parseXml } from '../support/xml.ts';
import { junitProblems } from '../../fixtures/junit-schema.ts';

const FINE = returns({ passed: 3, failed: 0, errors: [] });
const BAD = `export default () => { console.log('seen'); return { passed: 2, failed: 1, errors: ['total is 10, not 12'] }; };\n`;
const read = (cwd: string, name: string): string => readFileSync(join(cwd, name), 'utf8');
const timeless = (text: string): string =>
  text.replace(/\b\d+(\.\d+)?m?s\b/g, 'TIME').replace(/^ *(Log|Run again[^:]*): .*\n/gm, '');

test('the screen: a line for each skill, errors below, totals at the end', async () => {
  const cwd = application(
    { equipment: FINE, pricing: BAD, throws: `export default () => { throw new Error('boom'); };` },
    { 'skills/untested/SKILL.md': '' },
  );
  const { exitCode, stdout, stderr } = await assay(['skills', 'all', '--parallel', '1'], { cwd });
  const double = '═'.repeat(79);
  const single = '─'.repeat(79);
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
  expect(timeless(stdout).split('\n')).toEqual([
    double,
    '  Skill Test: skills.*',
    double,
    '  Skills: 4 (1 untested)',
    single,
    '  Running Tests',
    single,
    '✓ equipment [3✓ 0✗] TIME',
    '✗ pricing [2✓ 1✗] TIME',
    '  └─ total is 10, not 12',
    '  output:',
    '     seen',
    '! throws [error] TIME',
    '  └─ boom',
    expect.stringContaining('tests/throws.tests.mjs:1:30'),
    '○ untested (untested)',
    '',
    double,
    '  Summary: 1 passed, 2 failed, 1 skipped (TIME)',
    '  Errors: 1',
    '  Checks: 5 passed, 1 failed',
    double,
    '',
  ]);
});

test('all reports have the same results', async () => {
  const cwd = application({ equipment: FINE, pricing: BAD }, { 'skills/untested/SKILL.md': '' });
  const outputs = ['r.json', 'r.md', 'r.html', 'r.xml'].flatMap((name) => ['-o', name]);
  const { exitCode } = await runSkills(cwd, ['--parallel', '1', ...outputs]);
  expect(exitCode).toBe(1);

  const { start: begun, results, summary } = readLog(join(cwd, 'log.jsonl'));
  expect(begun.inputs[0]).toEqual({
    type: 'skill',
    input: 'skills.*',
    skill: 'equipment',
    skill_type: 'skill',
    skill_path: 'tests/equipment.tests.mjs',
    file: 'tests/equipment.tests.mjs',
    sha256: expect.stringMatching(/^[\da-f]{64}$/),
    agent_id: 'skills',
    agent_sha256: expect.stringMatching(/^[\da-f]{64}$/),
  });
  expect(results[1]).toEqual({
    type: 'result',
    id: 'pricing',
    run: 1,
    status: 'failed',
    duration_ms: expect.any(Number),
    checks: { passed: 2, failed: 1 },
    logs: ['seen'],
    error: 'total is 10, not 12',
    verdicts: [{ type: 'check', status: 'failed', message: 'total is 10, not 12' }],
    key: expect.any(String),
    kind: 'skill',
    test_id: 'skills.pricing',
    line: 1,
  });
  expect(summary).toMatchObject({
    total: 3,
    passed: 1,
    failed: 1,
    skipped: 1,
    checks: { passed: 5, failed: 1 },
  });

  const json = JSON.parse(read(cwd, 'r.json'));
  expect([json.type, json.skills, json.summary.checks]).toEqual([
    'skill_test',
    'skills.*',
    { passed: 5, failed: 1 },
  ]);
  expect(json.results[1]).toMatchObject({
    name: 'pricing',
    skill: 'pricing',
    skill_type: 'skill',
    test_file: 'tests/pricing.tests.mjs',
    status: 'failed',
    checks: { passed: 2, failed: 1 },
    error: 'total is 10, not 12',
    errors: ['total is 10, not 12'],
    logs: ['seen'],
  });
  expect(json.skipped_cases).toEqual([
    { name: 'untested', skill: 'untested', skill_type: 'skill', reason: 'skip', message: 'untested' },
  ]);

  const markdown = timeless(read(cwd, 'r.md'));
  expect(markdown).toContain('# Skill Test Report\n');
  expect(markdown).toMatch(/\| Skill +\| skills\.\\\* +\|\n/);
  expect(markdown).toMatch(/\| Checks +\| 5 passed, 1 failed \|\n/);
  expect(markdown).toContain('### ❌ pricing - Failed (TIME, 2 of 3 checks)\n\ntotal is 10, not 12\n');
  expect(markdown).toContain('- untested (skills.untested): skip: untested\n');

  expect(junitProblems(read(cwd, 'r.xml'))).toEqual([]);
  const xml = parseXml(read(cwd, 'r.xml'));
  expect(xml.children.map(({ attributes }) => [attributes['name'], attributes['tests']])).toEqual([
    ['skills', '3'],
  ]);
  expect(read(cwd, 'r.xml')).toContain('<failure message="total is 10, not 12" type="check">');
  expect(read(cwd, 'r.html')).toContain('<h1>Skill Test: skills.*</h1>');
});

test('a run with skills and scripts has one log and one exit code', async () => {
  const cwd = application(
    { pricing: BAD },
    {
      'assistants/expense/package.yao': '{}',
      'assistants/expense/src/a_test.ts': 'function TestA(t) { t.assert.True(true); }',
    },
  );
  const { exitCode } = await assay(
    ['test', '-i', 'skills.pricing', '-i', 'scripts.expense', '-o', 'log.jsonl', '-o', 'r.json'],
    { cwd },
  );
  expect([exitCode, ends(cwd)]).toEqual([1, { pricing: 'failed | total is 10, not 12', TestA: 'passed' }]);
  const { results } = JSON.parse(read(cwd, 'r.json'));
  expect(results.find(({ id }: { id: string }) => id === 'pricing')).toMatchObject({
    test_id: 'skills.pricing',
    skill: 'pricing',
    checks: { passed: 2, failed: 1 },
  });
});

const COUNTS = `
  import { appendFileSync, existsSync } from 'node:fs';
  appendFileSync('../calls.txt', 'ran\\n');
`;

test('several runs, --fail-fast, --failed and --resume', async () => {
  const flaky = `${COUNTS}
    import { readFileSync } from 'node:fs';
    const times = readFileSync('../calls.txt', 'utf8').length / 4;
    export default () => ({ passed: 1, failed: times === 2 ? 1 : 0, errors: [] });`;
  const cwd = application({ flaky });
  const { exitCode, stdout } = await runSkills(cwd, ['--runs', '3', '--parallel', '1']);
  expect([exitCode, callsIn(cwd).length]).toEqual([1, 3]);
  expect(stdout).toMatch(/✗ flaky \(\d+ms, 1 of 2 checks\) \[2\/3 runs, .*\]\n/);
  expect((await runSkills(cwd, ['--runs', '3', '--min-pass-rate', '60'])).exitCode).toBe(0);

  const other = application({ a: BAD, b: FINE, c: FINE });
  await runSkills(other, ['--fail-fast', '--parallel', '1']);
  expect(ends(other)).toEqual({
    a: 'failed | total is 10, not 12',
    b: 'skipped | fail_fast',
    c: 'skipped | fail_fast',
  });
  // What the stop left out has not passed either.
  write(join(other, 'tests/a.tests.mjs'), FINE);
  const failed = await assay(['skills', '--failed', 'log.jsonl', '-o', 'again.jsonl'], { cwd: other });
  expect(failed.exitCode).toBe(0);
  const changed = await assay(['test', '--resume', 'log.jsonl'], { cwd: other });
  expect(changed.exitCode).toBe(2);
  expect(changed.stderr).toContain('the tests or what they import have changed since the run began');
  const resumed = await assay(['test', '--resume', 'log.jsonl', '--force'], { cwd: other });
  expect([resumed.exitCode, ends(other)]).toEqual([
    1,
    { a: 'failed | total is 10, not 12', b: 'passed', c: 'passed' },
  ]);
});

test('as many at once as it may', async () => {
  const meets = (own: string, others: string): string => `
    import { existsSync, writeFileSync } from 'node:fs';
    writeFileSync('${own}.here', '');
    export default async () => {
      const end = Date.now() + 4000;
      while (!existsSync('${others}.here') && Date.now() < end) await new Promise((done) => setTimeout(done, 5));
      return { passed: Number(existsSync('${others}.here')), failed: Number(!existsSync('${others}.here')) };
    };`;
  const cwd = application({ a: meets('a', 'b'), b: meets('b', 'a') });
  expect((await runSkills(cwd, ['--parallel', '2'])).exitCode).toBe(0);
});

test('-w runs again what a changed test or skill reaches; Ctrl-C ends it', async () => {
  const note = (name: string): string =>
    `import { appendFileSync } from 'node:fs';\nappendFileSync('../calls.txt', '${name}\\n');\n${FINE}`;
  const cwd = application({ a: note('a'), b: note('b') }, { 'skills/b/scripts/x.mjs': '1;\n' });
  let shown = '';
  const run = start(['skills', 'all', '-w', '--parallel', '1'], { cwd });
  run.child.stderr?.on('data', (chunk: string) => (shown += chunk));
  const isWatching = (times: number) => () => shown.split('Ctrl-C ends').length > times;
  await until(isWatching(1));
  expect(callsIn(cwd)).toEqual(['a', 'b']);
  write(join(cwd, 'skills/b/scripts/x.mjs'), '2;\n');
  await until(isWatching(2));
  expect(callsIn(cwd)).toEqual(['a', 'b', 'b']);
  write(join(cwd, 'tests/a.tests.mjs'), note('a again'));
  await until(isWatching(3));
  expect(callsIn(cwd)).toEqual(['a', 'b', 'b', 'a again']);
  run.child.kill('SIGINT');
  expect((await run.finished).exitCode).toBe(130);
});

test('on a terminal, skills are chosen: type to filter, tab to choose, enter to run', async () => {
  const cwd = application({ equipment: FINE, pricing: BAD, shipping: FINE });
  const command = `stty cols 100 rows 40; "${process.execPath}" "${resolve('dist/cli.js')}" skills -o log.jsonl`;
  const choose = async (keys: string[]): Promise<{ exitCode: unknown; shown: string }> => {
    const terminal = spawn('/usr/bin/script', ['-qec', command, '/dev/null'], {
      cwd,
      env: { PATH: process.env['PATH'], TERM: 'xterm', LANG: 'C.UTF-8' },
    });
    const closed = new Promise((done) => terminal.on('close', done));
    let shown = '';
    terminal.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()));
    await until(() => shown.includes('shipping'));
    const last = keys.at(-1);
    for (const key of keys.slice(0, -1)) {
      const before = shown.length;
      terminal.stdin.write(key);
      // Every key but the last one changes the list.
      await until(() => shown.length > before);
    }
    terminal.stdin.write(last ?? '');
    return { exitCode: await closed, shown };
  };
  const first = await choose(['p', 'r', 'i', '\t', '\r']);
  expect([first.exitCode, ends(cwd)]).toEqual([1, { pricing: 'failed | total is 10, not 12' }]);
  const second = await choose(['\t', '\u001b[B', '\t', '\r']);
  expect(second.shown).toContain('✗ failed 2✓ 1✗');
  expect(Object.keys(ends(cwd)).sort()).toEqual(['equipment', 'pricing']);
  expect((await choose(['\u0003'])).exitCode).toBe(130);
});
