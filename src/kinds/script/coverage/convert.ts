// Counts of bundles come in, the coverage of the sources they were made from goes out.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { FileCoverage } from './file-coverage.ts';
import { mergeFileCoverage } from './file-coverage.ts';
import { withoutMadeUpLines } from './synthetic-lines.ts';
import { loadMonocart } from './monocart.ts';
import type { V8Entry } from './v8-counts.ts';

/** Code that ran, with its source map, whose sources are absolute paths. */
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

/** Reads the text and the map of a bundle that was counted; the map lies beside it or ends it. */
export function readBundle({ file, functions }: V8Entry): CountedCode {
  const code = readFileSync(file, 'utf8');
  const inline = /^\/\/# sourceMappingURL=data:[^,]*;base64,(.*)$/m.exec(code)?.[1];
  const text =
    inline === undefined ? readFileSync(`${file}.map`, 'utf8') : Buffer.from(inline, 'base64').toString();
  // Only Assay writes bundles, and esbuild their maps.
  const map = JSON.parse(text) as SourceMap;
  const sources = map.sources.map((source) => resolve(dirname(file), source));
  return { code, map: withoutMadeUpLines(code, { ...map, sources }), functions };
}

/** The coverage of every source that `isWanted`, added up over all code that contains it, in the order of their paths. */
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
    sourceFilter: (name: string) => names.fileOf(name) !== undefined,
  });
  // Added one by one, because code that ran several times comes several times, too.
  for (const code of counted) await report.add([names.entryOf(code)]);
  await report.generate();
  // The report writes what the type says.
  const coverage = JSON.parse(readFileSync(join(outputDir, 'sources.json'), 'utf8')) as Record<
    string,
    FileCoverage
  >;
  rmSync(outputDir, { recursive: true });
  const parts = new Map<string, FileCoverage[]>();
  for (const [name, part] of Object.entries(coverage)) {
    const file = names.fileOf(name) ?? name;
    parts.set(file, [...(parts.get(file) ?? []), part]);
  }
  return [...parts]
    .map(([file, list]) => mergeFileCoverage(file, list))
    .sort((left, right) => (left.path < right.path ? -1 : 1));
}

/**
 * Neutral names for sources, different in every bundle. With their real names the library would change unusual
 * characters in paths, and merge functions that merely end at the same place.
 */
class SourceNames {
  readonly #isWanted: (file: string) => boolean;
  readonly #files = new Map<string, string>();
  readonly #bundles = new Map<string, number>();
  readonly #texts = new Map<string, string | undefined>();

  constructor(isWanted: (file: string) => boolean) {
    this.#isWanted = isWanted;
  }

  fileOf(name: string): string | undefined {
    return this.#files.get(name);
  }

  entryOf({ code, map, functions }: CountedCode): MonocartEntry {
    const key = [...map.sources, code].join('\0');
    const bundle = this.#bundles.get(key) ?? this.#bundles.size;
    this.#bundles.set(key, bundle);
    const texts = map.sources.map((file) => (this.#isWanted(file) ? this.#textOf(file) : undefined));
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

  #textOf(file: string): string | undefined {
    if (!this.#texts.has(file)) this.#texts.set(file, readText(file));
    return this.#texts.get(file);
  }
}

type MonocartEntry = { url: string; source: string; sourceMap: SourceMap; functions: V8Entry['functions'] };

/** A source that is no file (a module Assay made up) or is gone has no coverage. */
function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
