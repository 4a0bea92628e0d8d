// `t.tempDir`: a folder that is removed after the test.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../../errors.ts';
import type { Scope } from './scope.ts';

/** Creates a folder and registers its removal. */
export function createTempDir(scope: Scope): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-test-'));
  scope.onEnd(() => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 2 });
    } catch (error) {
      // A folder that cannot be removed is not the fault of the code under test.
      scope.shared.host.log(`t.tempDir: ${messageOf(error)}`);
    }
  });
  return folder;
}
