import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { ConfigError } from '../../errors.ts';
import { mixedRun, writeLog } from '../../../test/fixtures/logs/agent-log.ts';
import { reportCommand } from './report.ts';

async function run(options: Parameters<typeof reportCommand>[1], log = writeLog(mixedRun())) {
  const stdout = new PassThrough();
  const cwd = dirname(log);
  const code = await reportCommand('run.jsonl', options, { cwd, env: {}, stdout });
  return { code, cwd, printed: String(stdout.read() ?? '') };
}

test('prints the summary when no output is named', async () => {
  const { code, printed } = await run({});
  expect(code).toBe(0);
  expect(printed.split('\n').slice(0, 2)).toEqual([
    'Agent Test: keyword',
    'Summary: 1 passed, 2 failed, 1 skipped, 1 could not be measured (12.3s)',
  ]);
});

test('prints the JSON report, or that of the reporter named', async () => {
  const json = await run({ json: true });
  expect((JSON.parse(json.printed) as { summary: { total: number } }).summary.total).toBe(5);
  const markdown = await run({ reporter: 'report.markdown' });
  expect(markdown.printed.split('\n')[0]).toBe('# Agent Test Report');
});

test('writes every output by its extension', async () => {
  const { cwd, printed } = await run({ output: ['a.json', 'out/b.md', 'c.xml', 'd.jsonl'] });
  expect(printed).toBe('');
  expect(readdirSync(cwd).sort()).toEqual(['a.json', 'c.xml', 'd.jsonl', 'out', 'run.jsonl']);
  expect(readFileSync(join(cwd, 'd.jsonl'), 'utf8')).toBe(readFileSync(join(cwd, 'run.jsonl'), 'utf8'));
  expect(readFileSync(join(cwd, 'out/b.md'), 'utf8').split('\n')[0]).toBe('# Agent Test Report');
});

test('writes nothing when one of the outputs makes no sense, and names all that do not', async () => {
  const log = writeLog(mixedRun());
  const error: unknown = await run({ output: ['a.json', 'b.pdf', 'c.docx'] }, log).catch(
    (thrown: unknown) => thrown,
  );
  expect(error instanceof ConfigError && error.problems.map((problem) => problem.message)).toEqual([
    'the output b.pdf has the unknown extension ".pdf"',
    'the output c.docx has the unknown extension ".docx"',
  ]);
  expect(readdirSync(dirname(log))).toEqual(['run.jsonl']);
});

test('one report that cannot be written does not take the others along', async () => {
  const log = writeLog(mixedRun());
  const error: unknown = await run({ output: ['run.jsonl/a.json', 'b.md'] }, log).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ name: 'RuntimeError' });
  expect(readdirSync(dirname(log)).sort()).toEqual(['b.md', 'run.jsonl']);
});

test('refuses what is not a run log', async () => {
  const log = writeLog([{ id: 'T001', input: 'x' }]);
  await expect(run({}, log)).rejects.toMatchObject({ name: 'ConfigError' });
});
