// Parts of a script test in words that several reports share. All of it may be hostile.

import type { Status } from '../../../model/outcome.ts';
import type { Subtest } from '../../../model/script.ts';
import { formatDuration } from '../../../text/duration.ts';

const LISTED = 200;

/** The subtests of a test, one a line; of very many those first that did not pass. */
export function subtestTexts(subtests: readonly Subtest[] = []): string[] {
  if (subtests.length <= LISTED) return subtests.map(subtestText);
  const others = subtests.filter((subtest) => !hasFailed(subtest));
  const shown = [...subtests.filter(hasFailed), ...others].slice(0, LISTED);
  return [...shown.map(subtestText), `… and ${subtests.length - LISTED} more`];
}

/** True for a test that passed without an assertion. */
export function hasNoAssertions({ status, assertions }: { status?: Status; assertions?: number }): boolean {
  return status === 'passed' && assertions === 0;
}

export function hasFailed({ status }: Subtest): boolean {
  return status === 'failed' || status === 'error';
}

/** `failed: TestTotal/empty cart (2ms): assertion failed: the sum` */
function subtestText({ name, status, duration_ms, error }: Subtest): string {
  const reason = error === undefined ? '' : `: ${error}`;
  return `${status}: ${name} (${formatDuration(duration_ms)})${reason}`;
}
