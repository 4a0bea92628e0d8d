// Ends the worker process because something that its attempts share is gone or blocked: the pool runs them again, each alone.

let listener: ((reason: string) => void) | undefined;

/** Sets how this process ends; without it, `loseProcess` does nothing. */
export function onLostProcess(end: (reason: string) => void): void {
  listener = end;
}

/** Does not return if this process is a worker; else returns, and the caller fails what it holds. */
export function loseProcess(reason: string): void {
  listener?.(reason);
}
