// -w runs the cases again when a file changes.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callsIn, folder, start, write } from '../support/assay.ts';
import { until } from '../../until.ts';

test('-w runs again when a case file or the agent changes; Ctrl-C ends it', async () => {
  const cwd = folder({
    'agent.ts': `import { word } from './word.ts';\nimport { appendFileSync } from 'node:fs';\nexport default (messages: any) => { appendFileSync('calls.txt', messages[0].content + word + '\\n'); return word; };\n`,
    'word.ts': 'export const word = " 1";\n',
    'cases.jsonl': [{ id: 'T1', input: 'a' }],
  });
  let shown = '';
  const run = start(['test', '-i', 'cases.jsonl', '-n', './agent.ts', '-w'], { cwd });
  run.child.stderr?.on('data', (chunk: string) => (shown += chunk));
  const isWatching = (times: number) => () => shown.split('Watching 3 files; Ctrl-C ends.').length > times;
  await until(isWatching(1));
  expect(callsIn(cwd)).toEqual(['a 1']);

  write(join(cwd, 'cases.jsonl'), [{ id: 'T1', input: 'b' }]);
  await until(isWatching(2));
  expect(callsIn(cwd)).toEqual(['a 1', 'b 1']);

  write(join(cwd, 'word.ts'), 'export const word = " 2";\n');
  await until(isWatching(3));
  expect(callsIn(cwd)).toEqual(['a 1', 'b 1', 'b 2']);

  // A broken file is told and watched on.
  write(join(cwd, 'cases.jsonl'), '{"id": "T1"}\n');
  await until(isWatching(4));
  expect(shown).toContain('cases.jsonl:1: "input" is missing\n');
  write(join(cwd, 'cases.jsonl'), [{ id: 'T1', input: 'c' }]);
  await until(isWatching(5));
  expect(callsIn(cwd)).toEqual(['a 1', 'b 1', 'b 2', 'c 2']);

  run.child.kill('SIGINT');
  expect((await run.finished).exitCode).toBe(130);
  // Watching leaves no trail of logs beside the cases.
  expect(readdirSync(cwd).filter((name) => name.startsWith('output-'))).toEqual([]);
});
