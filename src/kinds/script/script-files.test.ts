import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ConfigError } from '../../errors.ts';
import { findScripts } from './script-files.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-script-files-'));
afterAll(() => rmSync(root, { recursive: true }));

for (const file of [
  'assistants/expense/package.yao',
  'assistants/expense/src/setup.ts',
  'assistants/expense/src/setup_test.ts',
  'assistants/expense/src/hooks/create_test.js',
  'assistants/expense/src/hooks/next.mjs',
  'assistants/expense/src/hooks/next_test.mjs',
  'assistants/expense/src/node_modules/x/a_test.ts',
  'assistants/expense/src/twin_test.ts',
  'assistants/expense/src/twin_test.js',
  'assistants/expense/reports/package.yao',
  'assistants/expense/reports/src/monthly_test.ts',
  'assistants/finance/tax/package.yao',
  'assistants/finance/tax/src/rate_test.ts',
  'plain/src/calc_test.ts',
  'scripts/tools_test.ts',
])
  writeBelow(root, file);

function writeBelow(folder: string, file: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), '');
}

function names(input: string): string[] {
  return findScripts(input, { root }).map(({ name }) => name);
}

test('a name is an assistant and a path below its src', () => {
  expect(findScripts('scripts.expense.setup', { root })).toEqual([
    {
      type: 'script',
      input: 'scripts.expense.setup',
      name: 'scripts.expense.setup',
      file: join(root, 'assistants/expense/src/setup_test.ts'),
      path: 'expense/src/setup_test.ts',
      module: join(root, 'assistants/expense/src/setup.ts'),
      assistant: 'expense',
    },
  ]);
});

test('the module under test may be missing, and either may be JavaScript', () => {
  const found = findScripts('scripts.expense.hooks', { root }).map(({ path, module }) => [path, module]);
  expect(found).toEqual([
    ['expense/src/hooks/create_test.js', undefined],
    ['expense/src/hooks/next_test.mjs', join(root, 'assistants/expense/src/hooks/next.mjs')],
  ]);
});

test.each([
  ['scripts.expense.reports.monthly', ['scripts.expense.reports.monthly']],
  ['scripts.finance.tax.rate', ['scripts.finance.tax.rate']],
  ['scripts.finance', ['scripts.finance.tax.rate']],
  ['scripts.plain.calc', ['scripts.plain.calc']],
  ['scripts.tools', ['scripts.tools']],
  [
    'scripts.expense',
    [
      'scripts.expense.hooks.create',
      'scripts.expense.hooks.next',
      'scripts.expense.setup',
      'scripts.expense.twin',
    ],
  ],
  ['scripts.expense.hooks.*', ['scripts.expense.hooks.create', 'scripts.expense.hooks.next']],
])('%s', (input, expected) => {
  expect(names(input)).toEqual(expected);
});

test('the longest assistant wins, and of two languages TypeScript', () => {
  const [monthly] = findScripts('scripts.expense.reports.monthly', { root });
  expect(monthly?.assistant).toBe('expense.reports');
  const [twin] = findScripts('scripts.expense.twin', { root });
  expect(twin?.path).toBe('expense/src/twin_test.ts');
});

test('a star means all there are', () => {
  expect(names('scripts.*')).toEqual([
    'scripts.expense.hooks.create',
    'scripts.expense.hooks.next',
    'scripts.expense.setup',
    'scripts.expense.twin',
    'scripts.expense.reports.monthly',
    'scripts.finance.tax.rate',
    'scripts.plain.calc',
    'scripts.tools',
  ]);
});

test('a miss names the nearest', () => {
  const miss = (input: string): unknown => {
    try {
      return names(input);
    } catch (error) {
      return error instanceof ConfigError ? error.problems : error;
    }
  };
  expect(miss('scripts.expense.setpu')).toEqual([
    {
      message: 'no test file for "scripts.expense.setpu": there is no expense/src/setpu_test.ts',
      hint: 'did you mean scripts.expense.setup, scripts.expense.twin, scripts.expense.hooks.next?',
    },
  ]);
  expect(miss('scripts.../x')).toMatchObject([
    { message: expect.stringContaining('no test file for') as unknown },
  ]);
});

test('an assistant in the application root has its folder as id, which its names may leave out', () => {
  const shop = join(root, 'shop');
  for (const file of [
    'package.yao',
    'src/deep/a_test.ts',
    'src/b_test.ts',
    'scripts/b_test.ts',
    'other/src/c_test.ts',
  ])
    writeBelow(shop, file);
  const found = (input: string, file?: string): unknown =>
    findScripts(input, { root: shop, file }).map(({ name, path, assistant }) => [name, path, assistant]);
  const own = [
    ['scripts.shop.b', 'src/b_test.ts', 'shop'],
    ['scripts.shop.deep.a', 'src/deep/a_test.ts', 'shop'],
  ];
  const application = ['scripts.b', 'scripts/b_test.ts', 'scripts'];
  expect(found('scripts.*')).toEqual([
    ['scripts.other.c', 'other/src/c_test.ts', 'other'],
    ...own,
    application,
  ]);
  expect(found('scripts.shop')).toEqual(own);
  expect(found('scripts.shop.b')).toEqual([own[0]]);
  expect(found('scripts.deep.a')).toEqual([own[1]]);
  expect(found('scripts.deep')).toEqual([own[1]]);
  expect(found('scripts.b')).toEqual([application]);
  expect(found('src/b_test.ts', join(shop, 'src/b_test.ts'))).toEqual([own[0]]);
});
