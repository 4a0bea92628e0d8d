// --note is kept with the run and shown wherever the run is.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, folder, readLog } from '../support/assay.ts';

const FILES = { 'agent.mjs': "export default () => 'ok';\n", 'cases.jsonl': [{ id: 'a', input: 'x' }] };
const NOTE = 'smaller prompt';

test('a note is in the log, the history and the reports', async () => {
  const cwd = folder(FILES);
  const outputs = ['log.jsonl', 'r.md', 'r.json', 'r.xml', 'r.html'];
  const { exitCode, stdout } = await assay(
    ['test', 'cases.jsonl', 'agent.mjs', '--note', ` ${NOTE} `, ...outputs.flatMap((name) => ['-o', name])],
    { cwd },
  );
  expect(exitCode).toBe(0);
  expect(stdout).toContain(`\n  Note: ${NOTE}\n`);
  expect(readLog(join(cwd, 'log.jsonl')).start.note).toBe(NOTE);
  const read = (name: string): string => readFileSync(join(cwd, name), 'utf8');
  expect(read('r.md')).toMatch(new RegExp(`^\\| Note +\\| ${NOTE} +\\|$`, 'm'));
  expect(JSON.parse(read('r.json'))).toMatchObject({ note: NOTE });
  expect(read('r.xml')).toContain(`<property name="note" value="${NOTE}"/>`);

  expect((await assay(['history'], { cwd })).stdout).toMatch(new RegExp(`"${NOTE}"\\n$`));
  expect((await assay(['show', 'latest'], { cwd })).stdout).toContain(`\n  note: ${NOTE}\n`);
  expect((await assay(['report', 'log.jsonl'], { cwd })).stdout).toContain(`\nNote: ${NOTE}\n`);
  expect(JSON.parse((await assay(['history', '--json'], { cwd })).stdout)).toMatchObject([{ note: NOTE }]);
});

test('a note can come from the environment, is masked and is limited', async () => {
  const cwd = folder({ ...FILES, '.env': 'API_KEY=sk-secret-1234567890\n' });
  const run = (env: Record<string, string>, ...args: string[]) =>
    assay(['test', 'cases.jsonl', 'agent.mjs', '-o', 'log.jsonl', ...args], { cwd, env });
  await run({ ASSAY_NOTE: 'with sk-secret-1234567890' });
  expect(readLog(join(cwd, 'log.jsonl')).start.note).toBe('with ***');
  expect(await run({}, '--note', 'x'.repeat(501))).toMatchObject({
    exitCode: 2,
    stderr: '--note: must have at most 500 characters, and has 501\n',
  });
  expect((await assay(['test', '--resume', 'log.jsonl', '--note', 'x'], { cwd })).exitCode).toBe(2);
});
