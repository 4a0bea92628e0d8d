// The call stack of an assertion, from which its file and line are read.

const MAX_FRAMES = 50;

/** The current stack, deep enough to reach the user's code. Slow, so captured for failures only. */
export function captureStack(): string {
  const before = Error.stackTraceLimit;
  const holder: { stack?: unknown } = {};
  try {
    Error.stackTraceLimit = MAX_FRAMES;
    Error.captureStackTrace(holder, captureStack);
    return typeof holder.stack === 'string' ? holder.stack : '';
  } catch {
    // A frozen Error, or a broken prepareStackTrace of user code.
    return '';
  } finally {
    restoreLimit(before);
  }
}

function restoreLimit(limit: number): void {
  try {
    Error.stackTraceLimit = limit;
  } catch {
    // Error is frozen: the limit was never changed.
  }
}
