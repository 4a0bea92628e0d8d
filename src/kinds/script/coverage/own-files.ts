// Selects the files of a coverage report: the user's code below the application root, without tests.

import { realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { isInside } from '../../../platform/paths.ts';

/** Returns a predicate for files under test. It takes real paths, because compilers report those. */
export function ownFiles(root: string): (file: string) => boolean {
  const realRoot = realpathSync(root);
  return (file) =>
    isInside(realRoot, file) &&
    /\.[cm]?[jt]sx?$/.test(file) &&
    !/_test\.[cm]?[jt]sx?$|\.d\.[cm]?ts$/.test(file) &&
    !file.slice(realRoot.length).split(sep).includes('node_modules');
}
