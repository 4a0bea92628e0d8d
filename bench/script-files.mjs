// The same tests in the dialect of each runner: a small module a file, two assertions a test.

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The modules of a shape: m000, m001, … */
export function moduleNames(files) {
  return Array.from({ length: files }, (_, index) => `m${String(index).padStart(3, '0')}`);
}

export function writeAssay(folder, { files, tests }) {
  const file = (path, text) => write(join(folder, path), text);
  file('app.yao', '{}\n');
  file('assistants/many/package.yao', '{}\n');
  for (const [index, name] of moduleNames(files).entries()) {
    file(`assistants/many/src/${name}.ts`, moduleText(true));
    const importLine = index % 2 === 0 ? `import { add, isMore } from './${name}';\n` : '';
    const functions = counted(
      tests,
      (i) =>
        `function TestAdds${i}(t: testing.T) {\n  t.assert.Equal(add(${i}, 1), ${i + 1});\n  t.assert.True(isMore(add(${i}, 1), ${i}));\n}\n`,
    );
    file(`assistants/many/src/${name}_test.ts`, importLine + functions);
  }
}

export function writePlain(folder, { files, tests }, importLine, word) {
  for (const name of moduleNames(files)) {
    write(join(folder, `${name}.mjs`), moduleText(false));
    const imports = `${importLine}import assert from 'node:assert';\nimport { add, isMore } from './${name}.mjs';\n`;
    const body = (i) =>
      `assert.strictEqual(add(${i}, 1), ${i + 1});\n  assert.strictEqual(isMore(add(${i}, 1), ${i}), true);`;
    const calls = counted(tests, (i) => `${word}('adds ${i}', () => {\n  ${body(i)}\n});\n`);
    write(join(folder, `${name}.test.mjs`), imports + calls);
  }
}

export function writeVitest(folder, shape, peers) {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(join(peers, 'vitest'), join(folder, 'node_modules/vitest'));
  writeExpecting(folder, shape, "import { expect, test } from 'vitest';\n");
}

export function writeJest(folder, shape, peers) {
  const compile = [join(peers, '@swc/jest'), { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }];
  const config = {
    cacheDirectory: join(folder, '.cache'),
    transform: { '\\.ts$': compile },
    watchman: false,
  };
  write(join(folder, 'jest.config.json'), JSON.stringify(config));
  writeExpecting(folder, shape, '');
}

function writeExpecting(folder, { files, tests }, importLine) {
  for (const name of moduleNames(files)) {
    write(join(folder, `${name}.ts`), moduleText(true));
    const imports = `${importLine}import { add, isMore } from './${name}';\n`;
    const body = (i) =>
      `expect(add(${i}, 1)).toBe(${i + 1});\n  expect(isMore(add(${i}, 1), ${i})).toBe(true);`;
    const calls = counted(tests, (i) => `test('adds ${i}', () => {\n  ${body(i)}\n});\n`);
    write(join(folder, `${name}.test.ts`), imports + calls);
  }
}

function moduleText(isTyped) {
  const type = (name) => (isTyped ? `: ${name}` : '');
  const parameters = `a${type('number')}, b${type('number')}`;
  return [
    `export function add(${parameters})${type('number')} {\n  return a + b;\n}\n`,
    `export function isMore(${parameters})${type('boolean')} {\n  return a > b;\n}\n`,
  ].join('\n');
}

function counted(count, text) {
  return Array.from({ length: count }, (_, index) => text(index)).join('\n');
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
