// Nothing that waits for user code outlives its attempt.

/** The promise's result, or the signal's reason as soon as it aborts: user code may ignore the signal it was given. */
export function raceSignal<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      // The reason is thrown as it is, because its giver recognises it.
      reject(signal.reason as Error);
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    work.then(
      (value) => {
        signal.removeEventListener('abort', abort);
        resolve(value);
      },
      (error: unknown) => {
        signal.removeEventListener('abort', abort);
        reject(error);
      },
    );
  });
}
