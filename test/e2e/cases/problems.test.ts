// Case files that cannot be run: every problem with its place, exit 2, and nothing was executed.

import { createWriteStream, existsSync, readdirSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, folder } from '../support/assay.ts';

/** Leaves a file behind when it is called. */
const AGENT = `import { writeFileSync } from 'node:fs'; export default () => { writeFileSync('called', ''); return 'ok'; };`;
const RUN = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'];

async function problemsOf(
  content: unknown,
  more: readonly string[] = [],
): Promise<{ exitCode: number | null; stderr: string }> {
  const cwd = folder({ 'agent.mjs': AGENT, 'cases.jsonl': content });
  const { exitCode, stdout, stderr } = await assay([...RUN, ...more], { cwd });
  expect({
    stdout,
    called: existsSync(join(cwd, 'called')),
    log: existsSync(join(cwd, 'log.jsonl')),
  }).toEqual({
    stdout: '',
    called: false,
    log: false,
  });
  return { exitCode, stderr };
}

test('all problems at once, with file and line; a broken object hides no other problem', async () => {
  const { exitCode, stderr } = await problemsOf(
    [
      '{"id": "fine", "input": "hi"}',
      '{"id": "fine", "input": "twice"}',
      '{"input": "no id"}',
      '{"id": "no-input"}',
      '{"id": "unknown", "input": "hi", "expcted": 1}',
      '{"id": "duration", "input": "hi", "timeout": "5 minutes"}',
      '{"id": "type", "input": "hi", "assert": {"type": "equal", "value": 1}}',
      '{"id": "regex", "input": "hi", "assert": {"type": "regex", "value": "(unclosed"}}',
      '{"id": "path", "input": "hi", "assert": {"type": "json_path", "path": "$[", "value": 1}}',
      '{"id": "broken", "input": ',
      '  "x": [',
      '{"id": "after", "input": "hi", "tags": "smoke"}',
      '{"id": 7, "input": 5}',
      '["not an object"]',
      '{"id": "script", "input": "hi", "assert": {"type": "script", "script": "scripts.none.Check"}}',
      '{"id": "empty", "input": []}',
      '{"id": "outside", "input": [{"type": "file", "source": "file://../../../etc/hostname"}]}',
      '{"id": "missing", "input": [{"type": "file", "source": "file://none.png"}]}',
      '{"id": "last", "input": "hi"',
    ].join('\n'),
  );
  expect(exitCode).toBe(2);
  expect(stderr.split('\n').filter((line) => !line.startsWith('  hint: '))).toEqual([
    'cases.jsonl:2: duplicate id "fine", first used on line 1',
    'cases.jsonl:3: "id" is missing',
    'cases.jsonl:4: "input" is missing',
    'cases.jsonl:5: unknown field "expcted"',
    expect.stringMatching(/^cases\.jsonl:6: "timeout" is no duration/),
    'cases.jsonl:7: assert: unknown assertion type "equal"',
    expect.stringMatching(/^cases\.jsonl:8: .*\(unclosed/),
    expect.stringMatching(/^cases\.jsonl:9: .*\$\[/),
    expect.stringMatching(/^cases\.jsonl:10: /),
    'cases.jsonl:12: "tags" must be a list of strings, none of them empty',
    'cases.jsonl:13: "id" must be a string: write "7"',
    expect.stringMatching(/^cases\.jsonl:13: "input" must be text, a message/),
    expect.stringMatching(/^cases\.jsonl:14: /),
    expect.stringMatching(
      /^cases\.jsonl:15: assert: scripts\.none\.Check: no such script; looked for scripts\/none\.ts/,
    ),
    'cases.jsonl:16: "input" is an empty list',
    expect.stringMatching(
      /^cases\.jsonl:17: file "\.\.\/\.\.\/\.\.\/etc\/hostname" lies outside the application root /,
    ),
    'cases.jsonl:18: file "none.png" does not exist',
    expect.stringMatching(/^cases\.jsonl:19: /),
    '',
  ]);
  expect(stderr).toContain('hint: did you mean "expected"?');
  expect(stderr).toContain('hint: did you mean "equals"?');
});

test('problems of the agent, the context and the cases are reported together', async () => {
  const cwd = folder({
    'cases.jsonl': '{"id": "T1"}\n',
    'ctx.json': '{\n  "athorized": {},\n  "locale": 5\n}',
  });
  const { exitCode, stderr } = await assay(
    ['test', '-i', 'cases.jsonl', '-n', './none.ts', '--ctx', 'ctx.json'],
    { cwd },
  );
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr:
      'no agent "./none.ts"; looked for none.ts\n  hint: there are no agents below assistants/\n' +
      'cases.jsonl:1: "input" is missing\n' +
      'ctx.json:2: unknown field "athorized"\n  hint: did you mean "authorized"?\n' +
      'ctx.json:3: "locale" must be a string\n',
  });
});

test('an empty file, one of comments only, and one of white space', async () => {
  const expected = {
    exitCode: 2,
    stderr: 'cases.jsonl: no cases: the file is empty or holds only comments\n',
  };
  expect(await problemsOf('')).toEqual(expected);
  expect(await problemsOf('// nothing\n# here\n')).toEqual(expected);
  expect(await problemsOf('\n \n\t\n')).toEqual(expected);
});

test('a binary file', async () => {
  const bytes = Uint8Array.from({ length: 50_000 }, (_, index) => (index * 7919) % 256);
  const { exitCode, stderr } = await problemsOf(bytes);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^cases\.jsonl:1: /);
  expect(stderr.length).toBeLessThan(10_000);
  // oxlint-disable-next-line no-control-regex
  expect(stderr).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f]/);
});

test('nothing selected', async () => {
  const cases = [
    { id: 'T1', input: 'hi', tags: ['a'] },
    { id: 'T2', input: 'hi' },
  ];
  const expected = {
    exitCode: 2,
    stderr:
      'none of the 2 cases is selected\n  hint: check --run, --tag and --failed; --dry-run lists what would run\n',
  };
  expect(await problemsOf(cases, ['--run', 'nothing'])).toEqual(expected);
  expect(await problemsOf(cases, ['--tag', 'b'])).toEqual(expected);
});

test('a run log is no case file', async () => {
  const cwd = folder({ 'agent.mjs': AGENT, 'cases.jsonl': [{ id: 'T1', input: 'hi' }] });
  await assay(RUN, { cwd });
  const { exitCode, stderr } = await assay(['test', '-i', 'log.jsonl', '-n', './agent.mjs'], { cwd });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr:
      'log.jsonl:1: this is the log of a run, not a case file\n  hint: to look at it: assay report log.jsonl\n',
  });
});

test('a file that is not there is not a message', async () => {
  const cwd = folder({ 'agent.mjs': AGENT, 'cases.jsonl': [{ id: 'T1', input: 'hi' }] });
  const run = async (input: string) => {
    const { exitCode, stderr } = await assay(['test', '-i', input, '-n', './agent.mjs'], { cwd });
    return `${String(exitCode)} ${stderr}`;
  };
  expect(await run('case.jsonl')).toBe(
    '2 input file "case.jsonl" does not exist\n  hint: did you mean "cases.jsonl"?\n',
  );
  expect(await run('none/cases.jsonl')).toBe(
    '2 input file "none/cases.jsonl" does not exist\n  hint: there is no folder none\n',
  );
  expect(await run('tests/*.jsonl')).toMatch(/^2 no file matches "tests\/\*\.jsonl"\n/);
  expect(await run('')).toMatch(/^2 the input is empty\n/);
  expect(existsSync(join(cwd, 'called'))).toBe(false);
  const nothing = await assay(['test', '-n', './agent.mjs'], { cwd });
  expect(nothing).toMatchObject({
    exitCode: 2,
    stderr:
      'nothing to test\n  hint: name the cases and the agent: assay test cases.jsonl ./agent.ts; or send a message: -i "hello"; assay init writes a first agent and its cases\n',
  });
});

test('a line of 100 MB is one problem, whatever it holds; the rest is checked, in little memory', async () => {
  const cwd = folder({ 'agent.mjs': AGENT });
  const file = createWriteStream(join(cwd, 'cases.jsonl'));
  const block = 'x'.repeat(1024 * 1024);
  const writeBlocks = async (): Promise<void> => {
    for (let count = 0; count < 100; count += 1) if (!file.write(block)) await once(file, 'drain');
  };
  file.write('{"id": "before"}\n{"id": "long", "input": "');
  await writeBlocks();
  file.write('"}\n{"id": "between"}\n');
  await writeBlocks();
  file.end('\n{"id": "after"}\n');
  await once(file, 'finish');
  const { exitCode, stderr } = await assay(RUN, { cwd, env: { NODE_OPTIONS: '--max-old-space-size=64' } });
  expect(exitCode).toBe(2);
  expect(stderr.split('\n')).toEqual([
    'cases.jsonl:1: "input" is missing',
    'cases.jsonl:2: the object is larger than 16 MB: use a file:// source for large data',
    'cases.jsonl:3: "input" is missing',
    'cases.jsonl:4: the object is larger than 16 MB: use a file:// source for large data',
    'cases.jsonl:5: "input" is missing',
    '',
  ]);
  expect(readdirSync(cwd).sort()).toEqual(['.assay', 'agent.mjs', 'cases.jsonl']);
});

test('cases that cannot be written down again are refused with their lines', async () => {
  const deep = 4500;
  const cwd = folder({
    'agent.mjs': 'export default () => 1;',
    'cases.jsonl': [
      `{"id":"deep","input":"hi","expected":${'['.repeat(deep)}${']'.repeat(deep)}}`,
      '{"id":"large","input":"hi","expected":1e400}',
      '{"id":"half\\ud83d","input":"hi"}',
      `{"id":"${'x'.repeat(1_000_000)}","input":"hi"}`,
      `{"id":"${'x'.repeat(1_000_000)}","input":"hi"}`,
    ].join('\n'),
  });
  const { exitCode, stderr } = await assay(RUN, { cwd });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('cases.jsonl:1: "expected" is nested deeper than 500 levels');
  expect(stderr).toContain('cases.jsonl:2: "expected" holds a number that is too large');
  expect(stderr).toContain('cases.jsonl:3: "id" holds half a character');
  expect(stderr).toContain(`cases.jsonl:5: duplicate id "${'x'.repeat(60)}…", first used on line 4`);
  expect(stderr.length).toBeLessThan(2000);
});
