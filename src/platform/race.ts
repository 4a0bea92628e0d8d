/** Kept before user code can replace it. */
const { Promise } = globalThis;

/** Rejects with the signal's reason as soon as it aborts, because user code may ignore the signal. */
export function raceSignal<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      // Thrown unchanged: the caller recognises its own reason.
      reject(signal.reason as Error);
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    // `await` and not `then`, which user code may have replaced.
    const settle = async (): Promise<void> => {
      try {
        resolve(await work);
      } catch (error) {
        reject(error);
      } finally {
        signal.removeEventListener('abort', abort);
      }
    };
    void settle();
  });
}
