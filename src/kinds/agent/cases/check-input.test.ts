import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RuntimeError } from '../../../errors.ts';
import type { ParsedObject } from '../../../json/jsonl.ts';
import type { LoadedCase } from '../../../model/case.ts';
import type { CheckedInput } from './check-input.ts';
import { checkInput } from './check-input.ts';
import { readCases } from './read-cases.ts';
import type { CaseSource } from '../source.ts';
import type { CaseReferences } from './references.ts';
import { createReferences } from './references.ts';

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'assay-cases-')));
  mkdirSync(path.join(root, 'tests'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function file(content: string, name = 'tests/cases.jsonl'): CaseSource {
  writeFileSync(path.join(root, name), content);
  return { type: 'file', path: path.join(root, name) };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function check(content: string, select?: (testCase: { id: string }) => boolean): Promise<CheckedInput> {
  return await checkInput(file(content), { root, cwd: root, select });
}

/** What is found in a file besides its cases: here nothing but the names that cases use, without an agent of their own. */
function foundWith(named: Partial<CaseReferences>): Pick<CheckedInput, 'declared' | 'files' | 'references'> {
  const references = { ...createReferences(), line: 1, needsConnector: true, ...named };
  return { references: new Map([[undefined, references]]), files: [], declared: new Set() };
}

const KEPT = expect.any(Array) as ParsedObject[][];

describe('checkInput', () => {
  test('counts the cases and those selected, and hashes the bytes', async () => {
    const text = '# two\n{"id":"a","input":"hi"}\n{"id":"b","input":"hi"}\n';
    expect(await check(text, ({ id }) => id === 'b')).toEqual({
      total: 2,
      selected: 1,
      sha256: sha256(text),
      problems: [],
      ...foundWith({ line: 2, unchecked: 2 }),
      kept: KEPT,
    });
  });

  test('cuts a long id in a problem', async () => {
    const line = `{"id":"${'x'.repeat(5000)}","input":"hi"}\n`;
    expect((await check(line + line)).problems).toEqual([
      { message: `duplicate id "${'x'.repeat(60)}…", first used on line 1`, at: 'tests/cases.jsonl:2' },
    ]);
  });

  test('reports all problems at once, in the order of the lines', async () => {
    const text = [
      '{"id":"a","input":"hi"}',
      '{"id":"b"}',
      '{"id":"a","input":"again"}',
      '{"id":"c","input":',
      '{"id":"d","input":"hi","timout":"5s"}',
      '{"id":"e","input":[{"type":"image","source":"file://nope.png"}]}',
      '{"id":"b","input":"hi","assert":{"type":"script","script":"scripts.nope.Check"}}',
    ].join('\n');
    const { problems, ...rest } = await check(text);
    expect(rest).toEqual({
      total: 6,
      selected: 3,
      sha256: sha256(text),
      ...foundWith({ unchecked: 3 }),
      kept: KEPT,
    });
    expect(problems.slice(0, 5)).toEqual([
      { message: '"input" is missing', at: 'tests/cases.jsonl:2' },
      { message: 'duplicate id "a", first used on line 1', at: 'tests/cases.jsonl:3' },
      { message: 'the object is not closed', at: 'tests/cases.jsonl:4' },
      { message: 'unknown field "timout"', hint: 'did you mean "timeout"?', at: 'tests/cases.jsonl:5' },
      { message: 'file "nope.png" does not exist', at: 'tests/cases.jsonl:6' },
    ]);
    expect(problems.slice(5).map(({ at, message }) => ({ at, about: message.slice(0, 26) }))).toEqual([
      { at: 'tests/cases.jsonl:7', about: 'assert: scripts.nope.Check' },
      { at: 'tests/cases.jsonl:7', about: 'duplicate id "b", first us' },
    ]);
  });

  test('finds files from the folder of the case file and scripts from the root', async () => {
    mkdirSync(path.join(root, 'scripts'));
    writeFileSync(path.join(root, 'scripts/test.ts'), 'function Check() { return true }\n');
    writeFileSync(path.join(root, 'tests/dot.png'), 'x');
    const text =
      '{"id":"a","input":[{"type":"image","source":"file://dot.png"}],"assert":[{"type":"script","script":"scripts.test.Check"}]}';
    expect(await check(text)).toEqual({
      total: 1,
      selected: 1,
      sha256: sha256(text),
      problems: [],
      ...foundWith({ scripts: new Map([['scripts.test.Check', 1]]) }),
      kept: KEPT,
    });
  });

  test('says so when there are no cases', async () => {
    for (const text of ['', '\n# nothing\n']) {
      expect((await check(text)).problems).toEqual([
        { message: 'no cases: the file is empty or holds only comments', at: 'tests/cases.jsonl' },
      ]);
    }
  });

  test('knows the log of a run', async () => {
    const { problems } = await check('{"type":"start","run_id":"1"}\n{"type":"result","id":"a"}\n');
    expect(problems).toEqual([
      {
        message: 'this is the log of a run, not a case file',
        at: 'tests/cases.jsonl:1',
        hint: 'to look at it: assay report tests/cases.jsonl',
      },
    ]);
  });

  test('says what cases are to somebody who gives it text', async () => {
    const message = 'expected a JSON object starting with "{"';
    const hint = 'cases are JSON objects, one a line; to send a message use -i "…"';
    const at = 'tests/cases.jsonl:';
    expect((await check('What is this?\nAnd that?\n')).problems).toEqual([{ message, at: `${at}1`, hint }]);
    expect((await check('# a table\n\n  id,input\na,b\n')).problems).toEqual([
      { message, at: `${at}3`, hint },
    ]);
    expect((await check('{"id":"a","input":"x"}\ntext\n')).problems).toEqual([{ message, at: `${at}2` }]);
    expect((await check('[1]\n')).problems).toMatchObject([{ at: `${at}1` }]);
    expect((await check('[1]\n')).problems[0]).not.toHaveProperty('hint');
  });

  test('names no more than 200 problems', async () => {
    const { problems } = await check('{"id":"a"}\n'.repeat(2000));
    expect(problems.length).toBe(201);
    expect(problems[0]).toEqual({ message: '"input" is missing', at: 'tests/cases.jsonl:1' });
    expect(problems.at(-1)).toEqual({ message: 'and 3799 more', at: 'tests/cases.jsonl' });
  });

  test('reports a file that cannot be read', async () => {
    const source: CaseSource = { type: 'file', path: path.join(root, 'gone.jsonl') };
    expect((await checkInput(source, { root, cwd: root })).problems).toEqual([
      {
        message: `cannot be read: ENOENT: no such file or directory, open '${root}/gone.jsonl'`,
        at: 'gone.jsonl',
      },
    ]);
  });

  test('takes files of standard input from the working directory', async () => {
    writeFileSync(path.join(root, 'dot.png'), 'x');
    const text = '{"id":"a","input":[{"type":"image","source":"file://dot.png"}]}\n{"id":"b"}';
    const source: CaseSource = { ...file(text), stdin: true } as CaseSource;
    expect((await checkInput(source, { root, cwd: root })).problems).toEqual([
      { message: '"input" is missing', at: 'stdin:2' },
    ]);
  });

  test('takes a message as one case', async () => {
    const source: CaseSource = { type: 'message', message: 'hello' };
    expect(await checkInput(source, { root, cwd: root, select: ({ id }) => id === 'message' })).toEqual({
      total: 1,
      selected: 1,
      sha256: sha256('hello'),
      problems: [],
      ...foundWith({ unchecked: 1 }),
    });
  });
});

describe('readCases', () => {
  async function casesOf(source: CaseSource, total: number): Promise<LoadedCase[]> {
    const all: LoadedCase[] = [];
    for await (const batch of readCases(source, {
      index: 3,
      test_id: 'tests/cases.jsonl',
      total,
      cwd: root,
    }))
      all.push(...batch);
    return all;
  }

  test('gives the cases with their lines', async () => {
    expect(await casesOf(file('{"id":"a","input":"hi"}\n\n{\n"id":"b",\n"input":"ho"}\n'), 2)).toEqual([
      { case: { id: 'a', input: 'hi' }, test_id: 'tests/cases.jsonl', input: 3, line: 1 },
      { case: { id: 'b', input: 'ho' }, test_id: 'tests/cases.jsonl', input: 3, line: 3 },
    ]);
  });

  test('gives a message as the case "message"', async () => {
    expect(await casesOf({ type: 'message', message: 'hello' }, 1)).toEqual([
      { case: { id: 'message', input: 'hello' }, test_id: 'tests/cases.jsonl', input: 3, line: 1 },
    ]);
  });

  test.each([
    ['broken', '{"id":"a","input":"hi"}\n{"id":', 'line 2: the object is not closed'],
    ['cut', '{"id":"a","input":"hi"}\n', '1 of 2 cases are gone'],
    ['replaced', '{"id":"a","input":"hi"}\n{"type":"start"}\n', 'line 2: no case'],
  ])('stops if the file was %s after it was checked', async (_how, text, what) => {
    const error: unknown = await casesOf(file(text), 2).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RuntimeError);
    expect(error).toMatchObject({ message: `${root}/tests/cases.jsonl changed during the run (${what})` });
  });

  test('leaves alone what was added after the file was checked', async () => {
    const text = '{"id":"a","input":"hi"}\n{"id":"b","input":"hi"}\n{"id":"a","inp';
    expect((await casesOf(file(text), 2)).map((loaded) => loaded.case.id)).toEqual(['a', 'b']);
  });
});

test('collects what cases name, with the line that names it first', async () => {
  mkdirSync(path.join(root, 'scripts'));
  writeFileSync(path.join(root, 'scripts/text.ts'), 'function Trim() {}\nfunction Lower() {}\n');
  const text = [
    '{"id":"a","input":"hi","before":"env_test.Before","after":"env_test.After","options":{"connector":"local.x"}}',
    '{"id":"b","input":"hi","options":{"connector":"local.x"},"assert":[{"type":"agent","use":"agents:judge","value":"x"},{"type":"similar","value":"y","connector":"local.e"}]}',
    '{"id":"d","input":"hi","transform":"scripts.text.Trim","options":{"connector":"local.x"},"assert":[{"type":"command","value":["node","check.mjs"]},{"type":"equals","value":"x","transform":"scripts.text.Lower"},{"type":"equals","value":"x","transform":"output.a"}]}',
    '{"id":"c","input":"hi","options":{"connector":"local.y"},"simulator":{"use":"agents:customer","options":{"connector":"local.z"}},"checkpoints":[{"id":"k","assert":{"type":"agent","connector":"local.j","value":"x"}}]}',
  ].join('\n');
  expect((await check(text)).references.get(undefined)).toEqual({
    line: 1,
    scripts: new Map([
      ['scripts.text.Trim', 3],
      ['scripts.text.Lower', 3],
    ]),
    commands: new Map([['["node","check.mjs"]', 3]]),
    agents: new Map([
      ['agents:judge', 2],
      ['agents:customer', 4],
    ]),
    ownConnectors: new Map([
      ['local.x', 1],
      ['local.y', 4],
    ]),
    embedders: new Map([['local.e', 2]]),
    connectors: new Map([
      ['local.z', 4],
      ['local.j', 4],
    ]),
    hooks: new Map([
      ['env_test.Before', 1],
      ['env_test.After', 1],
    ]),
    needsConnector: false,
    unfilled: { count: 0, line: 0 },
    unusedExpected: { count: 0, line: 0 },
    unchecked: 1,
  });
});

test('counts cases whose assertions do not use their expected', async () => {
  const text = [
    '{"id":"a","input":"hi","expected":"x"}',
    '{"id":"b","input":"hi","expected":"x","assert":{"type":"any_of","value":[{"type":"similar"}]}}',
    '{"id":"c","input":"hi","expected":"x","assert":[{"type":"similar","value":"y"},{"type":"contains","value":"z"}]}',
    '{"id":"d","input":"hi","expected":"x","assert":{"type":"agent","use":"agents:judge","value":"x"}}',
    '{"id":"e","input":"hi","expected":"x","assert":{"type":"any_of","value":[{"type":"contains","value":"x"}]}}',
  ].join('\n');
  expect((await check(text)).references.get(undefined)?.unusedExpected).toEqual({ count: 2, line: 3 });
});
