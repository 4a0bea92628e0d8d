import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runTestFileInProcess } from './run-in-process.ts';
import type { CodeOptions, SkillFixture } from './skill-tests.fixture.ts';
import { failed, openFixture, PASSED, withoutDuration } from './skill-tests.fixture.ts';

let fixture: SkillFixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.remove());

const pass = 'export default () => ({ passed: 1, failed: 0, errors: [] });\n';
const run = (code: string, options?: CodeOptions) => fixture.run(runTestFileInProcess, code, options);

test('runs in this process, and keeps what it prints', async () => {
  const code = `console.log(process.pid); console.error('careful'); ${pass}`;
  expect(await run(code, { verbose: true })).toEqual({
    ...PASSED,
    output: `${String(process.pid)}\n`,
    stderr: 'careful\n',
  });
});

test.each([
  ['default function', 'a.tests.mjs', pass],
  [
    'default object with runTests',
    'b.tests.mjs',
    'export default { n: 1, runTests() { return { passed: this.n }; } };',
  ],
  ['default object with default', 'c.tests.mjs', 'export default { default: () => ({ passed: 1 }) };'],
  ['named runTests', 'd.tests.mjs', 'export const runTests = async () => ({ passed: 1 });'],
  ['CommonJS function', 'e.tests.js', 'module.exports = () => ({ passed: 1 });'],
  ['CommonJS object', 'f.tests.js', 'exports.runTests = () => ({ passed: 1 });'],
  ['TypeScript function', 'g.tests.ts', 'export default (): { passed: number } => ({ passed: 1 });'],
])('runs a %s', async (_name, name, code) => {
  expect(await run(code, { name: join('forms', name), root: fixture.folder })).toEqual(PASSED);
});

test('imports everything afresh each time', async () => {
  const name = 'fresh/fresh.tests.mjs';
  const code = `import { value } from './value.mjs';
    globalThis.seen = (globalThis.seen ?? 0) + 1;
    export default () => ({ passed: value, failed: globalThis.seen - 1 });`;
  fixture.write('fresh/value.mjs', 'export const value = 1;');
  expect(await run(code, { name })).toEqual(PASSED);
  fixture.write('fresh/value.mjs', 'export const value = 2;');
  expect(await run(code, { name })).toEqual({ ...PASSED, passed: 2 });
});

test.each(['q \' ".tests.mjs', '# % %20 ?.tests.mjs', 'ü 名\n.tests.mjs', "'; process.exit(0)//x.tests.mjs"])(
  'a path is data: %j',
  async (name) => {
    expect(await run(pass, { name: join('odd', name) })).toEqual(PASSED);
  },
);

test('process.exit ends only the test', async () => {
  expect(await run('export default () => process.exit(0);')).toEqual(
    failed('ended with exit code 0 before it gave a result'),
  );
  expect(await run('export default () => process.exit(4);')).toEqual({
    ...failed('ended with exit code 4 before it gave a result'),
    exitCode: 4,
  });
});

test.each(['for (;;);', 'await new Promise(() => setInterval(() => {}, 1000));'])(
  'is ended at the timeout: %s',
  async (code) => {
    expect(await run(code, { timeout: 300 })).toEqual({
      ...failed('Test timeout exceeded: no result after 300 ms'),
      timedOut: true,
    });
  },
);

test('failures say why and where', async () => {
  expect(await run(`export default () => {\n  throw new TypeError('boom');\n};`)).toEqual(
    failed('TypeError: boom\n    at FILE:2:9'),
  );
  expect(await run('let a = 1;\nconst = 2;')).toEqual(
    failed("cannot be imported: SyntaxError: Unexpected token '='\n    at FILE:2:7"),
  );
  expect(await run('export const a = 1;')).toEqual(
    failed('Test file must export a default function or a runTests function; it exports a (number)'),
  );
  expect(
    await run(
      `setTimeout(() => { throw new Error('late'); }, 5); export default () => new Promise(() => {});`,
    ),
  ).toEqual({
    ...failed('ended with exit code 1 before it gave a result: late\n    at FILE:1:26'),
    exitCode: 1,
  });
  expect(await run('export default () => new Promise(() => {});')).toEqual(
    failed('ended before it gave a result: it awaits a promise that can never settle'),
  );
  expect(await run('export default () => {};')).toEqual({
    success: false,
    passed: 0,
    failed: 0,
    output: '',
    errors: ['no checks: the test returned nothing'],
    empty: true,
  });
});

test('what is open after the result is reported and ended', async () => {
  expect(await run(`setInterval(() => {}, 1000);${pass}`)).toEqual({
    ...PASSED,
    leaks: 'still open after the result: 1 timer',
  });
});

test('messages of a test to its parent thread change nothing', async () => {
  const code = `import { parentPort } from 'node:worker_threads';
    const returned = { kind: 'counts', passed: 7, errors: [] };
    for (const value of [1, null, { token: '', message: { type: 'returned', returned } }]) parentPort.postMessage(value);`;
  expect(await run(code + pass)).toEqual(PASSED);
});

test('a missing file and a stopped run are failures', async () => {
  const { folder, runner } = fixture;
  const missing = await runTestFileInProcess(join(folder, 'none.tests.mjs'), { runner });
  expect(withoutDuration(missing)).toEqual(failed(`no such file: ${folder}/none.tests.mjs`));
  const controller = new AbortController();
  setTimeout(() => controller.abort(new Error('enough')), 50);
  expect(await run('for (;;);', { signal: controller.signal })).toEqual(failed('was stopped: enough'));
});

test.skipIf(process.platform !== 'linux')('ends what a test has started and left behind', async () => {
  const code = `import { spawn } from 'node:child_process';
    const child = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' });
    child.unref();
    console.log(child.pid);
    ${pass}`;
  const { output } = await run(code, { verbose: true });
  // This process is its parent and does not wait for it: it stays as a zombie.
  expect(readFileSync(`/proc/${output.trim()}/stat`, 'utf8').split(' ')[2]).toBe('Z');
});
