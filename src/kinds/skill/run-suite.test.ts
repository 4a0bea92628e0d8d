import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runTestFile } from './run-file.ts';
import { runTestFileInProcess } from './run-in-process.ts';
import { runTestSuite } from './run-suite.ts';
import { openFixture, withoutDuration } from './skill-tests.fixture.ts';
import type { SkillTest, SuiteOptions } from './types.ts';

let fixture: Awaited<ReturnType<typeof openFixture>>;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.remove());

function skillTest(shortName: string, code: string): SkillTest {
  const testFile = fixture.write(`tests/${shortName}.tests.mjs`, code);
  return { skillName: `${shortName}-skill`, shortName, skillType: 'skill', testFile };
}

async function run(tests: SkillTest[], options: SuiteOptions) {
  const { duration, results, ...rest } = await runTestSuite(tests, { ...options, runner: fixture.runner });
  expect(Number.isInteger(duration)).toBe(true);
  return { ...rest, results: results.map((result) => withoutDuration(result)) };
}

test.each([false, true, 2])(
  'gives results in the order of the tests, with totals (parallel: %s)',
  async (parallel) => {
    const slow = skillTest(
      'slow',
      `await new Promise((done) => setTimeout(done, 150)); export default () => ({ passed: 2, failed: 0 });`,
    );
    const bad = skillTest('bad', `export default () => ({ passed: 1, failed: 2, errors: ['a', 'b'] });`);
    const gone = { ...slow, testFile: join(fixture.folder, 'gone.tests.mjs') };
    const missing = `no such file: ${gone.testFile}`;
    const passed = { success: true, passed: 2, failed: 0, output: '', errors: [] };
    expect(await run([slow, bad, gone], { parallel })).toEqual({
      success: false,
      totalTests: 3,
      totalPassed: 3,
      totalFailed: 3,
      results: [
        { ...slow, ...passed },
        { ...bad, success: false, passed: 1, failed: 2, output: '', errors: ['a', 'b'] },
        { ...gone, success: false, passed: 0, failed: 1, output: '', errors: [missing] },
      ],
      errors: ['a', 'b', missing],
    });
  },
);

test('succeeds without tests; fails if one has no checks', async () => {
  const nothing = { totalPassed: 0, totalFailed: 0, errors: [] };
  expect(await run([], {})).toEqual({ ...nothing, success: true, totalTests: 0, results: [] });
  const empty = skillTest('empty', 'export default () => {};');
  expect(await run([empty], {})).toMatchObject({ success: false, totalFailed: 0 });
  expect(await run([empty], { allowEmpty: true })).toMatchObject({ ...nothing, success: true });
});

test('runs no more tests at once than it may', async () => {
  const log = join(fixture.folder, 'log');
  const code = `
    import { appendFileSync } from 'node:fs';
    appendFileSync(${JSON.stringify(log)}, '+');
    process.on('exit', () => appendFileSync(${JSON.stringify(log)}, '-'));
    export default async () => { await new Promise((done) => setTimeout(done, 50)); return { passed: 1 }; };`;
  const tests = Array.from({ length: 6 }, (_, index) => skillTest(`n${String(index)}`, code));
  expect(await run(tests, { parallel: 3 })).toMatchObject({ success: true, totalPassed: 6 });
  let running = 0;
  const levels = readFileSync(log, 'utf8')
    .split('')
    .map((sign) => (running += sign === '+' ? 1 : -1));
  expect([Math.max(...levels) <= 3, levels.length, running]).toEqual([true, 12, 0]);
});

test.each([
  [{ timout: 5 }, 'unknown option "timout"'],
  [{ timeout: 'soon' }, 'timeout: must be a number of milliseconds above 0, not "soon"'],
  [{ timeout: -1 }, 'timeout: must be a number of milliseconds above 0, not -1'],
  [{ timeout: Number.NaN }, 'timeout: must be a number of milliseconds above 0, not NaN'],
  [{ parallel: 0 }, 'parallel: must be true, false or a whole number of at least 1, not 0'],
])('%o is refused', async (options, message) => {
  const wrong = options as object;
  await expect(runTestSuite([], wrong)).rejects.toThrow(message);
  await expect(runTestFile('x.tests.mjs', wrong)).rejects.toThrow(message);
  await expect(runTestFileInProcess('x.tests.mjs', wrong)).rejects.toThrow(message);
});
