// Coverage of the tested TypeScript: a table, lcov and pages, whatever process the tests ran in.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { application, ends, read, runScripts, SOURCES } from '../support/script-files.ts';

const TOTALS = `export type Item = { price: number };

export function total(items: Item[]): number {
  if (items.length === 0) {
    return 0;
  }
  return items.reduce((sum, item) => sum + item.price, 0);
}

export function never(): string {
  return 'never';
}
`;
const FILES = {
  'total.ts': TOTALS,
  'total_test.ts': `import { total } from './total';\nfunction TestTotal(t: any) { t.assert.Equal(total([{ price: 2 }]), 2); }\n`,
  'again_test.ts': `import { total } from './total';\nawait null;\nexport function TestAgain(t: any) { t.assert.Equal(total([{ price: 3 }]), 3); }\n`,
  'idle.ts': 'export function idle(): number {\n  return 1;\n}\n',
  'idle_test.ts': 'function TestIdle(t) { t.assert.True(true); }\n',
};

test('--coverage shows a table; html and lcov are written, with lines, functions and branches of the sources', async () => {
  const cwd = application(FILES);
  const { exitCode, stdout } = await runScripts(cwd, ['--coverage=text,html,lcov']);
  expect({ exitCode, ...ends(cwd) }).toEqual({
    exitCode: 0,
    'again TestAgain': 'passed',
    'idle TestIdle': 'passed',
    'total TestTotal': 'passed',
  });
  const rows = stdout.split('\n').filter((line) => line.includes('total.ts') || line.includes('idle.ts'));
  expect(rows).toHaveLength(2);
  expect(stdout).not.toContain('total_test.ts |');
  expect(existsSync(join(cwd, 'coverage/index.html'))).toBe(true);
  const records = read(cwd, 'coverage/lcov.info').split('end_of_record\n');
  const total = records.find((record) => record.includes(`${SOURCES}/total.ts`)) ?? '';
  const hits = Object.fromEntries(
    [...total.matchAll(/^DA:(\d+),(\d+)/gm)].map(([, line, count]) => [line, count]),
  );
  expect(hits).toMatchObject({ '5': '0', '7': '2', '11': '0' });
  expect([...total.matchAll(/^FNDA:(\d+),(total|never)$/gm)].map(([, count, name]) => [name, count])).toEqual(
    [
      ['total', '2'],
      ['never', '0'],
    ],
  );
  const idle = records.find((record) => record.includes(`${SOURCES}/idle.ts`)) ?? '';
  expect([...idle.matchAll(/^DA:\d+,([1-9]\d*)/gm)]).toEqual([]);
  expect(records.filter((record) => record.includes('_test.ts'))).toEqual([]);
});

test('--coverage alone is the table, and writes nothing', async () => {
  const cwd = application(FILES);
  const { exitCode, stdout } = await runScripts(cwd, ['--coverage', '--run', 'TestTotal']);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/total\.ts.*\d/);
  expect(existsSync(join(cwd, 'coverage'))).toBe(false);
});
