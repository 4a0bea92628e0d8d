// What a test file returns or does, and what becomes of it: counted, told, never a pass by mistake.

import { expect, test } from 'vitest';
import { application, ends, resultsIn, returns, runSkills } from '../support/skill-files.ts';

test('the counts that a test returns are the result', async () => {
  const cwd = application({
    good: returns({ passed: 3, failed: 0, errors: [] }),
    bad: returns({ passed: 2, failed: 1, errors: ['total is 10, not 12'] }),
    silent: returns({ passed: 2, failed: 2 }),
    errors: returns({ passed: 1, failed: 0, errors: ['first', 'second'] }),
  });
  const { exitCode } = await runSkills(cwd);
  expect([exitCode, ends(cwd)]).toEqual([
    1,
    {
      good: 'passed',
      bad: 'failed | total is 10, not 12',
      silent: 'failed | 2 checks failed',
      errors: 'failed | first',
    },
  ]);
  const { good, bad, errors } = resultsIn(cwd);
  expect([good?.checks, bad?.checks, errors?.checks]).toEqual([
    { passed: 3, failed: 0 },
    { passed: 2, failed: 1 },
    { passed: 1, failed: 2 },
  ]);
  expect(errors?.verdicts).toEqual([
    { type: 'check', status: 'failed', message: 'first' },
    { type: 'check', status: 'failed', message: 'second' },
  ]);
});

test('a test that checks nothing does not pass, unless that is allowed', async () => {
  const cwd = application({
    nothing: 'export default () => {};',
    zeros: returns({ passed: 0, failed: 0, errors: [] }),
    words: returns({ passed: 'three', failed: null }),
    counts: returns({ errors: [] }),
    bad: returns({ passed: 0, failed: 1, errors: ['x'] }),
  });
  const { exitCode, stdout } = await runSkills(cwd);
  expect([exitCode, ends(cwd)]).toEqual([
    1,
    {
      nothing: 'failed | no checks: the test returned nothing',
      zeros: 'failed | no checks: it counted 0',
      words: expect.stringMatching(/^failed \| no checks: passed is "three", not a count/),
      counts: 'failed | no checks: the test returned no counts',
      bad: 'failed | x',
    },
  ]);
  expect(stdout).toMatch(/✗ zeros \[no checks\] \d+m?s\n {2}└─ no checks: it counted 0\n/);

  const allowed = await runSkills(cwd, ['--allow-empty']);
  expect([allowed.exitCode, ends(cwd)]).toEqual([
    1,
    { nothing: 'passed', zeros: 'passed', words: 'passed', counts: 'passed', bad: 'failed | x' },
  ]);
  expect(allowed.stdout).toMatch(/✓ zeros \[no checks\] \d+m?s\n/);
});

test('an unreadable list of failures is never a pass, even where empty tests pass', async () => {
  const cwd = application({
    list: returns({ passed: 2, failed: ['a failed'] }),
    text: returns({ passed: 1, failed: '3' }),
    negative: returns({ passed: 1, failed: -1 }),
    infinite: 'export default () => ({ passed: 2, failed: Infinity });',
    part: returns({ passed: 0.5, failed: 0 }),
  });
  const { exitCode } = await runSkills(cwd, ['--allow-empty']);
  expect([exitCode, ends(cwd)]).toEqual([
    1,
    {
      list: expect.stringMatching(/^failed \| no checks: failed is .*, not a count$/),
      text: 'failed | no checks: failed is "3", not a count',
      negative: 'failed | no checks: failed is -1, not a count',
      infinite: 'failed | no checks: failed is Infinity, not a count',
      part: 'passed',
    },
  ]);
});

test('a test that patches what the result travels by changes nothing', async () => {
  const bad = `({ passed: 1, failed: 1, errors: ['real'] })`;
  const cwd = application({
    buffer: `export default () => { Buffer.from = () => new Uint8Array(); return ${bad}; };`,
    gone: `export default () => { globalThis.Buffer = null; return ${bad}; };`,
    write: `
      import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      export default () => { fs.writeSync = () => 0; fs.fstatSync = () => ({}); syncBuiltinESMExports(); return ${bad}; };`,
  });
  await runSkills(cwd);
  expect(ends(cwd)).toEqual({ buffer: 'failed | real', gone: 'failed | real', write: 'failed | real' });
});

test('the functions that count as a test, and what is said of anything else', async () => {
  const result = '({ passed: 1, failed: 0, errors: [] })';
  const cwd = application(
    {
      function: `export default async () => ${result};`,
      object: `export default { runTests: () => ${result} };`,
      inner: `export default { default: () => ${result} };`,
      named: `export function runTests() { return ${result}; }`,
      data: `export default { passed: 1 };\nexport const helper = 1;\n`,
      nothing: '',
    },
    {
      'skills/common/SKILL.md': '',
      'tests/common.tests.js': `module.exports = () => ${result};`,
      'skills/typed/SKILL.md': '',
      'tests/typed.tests.ts': `type Count = { passed: number };\nexport default (): Count => ${result};`,
    },
  );
  await runSkills(cwd);
  expect(ends(cwd)).toEqual({
    function: 'passed',
    object: 'passed',
    inner: 'passed',
    named: 'passed',
    common: 'passed',
    typed: 'passed',
    data: 'error | agent | Test file must export a default function or a runTests function; it exports default (object with passed), helper (number)',
    nothing:
      'error | agent | Test file must export a default function or a runTests function; it exports nothing',
  });
});

test('every kind of failure has a reason', async () => {
  const cwd = application(
    {
      throws: `export default () => {\n  throw new TypeError('not so');\n};`,
      rejects: `export default async () => { await null; throw 'a text'; };`,
      syntax: `export default () => {\n  const x = ;\n};`,
      missing: `import './none.mjs';\nexport default () => {};`,
      exits: `process.exit(0);`,
      fails: `export default () => process.exit(3);`,
      crash: `export default () => new Promise(() => setTimeout(() => { throw new Error('later'); }, 5));`,
      killed: `export default () => process.kill(process.pid, 'SIGKILL');`,
      forever: `export default () => new Promise(() => {});`,
      after: `export default () => { process.exitCode = 4; return { passed: 1, failed: 0 }; };`,
    },
    {
      'skills/typed/SKILL.md': '',
      'tests/typed.tests.ts': `export default () => {\n  const x: = 1;\n};`,
    },
  );
  const { exitCode } = await runSkills(cwd);
  expect([exitCode, ends(cwd)]).toEqual([
    1,
    {
      throws: 'error | agent | TypeError: not so',
      rejects: expect.stringMatching(/^error \| agent \| .*a text/),
      syntax: "error | agent | cannot be imported: SyntaxError: Unexpected token ';'",
      missing: expect.stringMatching(
        /^error \| agent \| cannot be imported: .*Cannot find module.*none\.mjs/,
      ),
      exits: 'error | agent | ended with exit code 0 before it gave a result',
      fails: 'error | agent | ended with exit code 3 before it gave a result',
      crash: expect.stringMatching(
        /^error \| agent \| ended with exit code 1 before it gave a result: later/,
      ),
      killed: expect.stringMatching(/^error \| agent \| was ended by SIGKILL before it gave a result/),
      forever: 'error | agent | ended before it gave a result: it awaits a promise that can never settle',
      after: 'error | agent | exited with code 4 after its result',
      typed: expect.stringMatching(/^error \| agent \| .*tests\/typed\.tests\.ts:2/s),
    },
  ]);
  const { throws, syntax } = resultsIn(cwd);
  expect(throws?.stack).toContain('tests/throws.tests.mjs:2:9');
  expect(syntax?.stack).toContain('tests/syntax.tests.mjs:2:13');
});

test('a timer or a server that stays open is reported, and the result stands', async () => {
  const cwd = application({
    open: `
      import { createServer } from 'node:http';
      export default () => { setInterval(() => {}, 1000); createServer().listen(0); return { passed: 1, failed: 0 }; };`,
  });
  const { exitCode, stdout } = await runSkills(cwd, ['--timeout', '20s']);
  expect([exitCode, ends(cwd), resultsIn(cwd)['open']?.leaks]).toEqual([
    0,
    { open: 'passed' },
    'still open after the result: 1 server, 1 timer',
  ]);
  expect(stdout).toMatch(/✓ open \[1✓ 0✗\] \d+ms\n {2}still open after the result: 1 server, 1 timer\n/);
});

test('it has the folder of its file, the environment and the variables of the application', async () => {
  const cwd = application(
    {
      place: `
        import { basename } from 'node:path';
        export default () => {
          console.log(basename(process.cwd()), process.env.OUTER, process.env.KEPT, process.argv.length);
          console.error('to stderr');
          return { passed: 1, failed: 0 };
        };`,
    },
    { '.env': 'KEPT=from the file\nOUTER=not this\n' },
  );
  await runSkills(cwd, [], { env: { OUTER: 'outer' } });
  expect(resultsIn(cwd)['place']?.logs).toEqual(['tests outer from the file 2', '[stderr] to stderr']);
});
