import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { RuntimeError } from '../../../errors.ts';
import { writeCoverage } from './report.ts';
import { CART, FORGOTTEN, forgotten, root, runAsModule, runInContext, types, write } from './shop.fixture.ts';

afterAll(() => {
  rmSync(root, { recursive: true });
});

test('adds up what several bundles ran of a file, counts what no bundle has, and leaves out what is not under test', async () => {
  const folder = join(root, 'counts');
  const outDir = join(root, 'out');
  await runInContext('shop/src/first_test.ts', folder);
  await runInContext('shop/src/second_test.ts', folder);
  const include = [forgotten, types, join(root, 'shop/src/missing.ts')];
  const result = await writeCoverage({
    folder,
    formats: ['html', 'lcov', 'text'],
    outDir,
    root,
    cwd: root,
    include,
  });

  expect(readFileSync(join(outDir, 'lcov.info'), 'utf8')).toEqual(CART + FORGOTTEN);
  expect(result).toEqual({
    text: `--------------|---------|----------|---------|---------|-------------------
File          | % Stmts | % Branch | % Funcs | % Lines | Uncovered Line #s 
--------------|---------|----------|---------|---------|-------------------
All files     |   63.63 |    45.45 |      50 |   66.66 |                   
 cart.ts      |      70 |    55.55 |   57.14 |   73.68 | 17,24-26,36       
 forgotten.ts |       0 |        0 |       0 |       0 | 1-2               
--------------|---------|----------|---------|---------|-------------------
`,
    totals: {
      statements: { total: 22, covered: 14, pct: 63.63 },
      branches: { total: 11, covered: 5, pct: 45.45 },
      functions: { total: 8, covered: 4, pct: 50 },
      lines: { total: 21, covered: 14, pct: 66.66 },
    },
  });
  expect(readdirSync(outDir).filter((name) => /\.(?:html|info|json|txt)$/.test(name))).toEqual([
    'cart.ts.html',
    'forgotten.ts.html',
    'index.html',
    'lcov.info',
  ]);
  expect(readdirSync(folder).filter((name) => !name.endsWith('.json'))).toEqual([]);
});

test('counts the same in an ES module, and adds up two runs of one bundle', async () => {
  const folder = join(root, 'module counts');
  const outDir = join(root, 'module out');
  await runAsModule('shop/src/first_test.ts', folder);
  await runInContext('shop/src/second_test.ts', folder);
  await writeCoverage({ folder, formats: ['lcov'], outDir, root, cwd: root, include: [] });
  expect(readFileSync(join(outDir, 'lcov.info'), 'utf8')).toEqual(CART);

  await runInContext('shop/src/second_test.ts', folder);
  await writeCoverage({ folder, formats: ['lcov'], outDir, root, cwd: root, include: [] });
  const lines = readFileSync(join(outDir, 'lcov.info'), 'utf8').split('\n');
  expect(lines.filter((line) => /^FNDA|^DA:(?:7|12|19|25),/.test(line))).toEqual([
    'FNDA:3,total',
    'FNDA:4,(anonymous_1)',
    'FNDA:0,never',
    'FNDA:4,(anonymous_3)',
    'FNDA:0,(anonymous_4)',
    'FNDA:2,(anonymous_5)',
    'FNDA:0,(anonymous_6)',
    'DA:7,2',
    'DA:12,2',
    'DA:19,3',
    'DA:25,0',
  ]);
});

test('leaves other files in the output folder alone, and writes nothing there for the table', async () => {
  const folder = join(root, 'empty counts');
  mkdirSync(folder);
  const outDir = join(root, 'kept');
  const kept = write('kept/.cache/mine.txt', 'mine');
  const options = { folder, root, cwd: root, include: [forgotten] };
  const { text } = await writeCoverage({ ...options, formats: ['text'] });
  expect([text?.includes('forgotten.ts'), existsSync(join(root, 'coverage'))]).toEqual([true, false]);

  await writeCoverage({ ...options, formats: ['lcov'], outDir });
  expect([readFileSync(kept, 'utf8'), readFileSync(join(outDir, 'lcov.info'), 'utf8')]).toEqual([
    'mine',
    FORGOTTEN,
  ]);
});

test('tells files with the same code apart, and leaves out one that cannot be compiled', async () => {
  const folder = join(root, 'twin counts');
  const outDir = join(root, 'twin out');
  mkdirSync(folder);
  const twin = write('shop/src/twin.ts', readFileSync(forgotten, 'utf8'));
  const broken = write('shop/src/broken.ts', 'function (');
  await writeCoverage({
    folder,
    formats: ['lcov'],
    outDir,
    root,
    cwd: root,
    include: [twin, forgotten, broken],
  });
  const expected = FORGOTTEN + FORGOTTEN.replace('forgotten.ts', 'twin.ts');
  expect(readFileSync(join(outDir, 'lcov.info'), 'utf8')).toEqual(expected);
});

test('covers all of nothing', async () => {
  const folder = join(root, 'no counts');
  mkdirSync(folder);
  const none = { total: 0, covered: 0, pct: 100 };
  expect(
    await writeCoverage({ folder, formats: ['lcov', 'text'], root, cwd: root, include: [types] }),
  ).toEqual({
    text: 'There is no code under test.\n',
    totals: { statements: none, branches: none, functions: none, lines: none },
  });
});

test('says that a report cannot be written', async () => {
  const folder = join(root, 'unwritable counts');
  mkdirSync(folder);
  const outDir = join(forgotten, 'out');
  await expect(
    writeCoverage({ folder, formats: ['lcov'], outDir, root, cwd: root, include: [forgotten] }),
  ).rejects.toThrow(RuntimeError);
});
