// Many small pieces in, few large chunks out.

const CHUNK_LENGTH = 64 * 1024;

/** Joins pieces into chunks that are worth a write call. */
export async function* inChunks(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = '';
  for await (const piece of pieces) {
    chunk += piece;
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
