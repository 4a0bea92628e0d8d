import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runTestFile } from './run-file.ts';
import type { CodeOptions, SkillFixture } from './skill-tests.fixture.ts';
import { areGone, failed, openFixture, PASSED } from './skill-tests.fixture.ts';

let fixture: SkillFixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.remove());

const pass = 'export default () => ({ passed: 1, failed: 0, errors: [] });\n';
const run = (code: string, options?: CodeOptions) => fixture.run(runTestFile, code, options);

test('runs in the folder of the file, with the environment, without arguments', async () => {
  process.env['SKILL_WORD'] = 'word';
  const result = await run(`
    export default () => {
      console.log(JSON.stringify([process.cwd(), process.env.SKILL_WORD, process.argv.length]));
      return { passed: 2, failed: 0, errors: [] };
    };`);
  delete process.env['SKILL_WORD'];
  expect(result).toEqual({
    ...PASSED,
    passed: 2,
    output: `${JSON.stringify([join(fixture.folder, 'tests'), 'word', 2])}\n`,
  });
});

test('verbose adds what it wrote to stderr', async () => {
  const code = `console.error('careful');${pass}`;
  expect([await run(code, { verbose: true }), await run(code)]).toEqual([
    { ...PASSED, stderr: 'careful\n' },
    PASSED,
  ]);
});

test.each([
  ['default function', pass],
  ['default async function', 'export default async function () { return { passed: 1, failed: 0 }; }'],
  ['default object with runTests', 'export default { n: 1, runTests() { return { passed: this.n }; } };'],
  ['default object with default', 'export default { default: () => ({ passed: 1 }) };'],
  ['named runTests', 'export const helper = 1; export async function runTests() { return { passed: 1 }; }'],
  [
    'default object without a test, named runTests',
    'export default {}; export const runTests = () => ({ passed: 1 });',
  ],
])('runs a %s', async (_name, code) => {
  expect(await run(code)).toEqual(PASSED);
});

test.each([
  ['function', 'module.exports = () => ({ passed: 1, failed: 0 });'],
  ['object', 'module.exports = { runTests: async () => ({ passed: 1, failed: 0 }) };'],
  ['transpiled object', 'exports.__esModule = true; exports.default = { runTests: () => ({ passed: 1 }) };'],
])('runs CommonJS that exports a %s', async (name, code) => {
  expect(await run(code, { name: `cjs/${name}.tests.js` })).toEqual(PASSED);
});

test('runs TypeScript, with its places in errors', async () => {
  const root = fixture.folder;
  fixture.write('typed/double.ts', 'export const double = (n: number): number => n * 2;\n');
  const good = `import { double } from './double.ts';
    export default (): { passed: number } => ({ passed: double(1) - 1 });`;
  expect(await run(good, { name: 'typed/good.tests.ts', root })).toEqual(PASSED);
  const bad = 'type Text = string;\n\nexport default () => {\n  throw new Error("no" as Text);\n};\n';
  expect(await run(bad, { name: 'typed/bad.tests.ts', root })).toEqual(failed('no\n    at FILE:4:9'));
  const { errors, ...rest } = await run('const x: = 1;', { name: 'typed/broken.tests.ts', root });
  expect([rest, errors[0]?.split('\n')[0]]).toEqual([
    { success: false, passed: 0, failed: 1, output: '' },
    'FILE:1:10: Unexpected "="; 1 | const x: = 1;',
  ]);
});

test.each([
  'quote \' and ".tests.mjs',
  'hash # and % and %20 and ?.tests.mjs',
  'über 名前 🙂.tests.mjs',
  'new\nline.tests.mjs',
  "'; process.exit(0)//x.tests.mjs",
  '`${process.exit(0)}`.tests.mjs',
  '-e.tests.mjs',
])('a path is data: %j', async (name) => {
  const code = `import { word } from './word.mjs'; export default () => ({ passed: word.length });`;
  fixture.write(join(dirname(join('odd', name)), 'word.mjs'), `export const word = 'x';`);
  expect(await run(code, { name: join('odd', name) })).toEqual(PASSED);
});

test('what it prints cannot change its result', async () => {
  const forged = JSON.stringify({ success: true, result: { passed: 99, failed: 0 } });
  const result = await run(`
    console.log('{'); console.log(${JSON.stringify(forged)});
    process.stdout.write(Buffer.from([0xff, 0xfe, 0x00]));
    export default () => ({ passed: 0, failed: 2, errors: ['a', new Error('b')] });
    process.on('exit', () => console.log(${JSON.stringify(forged)}));`);
  expect(result).toEqual({
    success: false,
    passed: 0,
    failed: 2,
    errors: ['a', 'b'],
    output: `{\n${forged}\n\uFFFD\uFFFD\0${forged}\n`,
  });
});

test('something else on the channel changes nothing', async () => {
  const result = await run(`
    import { writeSync } from 'node:fs';
    writeSync(3, '{"type":"returned","returned":{"kind":"counts","passed":7,"errors":[]}}');
    export default () => ({ passed: 1, failed: 0, errors: [] });`);
  expect(result).toEqual(PASSED);
});

test.runIf(process.platform === 'linux')('the first of two results counts', async () => {
  const result = await run(`
    import { readFileSync, writeSync } from 'node:fs';
    const token = readFileSync('/proc/self/cmdline', 'utf8').split('\\0')[2];
    const second = { type: 'returned', returned: { kind: 'counts', passed: 7, errors: [] } };
    process.on('exit', () => writeSync(3, '\\n' + token + ' ' + JSON.stringify(second) + '\\n'));
    ${pass}`);
  expect(result).toEqual(PASSED);
});

test('output beyond the bound is counted, and does not stop the test', async () => {
  const { output, ...rest } = await run(`
    import { writeSync } from 'node:fs';
    export default () => {
      const megabyte = Buffer.alloc(1024 * 1024, 'x');
      for (let n = 0; n < 200; n += 1) writeSync(1, megabyte);
      writeSync(1, 'the end');
      return { passed: 1 };
    };`);
  expect(rest).toEqual({ success: true, passed: 1, failed: 0, errors: [] });
  expect(output.length).toBeLessThan(10.1 * 1024 * 1024);
  expect(output.slice(5 * 1024 * 1024).replaceAll(/x+/g, 'x')).toBe(
    '\n… [209,715,207 bytes, 199,229,447 left out] …\nxthe end',
  );
});

test('an end before the result is a failure that says how', async () => {
  const during = (code: string) => run(`export default async () => { ${code} };`);
  expect(await during('process.exit(0);')).toEqual(failed('ended with exit code 0 before it gave a result'));
  expect(await during(`console.error('bad day'); process.exit(3);`)).toEqual({
    ...failed('ended with exit code 3 before it gave a result: bad day'),
    exitCode: 3,
  });
  expect(await run(`process.exit(0);${pass}`)).toEqual(
    failed('ended with exit code 0 before it gave a result'),
  );
  expect(await during('await new Promise(() => {});')).toEqual(
    failed('ended before it gave a result: it awaits a promise that can never settle'),
  );
  expect(
    await during(`setTimeout(() => { throw new Error('late'); }, 5); await new Promise(() => {});`),
  ).toEqual({
    ...failed('ended with exit code 1 before it gave a result: late\n    at FILE:1:55'),
    exitCode: 1,
  });
  expect(await during(`process.kill(process.pid, 'SIGKILL'); await new Promise(() => {});`)).toEqual({
    ...failed('was ended by SIGKILL before it gave a result; the system does that when its memory is full'),
    signal: 'SIGKILL',
  });
});

test('a full heap is recognised', async () => {
  const before = process.env['NODE_OPTIONS'];
  process.env['NODE_OPTIONS'] = '--max-old-space-size=20';
  const { errors, signal, output, ...rest } = await run(`
    export default () => { const all = []; for (;;) all.push(new Array(1000).fill(all.length)); };`);
  if (before === undefined) delete process.env['NODE_OPTIONS'];
  else process.env['NODE_OPTIONS'] = before;
  expect(rest).toEqual({ success: false, passed: 0, failed: 1 });
  expect([signal, output]).toEqual(['SIGABRT', expect.any(String)]);
  expect(errors).toEqual([
    expect.stringMatching(/^ran out of memory before it gave a result: FATAL ERROR: .*heap out of memory/),
  ]);
});

test('a closed channel is a failure, and what is opened in its place is not written to', async () => {
  const file = join(fixture.folder, 'instead.txt');
  const result = await run(`
    import { closeSync, openSync } from 'node:fs';
    closeSync(3);
    for (let fd = 0; fd < 3;) fd = openSync(${JSON.stringify(file)}, 'w');
    ${pass}`);
  expect(result).toEqual({
    ...failed('its result was lost: the test closed file descriptor 3, which carries it'),
    exitCode: 113,
  });
  expect(existsSync(file) ? readFileSync(file, 'utf8') : '').toBe('');
});

test('a bad end after a passing result is a failure', async () => {
  expect(await run(`process.exitCode = 1;${pass}`)).toEqual({
    ...failed('exited with code 1 after its result'),
    passed: 1,
    exitCode: 1,
  });
  expect(await run(`setTimeout(() => { throw new Error('late'); }, 1);${pass}`)).toEqual({
    ...failed('exited with code 1 after its result: late\n    at FILE:1:26'),
    passed: 1,
    exitCode: 1,
  });
  expect(await run(`process.exitCode = 1; export default () => ({ failed: 1, errors: ['x'] });`)).toEqual({
    ...failed('x'),
    exitCode: 1,
  });
});

test('what is open after the result is reported and ended; the result counts', async () => {
  const pids = join(fixture.folder, 'leak.pid');
  const result = await run(`
    import { createServer } from 'node:net';
    import { writeFileSync } from 'node:fs';
    export default () => {
      writeFileSync(${JSON.stringify(pids)}, String(process.pid));
      console.log('printed'); console.error('printed');
      createServer().listen(0, '127.0.0.1');
      setInterval(() => {}, 1000);
      setInterval(() => {}, 1000);
      return { passed: 1 };
    };`);
  expect(result).toEqual({
    ...PASSED,
    output: 'printed\n',
    leaks: 'still open after the result: 1 server, 2 timers',
  });
  expect(await areGone(pids)).toBe(true);
  expect(await run(`${pass}; setTimeout(() => { for (;;); }, 5);`)).toEqual({
    ...PASSED,
    leaks: 'still running after the result',
  });
});

test('a timeout ends everything: what ignores SIGTERM, and the children that do', async () => {
  const pids = join(fixture.folder, 'hang.pid');
  const result = await run(
    `
    import { spawn } from 'node:child_process';
    import { writeFileSync } from 'node:fs';
    process.on('SIGTERM', () => console.log('not now'));
    export default async () => {
      const child = spawn('sh', ['-c', "trap '' TERM HUP INT; while :; do sleep 1; done"], { stdio: 'inherit' });
      console.log('started');
      writeFileSync(${JSON.stringify(pids)}, process.pid + '\\n' + child.pid);
      await new Promise(() => setInterval(() => {}, 1000));
    };`,
    { timeout: 1500 },
  );
  expect(result).toEqual({
    ...failed('Test timeout exceeded: no result after 1500 ms'),
    output: 'started\nnot now\n',
    timedOut: true,
  });
  expect(await areGone(pids)).toBe(true);
});

test('a loop without an end is ended at the timeout', async () => {
  expect(await run('for (;;);', { timeout: 300 })).toEqual({
    ...failed('Test timeout exceeded: no result after 300 ms'),
    timedOut: true,
  });
});

test('children that a test leaves behind end with it', async () => {
  const pids = join(fixture.folder, 'orphan.pid');
  const result = await run(`
    import { spawn } from 'node:child_process';
    import { writeFileSync } from 'node:fs';
    const child = spawn('sleep', ['60'], { stdio: 'inherit' });
    child.unref();
    writeFileSync(${JSON.stringify(pids)}, String(child.pid));
    ${pass}`);
  expect(result).toEqual(PASSED);
  expect(await areGone(pids)).toBe(true);
});

test('a signal ends a run, and one that has aborted starts none', async () => {
  const pids = join(fixture.folder, 'stop.pid');
  const controller = new AbortController();
  const code = `
    import { writeFileSync } from 'node:fs';
    writeFileSync(${JSON.stringify(pids)}, String(process.pid));
    await new Promise(() => setInterval(() => {}, 1000));`;
  const running = run(code, { signal: controller.signal });
  while (!existsSync(pids)) await new Promise((resolve) => void setTimeout(resolve, 10));
  controller.abort(new Error('enough'));
  expect(await running).toEqual(failed('was stopped: enough'));
  expect(await areGone(pids)).toBe(true);
  expect(await run(pass, { signal: controller.signal })).toEqual(failed('was stopped: enough'));
});

test('fake timers and a patched JSON in a test do not reach the result', async () => {
  expect(
    await run(`
    globalThis.setTimeout = () => 0; JSON.stringify = () => 'x'; process.exit = () => {};
    ${pass}`),
  ).toEqual(PASSED);
});
