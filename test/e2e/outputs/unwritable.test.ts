// Outputs that cannot be written, or that would replace another file.

import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, callsIn, endsIn, folder, readLog } from '../support/assay.ts';
import { FILES, RUN } from '../support/output-files.ts';

const read = (...path: string[]): string => readFileSync(join(...path), 'utf8');

test('an output that cannot be written is exit 3, and nothing is executed for it', async () => {
  const cwd = folder({ ...FILES, 'file.txt': '' });
  for (const output of ['file.txt/r.json', 'file.txt/log.jsonl']) {
    const { exitCode, stderr, stdout } = await assay([...RUN, '-o', output], { cwd });
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 3,
      stdout: '',
      stderr: expect.stringMatching(/^cannot (write|open) .*file\.txt/),
    });
  }
  mkdirSync(join(cwd, 'folder.json'));
  const { exitCode } = await assay([...RUN, '-o', 'folder.json', '--run', 'ok'], { cwd });
  expect({ exitCode, isFolder: statSync(join(cwd, 'folder.json')).isDirectory() }).toEqual({
    exitCode: 3,
    isFolder: true,
  });
  const late = await assay(['report', 'file.txt/none', '-o', 'x.json'], { cwd });
  expect(late.exitCode).toBe(2);
  expect(existsSync(join(cwd, 'x.json'))).toBe(false);
});

test('a case file is never overwritten by an output', async () => {
  const cwd = folder(FILES);
  const before = read(cwd, 'tests/cases.jsonl');
  for (const more of [[], ['--dry-run']]) {
    const { exitCode, stdout, stderr } = await assay([...RUN, '-o', './tests/cases.jsonl', ...more], { cwd });
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'the output tests/cases.jsonl is a case file of this run\n  hint: choose another name for -o\n',
    });
  }
  expect(read(cwd, 'tests/cases.jsonl')).toBe(before);
});

test('cases, logs and reports do not replace each other', async () => {
  const cwd = folder({ ...FILES, 'other.jsonl': '{"input": "mine"}\n', 'empty.jsonl': '' });
  const ended = async (...more: string[]): Promise<string> => {
    const { exitCode, stderr } = await assay([...RUN, ...more], { cwd });
    return `${String(exitCode)} ${stderr.split('\n')[0] ?? ''}`;
  };
  expect([
    await ended('-o', 'other.jsonl'),
    await ended('-o', 'empty.jsonl'),
    await ended('-o', 'empty.jsonl'),
    await ended('-o', 'empty.jsonl', '--dry-run'),
    await ended('-o', 'report.json', '--dry-run'),
    await ended('-o', 'other.jsonl', '--dry-run'),
  ]).toEqual([
    '2 the output other.jsonl is there already and is no run log',
    '1 ',
    '1 ',
    '2 the output empty.jsonl is a run log, which cases would replace',
    '2 --dry-run saves cases, and report.json is no .jsonl file',
    '0 Cases: other.jsonl',
  ]);
  expect([existsSync(join(cwd, 'report.json')), readLog(join(cwd, 'empty.jsonl')).results.length]).toEqual([
    false,
    read(cwd, 'tests/cases.jsonl').trim().split('\n').length,
  ]);
});

test('a full disk is exit 3: for the log at once, for a report after the results were kept', async () => {
  const cwd = folder({ ...FILES, 'assay.config.json': '{}' });
  symlinkSync('/dev/full', join(cwd, 'full.jsonl'));
  symlinkSync('/dev/full', join(cwd, 'full.json'));
  const log = await assay([...RUN, '-o', 'full.jsonl'], { cwd });
  expect({ exitCode: log.exitCode, stderr: log.stderr }).toEqual({
    exitCode: 3,
    stderr: expect.stringMatching(
      /^cannot write the run log .*full\.jsonl: ENOSPC.*\n {2}hint: free disk space or choose another/,
    ),
  });
  const report = await assay([...RUN, '-o', 'full.json', '--run', 'ok'], { cwd });
  const kept = /The results are in (.*)\.\n$/.exec(report.stderr)?.[1] ?? '';
  expect({ exitCode: report.exitCode, ...endsIn(join(cwd, kept)) }).toEqual({ exitCode: 3, ok: 'passed' });
});

const ONE_CASE = {
  'agent.mjs': `import { appendFileSync } from 'node:fs';\nexport default () => { appendFileSync('calls.txt', 'called\\n'); return 'x'; };`,
  'cases.jsonl': [{ id: 'T1', input: 'hello' }],
};
const RUN_ONE_CASE = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'];

test('reports of a log that the agent removes are made all the same: exit 3', async () => {
  const cwd = folder({
    ...ONE_CASE,
    'agent.mjs': `import { rmSync } from 'node:fs';\nexport default () => { rmSync('log.jsonl'); return 'x'; };`,
  });
  const { exitCode, stderr } = await assay([...RUN_ONE_CASE, '-o', 'a.json', '-o', 'b.md'], { cwd });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 3,
    stderr: expect.stringMatching(
      /^the run log log\.jsonl was removed or moved while the run was on; its results are in \S+\n$/,
    ),
  });
  expect([existsSync(join(cwd, 'a.json')), existsSync(join(cwd, 'b.md'))]).toEqual([true, true]);
});

test('a report that names a folder is refused before the run', async () => {
  const cwd = folder(ONE_CASE);
  mkdirSync(join(cwd, 'dir.json'));
  const { exitCode, stderr } = await assay([...RUN_ONE_CASE, '-o', 'dir.json'], { cwd });
  expect({ exitCode, calls: callsIn(cwd) }).toEqual({ exitCode: 3, calls: [] });
  expect(stderr).toContain('dir.json: it is a folder');
});
