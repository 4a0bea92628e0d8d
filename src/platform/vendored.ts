import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The file of a library that the build copies beside this one (scripts/vendor.mjs); undefined in the sources, where the library
 * is a package.
 */
export function vendoredFile(path: string): string | undefined {
  const file = fileURLToPath(new URL(path, import.meta.url));
  return existsSync(file) ? file : undefined;
}
