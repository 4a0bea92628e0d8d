// Compiles whole source files, with all counts zero.

import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { isBuildFailure, LOADERS, withEsbuild } from '../../../compile/build/bundle-build.ts';
import type { CountedCode, SourceMap } from './convert.ts';

/** Compiles files as if they never ran. Leaves out files with only types, or with errors. */
export async function compileUncounted(files: Iterable<string>): Promise<CountedCode[]> {
  return withEsbuild(async (esbuild) => {
    const compiled: CountedCode[] = [];
    for (const file of files) {
      try {
        const { code, map } = await esbuild.transform(readFileSync(file, 'utf8'), {
          format: 'esm',
          loader: LOADERS[extname(file)] ?? 'ts',
          logLevel: 'silent',
          platform: 'node',
          sourcefile: file,
          sourcemap: 'external',
          sourcesContent: false,
          target: 'node20',
        });
        // Safe: esbuild wrote the map.
        compiled.push(...uncounted(file, code, JSON.parse(map) as SourceMap));
      } catch (error) {
        // The run has reported the syntax error already.
        if (!isBuildFailure(error)) throw error;
      }
    }
    return compiled;
  });
}

function uncounted(file: string, code: string, map: SourceMap): CountedCode[] {
  const isEmpty = !/[^;]/.test(map.mappings);
  if (isEmpty) return [];
  const all = { startOffset: 0, endOffset: code.length, count: 0 };
  const functions = [{ functionName: '', isBlockCoverage: true, ranges: [all] }];
  return [{ code, map: { ...map, sources: [file] }, functions }];
}
