// Loads the package that turns V8's counts into reports; users install it only if they want coverage.

import { loadPeer } from '../../../platform/load-peer.ts';

type Monocart = typeof import('monocart-coverage-reports');

/** Loads the package, or throws a ConfigError with the install command. Call it before the tests run. */
export async function loadMonocart(root: string): Promise<Monocart> {
  const options = { folder: root, need: '--coverage needs' };
  const { default: monocart } = await loadPeer('monocart-coverage-reports', options);
  // The default export of the package's ES module.
  return monocart as Monocart;
}
