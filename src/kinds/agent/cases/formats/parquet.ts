// Rows of a Parquet file as plain JSON, in batches. The library is an optional peer.

import { dirname } from 'node:path';
import { ConfigError, messageOf, RuntimeError } from '../../../../errors.ts';
import { loadPeer } from '../../../../platform/load-peer.ts';

const BATCH = 1000;

/** Throws ConfigError if the library is not installed or the file cannot be read. */
export async function* readParquet(file: string, name: string): AsyncGenerator<Record<string, unknown>[]> {
  const options = { folder: dirname(file), need: 'Parquet files need', at: name };
  // The package's documented exports.
  const library = (await loadPeer('hyparquet', options)) as typeof import('hyparquet');
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } = library;
  try {
    const buffer = await asyncBufferFromFile(file);
    const metadata = await parquetMetadataAsync(buffer);
    const total = Number(metadata.num_rows);
    for (let start = 0; start < total; start += BATCH) {
      const rowEnd = Math.min(start + BATCH, total);
      const rows = await parquetReadObjects({ file: buffer, metadata, rowStart: start, rowEnd });
      yield rows.map(plainRow);
    }
  } catch (error) {
    if (error instanceof RuntimeError) throw error;
    const codec = /codec|compression/i.test(messageOf(error));
    const reason = codec ? messageOf(error) : 'it is no Parquet file, or damaged';
    throw new ConfigError(`cannot be read: ${reason}`, {
      at: name,
      cause: error,
      ...(codec && { hint: 'write the file with snappy or without compression' }),
    });
  }
}

function plainRow(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plainValue(value)]));
}

/** JSON has neither large integers nor dates nor bytes. */
function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint')
    return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
      ? Number(value)
      : String(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value === 'object' && value !== null) return plainRow(value as Record<string, unknown>);
  return value;
}
