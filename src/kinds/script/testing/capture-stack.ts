// Where an assertion stands.

const MAX_FRAMES = 50;

/** The stack of whoever is running, deep enough to reach the user's code; captured for failures only, as it takes time. */
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
    // It could not be changed in the first place.
  }
}
