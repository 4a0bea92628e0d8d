// Converts counts of bundles into coverage of their source files.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { FileCoverage } from './file-coverage.ts';
import { mergeFileCoverage } from './file-coverage.ts';
import { dropSyntheticLines } from './synthetic-lines.ts';
import { loadMonocart } from './monocart.ts';
import type { V8Entry } from './v8-counts.ts';

/** Code with its counts and its source map, whose sources are absolute paths. */
export type CountedCode = {
  code: string;
  map: SourceMap;
  functions: V8Entry['functions'];
};
export type SourceMap = {
  version: number;
  sources: string[];
  sourcesContent?: (string | null)[];
  names: string[];
  mappings: string;
};

/** Reads the text and the source map of a bundle; the map is a file beside it or inline at its end. */
export function readBundle({ file, functions }: V8Entry): CountedCode {
  const code = readFileSync(file, 'utf8');
  const inline = /^\/\/# sourceMappingURL=data:[^,]*;base64,(.*)$/m.exec(code)?.[1];
  const text =
    inline === undefined ? readFileSync(`${file}.map`, 'utf8') : Buffer.from(inline, 'base64').toString();
  // Safe: esbuild wrote the map.
  const map = JSON.parse(text) as SourceMap;
  const sources = map.sources.map((source) => resolve(dirname(file), source));
  return { code, map: dropSyntheticLines(code, { ...map, sources }), functions };
}

/** Adds up the coverage of every source that `isWanted` over all code that contains it; sorted by path. */
export async function convertCounts(
  counted: readonly CountedCode[],
  { root, folder, isWanted }: { root: string; folder: string; isWanted: (file: string) => boolean },
): Promise<FileCoverage[]> {
  if (counted.length === 0) return [];
  const monocart = await loadMonocart(root);
  const outputDir = mkdtempSync(join(folder, 'sources-'));
  const names = new SourceNames(isWanted);
  const report = monocart({
    logging: 'off',
    outputDir,
    reports: [['json', { file: 'sources.json' }]],
    sourceFilter: (name: string) => names.sourceFile(name) !== undefined,
  });
  // One call each, because the same code may occur several times.
  for (const code of counted) await report.add([names.toEntry(code)]);
  await report.generate();
  // Safe: the library wrote this file.
  const coverage = JSON.parse(readFileSync(join(outputDir, 'sources.json'), 'utf8')) as Record<
    string,
    FileCoverage
  >;
  rmSync(outputDir, { recursive: true });

  const parts = new Map<string, FileCoverage[]>();
  for (const [name, part] of Object.entries(coverage)) {
    const file = names.sourceFile(name) ?? name;
    parts.set(file, [...(parts.get(file) ?? []), part]);
  }
  return [...parts]
    .map(([file, list]) => mergeFileCoverage(file, list))
    .sort((left, right) => (left.path < right.path ? -1 : 1));
}

/**
 * Neutral names for sources, different in every bundle. With their real names the library would change unusual
 * characters in paths, and merge functions only because they end at the same position.
 */
class SourceNames {
  readonly #isWanted: (file: string) => boolean;
  readonly #files = new Map<string, string>();
  readonly #bundles = new Map<string, number>();
  readonly #texts = new Map<string, string | undefined>();

  constructor(isWanted: (file: string) => boolean) {
    this.#isWanted = isWanted;
  }

  sourceFile(name: string): string | undefined {
    return this.#files.get(name);
  }

  toEntry({ code, map, functions }: CountedCode): MonocartEntry {
    const key = [...map.sources, code].join('\0');
    const bundle = this.#bundles.get(key) ?? this.#bundles.size;
    this.#bundles.set(key, bundle);
    const texts = map.sources.map((file) => (this.#isWanted(file) ? this.#readCached(file) : undefined));
    const sources = map.sources.map((file, index) => {
      const name = `${String(bundle)}/${String(index)}.ts`;
      if (texts[index] !== undefined) this.#files.set(name, file);
      return name;
    });
    const sourcesContent = texts.map((text) => text ?? '');
    return {
      url: `bundle-${String(bundle)}.js`,
      source: code,
      sourceMap: { ...map, sources, sourcesContent },
      functions,
    };
  }

  #readCached(file: string): string | undefined {
    if (!this.#texts.has(file)) this.#texts.set(file, readText(file));
    return this.#texts.get(file);
  }
}

type MonocartEntry = { url: string; source: string; sourceMap: SourceMap; functions: V8Entry['functions'] };

/** Undefined for a source without a file: a synthetic module of Assay, or a deleted file. */
function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
