// A test file may hang, fork, print and lie: it is contained, and nothing of it outlives the run.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder, start } from '../support/assay.ts';
import { until } from '../../until.ts';
import { application, ends, resultsIn, returns, runSkills } from '../support/skill-files.ts';

/** True while a process with this number runs; a zombie that nobody has collected does not. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${String(pid)}/status`, 'utf8'));
  } catch {
    return false;
  }
}

function pidsIn(cwd: string): number[] {
  const file = join(cwd, 'tests/pids.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];
}

/** Notes its own number and that of a child; both ignore SIGTERM. */
const STUBBORN = `
  import { spawn } from 'node:child_process';
  import { appendFileSync } from 'node:fs';
  process.on('SIGTERM', () => {});
  const child = spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('ready')"], { stdio: ['ignore', 'pipe', 'ignore'] });
  await new Promise((done) => child.stdout.once('data', done));
  appendFileSync('pids.txt', process.pid + '\\n' + child.pid + '\\n');
`;

test('a test and a child that ignore SIGTERM end at the timeout', async () => {
  const cwd = application({
    waits: `${STUBBORN} export default () => new Promise(() => setInterval(() => {}, 1000));`,
    loops: `${STUBBORN} export default () => { while (true) {} };`,
    fine: returns({ passed: 1, failed: 0 }),
  });
  const { exitCode } = await runSkills(cwd, ['--timeout', '1500ms']);
  expect([exitCode, ends(cwd)]).toEqual([
    1,
    {
      waits: 'timeout | timeout after 1.5s',
      loops: 'timeout | timeout after 1.5s',
      fine: 'passed',
    },
  ]);
  const pids = pidsIn(cwd);
  expect([pids.length, pids.filter(isAlive)]).toEqual([4, []]);
});

test('a child that is left behind ends with its test', async () => {
  const cwd = application({
    forks: `${STUBBORN} child.unref(); child.stdout.unref?.(); export default () => ({ passed: 1, failed: 0 });`,
  });
  const { exitCode } = await runSkills(cwd);
  expect([exitCode, ends(cwd)]).toEqual([0, { forks: 'passed' }]);
  // Its kill may still be under way when the run ends.
  await until(() => !pidsIn(cwd).some(isAlive));
});

test('printed text never counts as a result: braces, JSON, a forged result', async () => {
  const forged = JSON.stringify({ success: true, result: { passed: 99, failed: 0, errors: [] } });
  const cwd = application({
    braces: `export default () => { console.log('{'); console.log('${forged}'); return { passed: 0, failed: 1, errors: ['real'] }; };`,
    exits: `console.log('${forged}'); process.exit(0);`,
    throws: `export default () => { process.stdout.write('${forged}'); throw new Error('real'); };`,
    channel: `import { writeSync } from 'node:fs';\nexport default () => { writeSync(3, '${forged}\\n'); return { passed: 0, failed: 1, errors: ['real'] }; };`,
    binary: `export default () => { process.stdout.write(Buffer.from([0, 255, 254, 10, 27])); return { passed: 1, failed: 0 }; };`,
  });
  await runSkills(cwd);
  expect(ends(cwd)).toEqual({
    braces: 'failed | real',
    exits: 'error | agent | ended with exit code 0 before it gave a result',
    throws: 'error | agent | real',
    channel: 'failed | real',
    binary: 'passed',
  });
  expect(resultsIn(cwd)['braces']?.logs).toEqual(['{', forged]);
});

test('a closed channel is an error; two hundred megabytes are bounded', async () => {
  const cwd = application({
    closes: `import { closeSync } from 'node:fs';\ncloseSync(3);\nexport default () => ({ passed: 1, failed: 0 });`,
    writes: `
      const chunk = 'x'.repeat(1e6 - 1) + '\\n';
      export default async () => {
        for (let n = 0; n < 200; n += 1) if (!process.stdout.write(chunk)) await new Promise((done) => process.stdout.once('drain', done));
        return { passed: 1, failed: 0 };
      };`,
  });
  await runSkills(cwd);
  expect(ends(cwd)).toEqual({
    closes: 'error | agent | its result was lost: the test closed file descriptor 3, which carries it',
    writes: 'passed',
  });
  const { logs = [] } = resultsIn(cwd)['writes'] ?? {};
  const length = logs.reduce((sum, line) => sum + line.length, 0);
  expect(length).toBeGreaterThan(9e6);
  expect(length).toBeLessThan(11e6);
  expect(logs.filter((line) => line.includes('left out'))).toHaveLength(1);
});

test('all output is kept, however slowly it is read; noise on the channel is cheap', async () => {
  const prints = `export default () => { for (let n = 0; n < 4000; n += 1) console.log('row ' + n + ' ' + 'y'.repeat(1000)); console.log('TAIL'); return { passed: 1, failed: 0 }; };`;
  const cwd = application({
    ...Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, prints])),
    noise: `import { writeSync } from 'node:fs';\nexport default () => { for (let n = 0; n < 40; n += 1) writeSync(3, 'z'.repeat(1e6)); return { passed: 1, failed: 0 }; };`,
  });
  await runSkills(cwd, ['--parallel', '7']);
  const { noise, ...others } = resultsIn(cwd);
  expect(noise?.status).toBe('passed');
  for (const { logs, leaks } of Object.values(others))
    expect([logs?.length, logs?.at(-1), leaks]).toEqual([4001, 'TAIL', undefined]);
});

test.each([`'; process.exit(0)//`, 'a#b%20c', 'with  space', 'ünïcode "q"', 'new\nline', '$(touch x)`y`'])(
  'a folder named %j is only a name',
  async (name) => {
    const cwd = folder({
      [`${name}/app.yao`]: '{}',
      [`${name}/skills/a/SKILL.md`]: '',
      [`${name}/tests/a.tests.mjs`]: `import './b.mjs';\n${returns({ passed: 0, failed: 1, errors: ['seen'] })}`,
      [`${name}/tests/b.mjs`]: '',
    });
    const { exitCode } = await runSkills(join(cwd, name));
    expect([exitCode, ends(join(cwd, name))]).toEqual([1, { a: 'failed | seen' }]);
  },
);

test('a skill whose name leaves the folder of tests is left out, with a warning', async () => {
  const cwd = folder({
    'skills/a/SKILL.md': '---\nname: ../../etc/passwd\n---\n',
    'tests/a.tests.mjs': returns({ passed: 1, failed: 0 }),
    'skills/a..b/SKILL.md': '---\nname: b\n---\n',
    'tests/a..b.tests.mjs': returns({ passed: 1, failed: 0 }),
  });
  const { exitCode, stderr } = await runSkills(cwd);
  expect([exitCode, ends(cwd)]).toEqual([0, { '../../etc/passwd': 'passed', b: 'skipped | skip' }]);
  expect(stderr).toBe(
    'skill "b" is untested: its short name "a..b" cannot name a test file\ntests/a..b.tests.mjs is left out: it belongs to no skill\n',
  );
});

test.each(['SIGKILL', 'SIGTERM'] as const)('nothing outlives a run that ends by %s', async (signal) => {
  const cwd = application({
    one: `${STUBBORN} export default () => new Promise(() => setInterval(() => {}, 1000));`,
    two: `${STUBBORN} export default () => new Promise(() => setInterval(() => {}, 1000));`,
  });
  const run = start(['skills', 'all', '--parallel', '2'], { cwd });
  await until(() => pidsIn(cwd).length === 4);
  run.child.kill(signal);
  // The first SIGTERM asks the run to finish what is running. Two signals at the same time are one to a process:
  // the second one is repeated until the run has ended.
  const again = setInterval(() => run.child.kill(signal), 50);
  await run.finished;
  clearInterval(again);
  await until(() => pidsIn(cwd).filter(isAlive).length === 0);
});
