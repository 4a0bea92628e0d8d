// A small shop with two files of tests, and what runs them the way workers do.

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createContext, Script } from 'node:vm';
import type { BuildOptions } from 'esbuild';
import { build } from 'esbuild';
import { startCoverage, takeCoverage, writeEntries } from './v8-counts.ts';

export const root = realpathSync(mkdtempSync(join(tmpdir(), 'assay coverage 100% ')));
const HEAD = '(function (exports, require, module) { ';
type Exports = Record<string, () => unknown>;

export function write(path: string, text: string): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

async function bundle(entry: string, options: BuildOptions): Promise<string> {
  const outfile = join(root, 'cache', `${entry.replaceAll(/\W/g, '-')}.${options.format ?? ''}.mjs`);
  await build({
    absWorkingDir: root,
    bundle: true,
    entryPoints: [join(root, entry)],
    outfile,
    platform: 'node',
    sourcesContent: false,
    target: 'node20',
    ...options,
  });
  return outfile;
}

/** Runs a test file's functions in a context of its own and keeps what was counted. */
export async function runInContext(entry: string, folder: string): Promise<void> {
  const file = await bundle(entry, { format: 'cjs', sourcemap: 'external' });
  startCoverage();
  const script = new Script(`${HEAD}${readFileSync(file, 'utf8')}\n})`, { filename: file });
  const module: { exports: Exports } = { exports: {} };
  // The function that the head begins.
  (script.runInContext(createContext()) as (...args: unknown[]) => void)(module.exports, undefined, module);
  for (const test of Object.values(module.exports)) await test();
  writeEntries(folder, takeCoverage([{ file, offset: HEAD.length }]));
}

/** Runs them as an ES module, whose map is part of it. */
export async function runAsModule(entry: string, folder: string): Promise<void> {
  const file = await bundle(entry, { format: 'esm', sourcemap: 'inline' });
  startCoverage();
  const exports = await importNatively(pathToFileURL(file).href);
  for (const test of Object.values(exports)) await test();
  writeEntries(folder, takeCoverage([{ file }]));
}

/** Vitest would change a module that is imported from here. */
const importNatively = createRequire(import.meta.url)(
  write('import.cjs', 'module.exports = (url) => import(url);'),
) as (url: string) => Promise<Exports>;

write(
  'shop/src/cart.ts',
  `// A cart of a shop.
export interface Item {
  name: string;
  price: number;
}

const RATE: number = 0.2;

export function total(items: Item[], discount: number = 0): number {
  let sum = 0;
  for (const item of items) {
    sum += item.price;
  }
  if (discount > 0) {
    sum -= discount;
  } else if (discount < 0) {
    throw new Error('negative');
  }
  return sum;
}

export const tax = (amount: number): number => (amount > 100 ? amount * RATE : 0);

export function never(value: string): string {
  if (value === '') return 'empty';
  return value.trim();
}

export class Cart {
  private items: Item[] = [];
  add(item: Item): this {
    this.items.push(item);
    return this;
  }
  clear(): void {
    this.items = [];
  }
}

export const plus = (a: number) => (b: number): number => a + b;

export enum Level {
  Low = 1,
}
`,
);
write(
  'shop/src/first_test.ts',
  `import { name } from 'pkg';
import data from './data.json';
import { Level, total } from './cart';
export function TestFirst(): number {
  return total([{ name: name(), price: data.price }, { name: 'b', price: Level.Low }], 1);
}
`,
);
write(
  'shop/src/second_test.ts',
  `import { Cart, plus, tax, total as sum } from './cart';
function total(): number {
  return sum([]);
}
export async function TestSecond(): Promise<void> {
  const item = { name: 'a', price: 1 };
  new Cart().add(item).add(item);
  plus(1);
  tax(total());
  await Promise.resolve();
  tax(50);
}
`,
);
write('shop/src/data.json', '{"price": 1}');
write('node_modules/pkg/index.js', 'export function name() { return "pkg"; }');
write('node_modules/pkg/package.json', '{"name": "pkg", "type": "module", "main": "index.js"}');
export const forgotten = write(
  'shop/src/forgotten.ts',
  `export function forgotten(value: number): number {
  return value > 1 ? 1 : 2;
}
`,
);
export const types = write('shop/src/types.ts', 'export type Name = string;\n');

// Istanbul's own instrumenter counts the same calls the same way, but for line 9 (it has no count for a declaration, and
// once for the default value), 24 and 29 (the class counts as its first property, line 30).
export const CART = `TN:
SF:shop/src/cart.ts
FN:9,total
FN:22,(anonymous_1)
FN:24,never
FN:31,(anonymous_3)
FN:35,(anonymous_4)
FN:40,(anonymous_5)
FN:40,(anonymous_6)
FNF:7
FNH:4
FNDA:2,total
FNDA:2,(anonymous_1)
FNDA:0,never
FNDA:2,(anonymous_3)
FNDA:0,(anonymous_4)
FNDA:1,(anonymous_5)
FNDA:0,(anonymous_6)
DA:7,1
DA:9,2
DA:10,2
DA:11,2
DA:12,2
DA:14,2
DA:15,1
DA:16,1
DA:17,0
DA:19,2
DA:22,1
DA:24,0
DA:25,0
DA:26,0
DA:29,1
DA:32,2
DA:33,2
DA:36,0
DA:40,1
LF:19
LH:14
BRDA:9,0,0,2
BRDA:14,1,0,1
BRDA:14,1,1,1
BRDA:16,2,0,0
BRDA:16,2,1,1
BRDA:22,3,0,0
BRDA:22,3,1,2
BRDA:25,4,0,0
BRDA:25,4,1,0
BRF:9
BRH:5
end_of_record
`;
export const FORGOTTEN = `TN:
SF:shop/src/forgotten.ts
FN:1,forgotten
FNF:1
FNH:0
FNDA:0,forgotten
DA:1,0
DA:2,0
LF:2
LH:0
BRDA:2,0,0,0
BRDA:2,0,1,0
BRF:2
BRH:0
end_of_record
`;
