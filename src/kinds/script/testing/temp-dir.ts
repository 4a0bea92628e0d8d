// `t.tempDir`: a folder that lives as long as the test.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../../errors.ts';
import type { Scope } from './scope.ts';

/** A new folder, removed after the test. */
export function createTempDir(scope: Scope): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-test-'));
  scope.onEnd(() => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 2 });
    } catch (error) {
      // What is left there says nothing about the code under test.
      scope.record.host.log(`t.tempDir: ${messageOf(error)}`);
    }
  });
  return folder;
}
