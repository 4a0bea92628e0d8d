// Parts of a script test in words that several reports share. All of it may be hostile.

import type { Subtest } from '../model/script.ts';
import { formatDuration } from '../platform/duration.ts';

/** `failed: TestTotal/empty cart (2ms): assertion failed: the sum` */
export function subtestText({ name, status, duration_ms, error }: Subtest): string {
  const reason = error === undefined ? '' : `: ${error}`;
  return `${status}: ${name} (${formatDuration(duration_ms)})${reason}`;
}
