import { callMethod, hasMethods } from '../frameworks/framework.ts';

type Reader = { read(): Promise<{ done: boolean; value?: unknown }>; cancel(): Promise<void> };

/**
 * The pieces of a stream, a generator or another iterable. Stops when the signal aborts, and then also ends what it reads from.
 */
export async function* piecesOf(stream: object, signal: AbortSignal): AsyncGenerator {
  const isIterable = Symbol.asyncIterator in stream || Symbol.iterator in stream;
  // `for await` reads both sync and async iterables.
  const pieces = isIterable ? (stream as AsyncIterable<unknown>) : readerPieces(stream);
  for await (const piece of pieces) {
    if (signal.aborted) return;
    yield piece;
  }
}

/** A web stream that cannot be iterated, as in older polyfills. */
async function* readerPieces(stream: object): AsyncGenerator {
  if (!hasMethods(stream, 'getReader')) return;
  const reader = callMethod(stream, 'getReader') as Reader;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
