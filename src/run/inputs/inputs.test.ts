import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError } from '../../errors.ts';
import type { InputSource } from '../../kinds/registry.ts';
import { resolveInputs } from './inputs.ts';

let cwd: string;

beforeAll(() => {
  cwd = realpathSync(mkdtempSync(path.join(tmpdir(), 'assay-inputs-')));
  const files = [
    'tests/a.jsonl',
    'tests/b.jsonl',
    'tests/output-20241217100000.jsonl',
    'tests/output-20241217100000-2.jsonl',
    'tests/context.json',
    'tests/deep/c.jsonl',
    'tests/node_modules/x/d.jsonl',
    'tests/.assay/runs/e.jsonl',
    'scripts.jsonl',
    'cases',
    'my tests/f.jsonl',
    'odd[1].jsonl',
  ];
  for (const name of files) {
    mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true });
    writeFileSync(path.join(cwd, name), '{"id":"a","input":"hi"}\n');
  }
  writeFileSync(
    path.join(cwd, 'tests/deep/log.jsonl'),
    `{"type":"start","agent_id":"${'x'.repeat(5000)}","run_id":"1"}\n{"type":"result"}\n`,
  );
  mkdirSync(path.join(cwd, 'empty'));
  symlinkSync(path.join(cwd, 'tests/a.jsonl'), path.join(cwd, 'link.jsonl'));
});
afterAll(() => {
  rmSync(cwd, { recursive: true, force: true });
});

async function* stdin(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{"id":"s",');
  yield Buffer.from('"input":"hi"}\n');
}

async function resolve(...values: string[]): ReturnType<typeof resolveInputs> {
  return await resolveInputs(values, {
    cwd,
    readStdin: stdin,
    stdinFolder: () => path.join(cwd, '.assay/stdin'),
  });
}

function files(...names: string[]): InputSource[] {
  return names.map((name) => ({ type: 'file', path: path.join(cwd, name) }));
}

async function problemsOf(...values: string[]): Promise<unknown> {
  try {
    return await resolve(...values);
  } catch (error) {
    return error instanceof ConfigError ? error.problems : error;
  }
}

describe('resolveInputs', () => {
  test('takes existing files, in the order given and once', async () => {
    const absolute = path.join(cwd, 'tests/a.jsonl');
    expect(
      await resolve('tests/b.jsonl', 'tests/a.jsonl', './tests/b.jsonl', absolute, 'link.jsonl'),
    ).toEqual(files('tests/b.jsonl', 'tests/a.jsonl'));
    expect(await resolve('cases', 'scripts.jsonl', 'odd[1].jsonl')).toEqual(
      files('cases', 'scripts.jsonl', 'odd[1].jsonl'),
    );
    expect(await resolve('tests/output-20241217100000.jsonl')).toEqual(
      files('tests/output-20241217100000.jsonl'),
    );
  });

  test('takes the case files below a folder, without run logs, node_modules and .assay', async () => {
    expect(await resolve('tests')).toEqual(files('tests/a.jsonl', 'tests/b.jsonl', 'tests/deep/c.jsonl'));
  });

  test.each([
    ['tests/*.jsonl', ['tests/a.jsonl', 'tests/b.jsonl']],
    ['tests/*', ['tests/a.jsonl', 'tests/b.jsonl']],
    ['tests/**/*.jsonl', ['tests/a.jsonl', 'tests/b.jsonl', 'tests/deep/c.jsonl']],
    ['tests/{b,nope}.jsonl', ['tests/b.jsonl']],
    ['my tests/*.jsonl', ['my tests/f.jsonl']],
    ['tests/deep/../*.jsonl', ['tests/a.jsonl', 'tests/b.jsonl']],
  ])('expands %s', async (pattern, names) => {
    expect(await resolve(pattern)).toEqual(files(...names));
  });

  test('expands an absolute pattern', async () => {
    expect(await resolve(path.join(cwd, 'tests', '*.jsonl'))).toEqual(
      files('tests/a.jsonl', 'tests/b.jsonl'),
    );
  });

  test.each([
    'hello',
    'hello world',
    'What is 2*3?',
    'Really?',
    'What is in report.md or inputs.jsonl',
    'scripts. are fun',
    '你好世界',
    'long '.repeat(2000),
    'x'.repeat(10_000),
    'nul \0 inside',
  ])('takes %j as a message', async (message) => {
    expect(await resolve(message)).toEqual([{ type: 'message', message }]);
  });

  test.each(['yes/no', '/help', '/help/me', 'https://example.com/a', 'and/or?', 'tets', 'empt y'])(
    'takes %j as a message, without a note',
    async (message) => {
      expect(await resolve(message)).toEqual([{ type: 'message', message }]);
    },
  );

  test.each([
    ['tesst', 'tests'],
    ['Empty', 'empty'],
    ['caess', 'cases'],
  ])('notes that %s is nearly %s', async (message, near) => {
    const note = `there is no file or folder "${message}" (did you mean "${near}"?), so it is sent as a message`;
    expect(await resolve(message)).toEqual([{ type: 'message', message, note }]);
  });

  test('a path that leads nowhere is no message', async () => {
    const missing = (message: string, hint: string) => ({ message: `${message} does not exist`, hint });
    const others = 'there is link.jsonl, odd[1].jsonl, scripts.jsonl';
    const none = 'a message has a space, or neither the form nor the ending of a path';
    expect(
      await problemsOf(
        './tets',
        'nope/',
        'tests/dep',
        '../nope-at-all',
        '~/nope-at-all-here',
        path.join(cwd, 'test/deep'),
        './deep',
        'tests/nope?',
        'c.jsonl',
        'empty/x',
      ),
    ).toEqual([
      missing('file or folder "./tets"', 'did you mean "tests"?'),
      missing('folder "nope/"', others),
      missing('file or folder "tests/dep"', 'did you mean "tests/deep"?'),
      missing('file or folder "../nope-at-all"', expect.any(String)),
      missing('file or folder "~/nope-at-all-here"', expect.any(String)),
      missing(`file or folder "${path.join(cwd, 'test/deep')}"`, 'did you mean "tests/deep"?'),
      missing('file or folder "./deep"', 'did you mean "tests/deep"?'),
      { message: 'no file matches "tests/nope?"', hint: `patterns start from ${cwd}` },
      missing('input file "c.jsonl"', others),
      missing('file or folder "empty/x"', none),
    ]);
  });

  test('leaves out run logs of any name, unless they are named', async () => {
    expect(await resolve('tests/deep', 'tests/deep/*.jsonl')).toEqual(files('tests/deep/c.jsonl'));
    expect(await resolve('tests/deep/log.jsonl')).toEqual(files('tests/deep/log.jsonl'));
  });

  test('mixes files and messages', async () => {
    expect(await resolve('tests/a.jsonl', 'hello', 'hello')).toEqual([
      ...files('tests/a.jsonl'),
      { type: 'message', message: 'hello' },
      { type: 'message', message: 'hello' },
    ]);
  });

  test('keeps standard input in a file, once', async () => {
    const [source, ...others] = await resolve('-', '-');
    if (source?.type !== 'file') throw new Error('not a file');
    expect({ ...source, path: path.dirname(source.path) }).toEqual({
      type: 'file',
      path: path.join(cwd, '.assay/stdin'),
      stdin: true,
    });
    expect(others).toEqual([]);
    expect(readFileSync(source.path, 'utf8')).toBe('{"id":"s","input":"hi"}\n');
  });

  test('keeps a pipe in a file', async () => {
    const pipe = path.join(cwd, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const [[source]] = await Promise.all([resolve('pipe'), writeFile(pipe, '{"id":"p"}\n')]);
    rmSync(pipe);
    if (source?.type !== 'file') throw new Error('not a file');
    expect(source.stdin).toBe(true);
    expect(readFileSync(source.path, 'utf8')).toBe('{"id":"p"}\n');
  });

  test('refuses a device, which may never end', async () => {
    await expect(resolve('/dev/null')).rejects.toThrow('"/dev/null" is a device, not a case file');
  });

  test('takes agents and scripts with a colon as generators, with typed parameters, each once', async () => {
    const value = 'agents:workers.gen?count=10&focus=edge%20cases&deep=true&ratio=0.5&zip=01234';
    const params = { count: 10, focus: 'edge cases', deep: true, ratio: 0.5, zip: '01234' };
    expect(await resolve(value, 'scripts:tests.gen.Cases', value, 'agents:gen?file=a/b.jsonl')).toEqual([
      { type: 'generator', value, reference: 'agents:workers.gen', params },
      {
        type: 'generator',
        value: 'scripts:tests.gen.Cases',
        reference: 'scripts:tests.gen.Cases',
        params: {},
      },
      {
        type: 'generator',
        value: 'agents:gen?file=a/b.jsonl',
        reference: 'agents:gen',
        params: { file: 'a/b.jsonl' },
      },
    ]);
    expect(await resolve('scripts:tests.gen.Jsonl', 'scripts:tests.gen.NDJSON?n=1')).toEqual([
      {
        type: 'generator',
        value: 'scripts:tests.gen.Jsonl',
        reference: 'scripts:tests.gen.Jsonl',
        params: {},
      },
      {
        type: 'generator',
        value: 'scripts:tests.gen.NDJSON?n=1',
        reference: 'scripts:tests.gen.NDJSON',
        params: { n: 1 },
      },
    ]);
    await expect(resolve('scripts:gen.jsonl')).rejects.toThrow(
      'input file "scripts:gen.jsonl" does not exist',
    );
    expect(await resolve('agents: who are you?')).toEqual([
      { type: 'message', message: 'agents: who are you?' },
    ]);
  });

  test('takes names of tests for what they are', async () => {
    expect(await resolve('skills.pricing', 'skills.*', 'skills.My Skill', 'scripts.a')).toEqual([
      { type: 'pattern', kind: 'skill', value: 'skills.pricing' },
      { type: 'pattern', kind: 'skill', value: 'skills.*' },
      { type: 'pattern', kind: 'skill', value: 'skills.My Skill' },
      { type: 'pattern', kind: 'script', value: 'scripts.a' },
    ]);
    expect(await resolve('skills. They matter.')).toEqual([
      { type: 'message', message: 'skills. They matter.' },
    ]);
  });

  test('reports everything that cannot be resolved at once', async () => {
    expect(
      await problemsOf(
        'tests/aa.jsonl',
        'test/a.jsonl',
        'tests/completely-else.yml',
        'tests/*.json5.jsonl',
        'none/**/*',
        'empty',
        '',
        'tests/a.jsonl',
      ),
    ).toEqual([
      { message: 'input file "tests/aa.jsonl" does not exist', hint: 'did you mean "tests/a.jsonl"?' },
      { message: 'input file "test/a.jsonl" does not exist', hint: 'did you mean "tests/a.jsonl"?' },
      {
        message: 'input file "tests/completely-else.yml" does not exist',
        hint: 'there is tests/a.jsonl, tests/b.jsonl',
      },
      { message: 'no file matches "tests/*.json5.jsonl"', hint: `patterns start from ${cwd}` },
      { message: 'no file matches "none/**/*"', hint: `patterns start from ${cwd}` },
      { message: 'folder "empty" has no case files (*.jsonl)' },
      { message: 'the input is empty', hint: 'give a case file or a message' },
    ]);
  });
});
