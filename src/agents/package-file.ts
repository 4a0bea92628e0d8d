// Reads package.yao, the definition of an assistant.

import type { YaoFile } from '../json/yao-file.ts';
import { readYaoFile } from '../json/yao-file.ts';

/** A package.yao with its variables filled in. */
export type PackageFile = YaoFile;

/** Throws syntax errors; missing and empty variables become problems of the file. */
export function readPackageFile(
  file: string,
  options: { env: Record<string, string | undefined>; cwd: string },
): Promise<PackageFile> {
  return readYaoFile(file, options);
}
