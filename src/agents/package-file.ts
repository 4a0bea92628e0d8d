// package.yao: what an assistant says about itself.

import type { YaoFile } from '../json/yao-file.ts';
import { readYaoFile } from '../json/yao-file.ts';

/** A package.yao whose variables are filled in. */
export type PackageFile = YaoFile;

/** Reads a package.yao. Syntax errors are thrown; variables that are missing or empty are among its problems. */
export function readPackageFile(
  file: string,
  options: { env: Record<string, string | undefined>; cwd: string },
): Promise<PackageFile> {
  return readYaoFile(file, options);
}
