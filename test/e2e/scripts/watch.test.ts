// -w: what a changed file reaches runs again, the last failures first.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callsIn, start, write } from '../support/assay.ts';
import { until } from '../../until.ts';
import { application, SOURCES } from '../support/script-files.ts';

const NOTE = `import { appendFileSync } from 'node:fs';\nconst note = (line) => appendFileSync('calls.txt', line + '\\n');\n`;

test('runs the tests that a changed file reaches, a failed file first; Ctrl-C ends it', async () => {
  const cwd = application({
    'shared.ts': 'export const shared = 1;\n',
    'a.ts': `import { shared } from './shared';\nexport const a = () => shared;\n`,
    'a_test.ts': `${NOTE}function TestA(t) { note('a ' + a()); t.assert.True(true); }\n`,
    'b_test.ts': `${NOTE}import { shared } from './shared';\nfunction TestB(t) { note('b ' + shared); t.assert.Equal(shared, 2); }\n`,
    'c_test.ts': `${NOTE}function TestC(t) { note('c'); t.assert.True(true); }\n`,
  });
  let shown = '';
  const run = start(['test', '-i', 'scripts.expense', '-w', '--parallel', '1'], { cwd });
  run.child.stderr?.on('data', (chunk: string) => (shown += chunk));
  const isWatching = (times: number) => () => shown.split('Ctrl-C ends').length > times;
  const since = (count: number): string[] => callsIn(cwd).slice(count);
  await until(isWatching(1));
  expect(callsIn(cwd)).toEqual(['a 1', 'b 1', 'c']);

  // It reaches a and b; b has failed, so it comes first.
  write(join(cwd, SOURCES, 'shared.ts'), 'export const shared = 2;\n');
  await until(isWatching(2));
  expect(since(3)).toEqual(['b 2', 'a 2']);

  write(
    join(cwd, SOURCES, 'c_test.ts'),
    `${NOTE}function TestC(t) { note('c again'); t.assert.True(true); }\n`,
  );
  await until(isWatching(3));
  expect(since(5)).toEqual(['c again']);

  // A syntax error is told and watched on.
  write(join(cwd, SOURCES, 'c_test.ts'), 'function TestC(t) { const x = ; }\n');
  await until(isWatching(4));
  write(
    join(cwd, SOURCES, 'c_test.ts'),
    `${NOTE}function TestC(t) { note('c repaired'); t.assert.True(true); }\n`,
  );
  await until(isWatching(5));
  expect(since(6)).toEqual(['c repaired']);

  run.child.kill('SIGINT');
  expect((await run.finished).exitCode).toBe(130);
});
