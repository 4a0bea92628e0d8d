// Whose coverage counts: the user's own code below the application root, without its tests.

import { realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { isInside } from '../../../platform/paths.ts';

/** Gives the question whether a file is one of the user's own under test; compilers name files by their real paths. */
export function ownFiles(root: string): (file: string) => boolean {
  const realRoot = realpathSync(root);
  return (file) =>
    isInside(realRoot, file) &&
    /\.[cm]?[jt]sx?$/.test(file) &&
    !/_test\.[cm]?[jt]sx?$|\.d\.[cm]?ts$/.test(file) &&
    !file.slice(realRoot.length).split(sep).includes('node_modules');
}
