// A file of cases in, objects with their lines out. The ending of the file names its format.

import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import { ConfigError } from '../../../../errors.ts';
import { isObject } from '../../../../json/is-object.ts';
import { isJsonList, readJsonList } from '../../../../json/json-list.ts';
import type { ParsedObject } from '../../../../json/jsonl.ts';
import { readObjects } from '../../../../json/jsonl.ts';
import { binaryProblem, brokenLine, decodeText, refuseDevice } from '../../../../json/text-file.ts';
import { CsvReader } from '../../../../text/csv.ts';
import type { ColumnMap, Columns } from './table.ts';
import { mapObject, readColumns, rowToCase } from './table.ts';

export type ReadFileOptions = {
  /** How people know the file. */
  name: string;
  /** Sees every byte of the file once, in order. */
  onBytes?: ((bytes: Buffer) => void) | undefined;
  /** Renames columns or fields. */
  map?: ColumnMap | undefined;
  /** Rows are values for a case, not cases: cells stay as they are, under the names of their columns. */
  isPlain?: boolean;
};

type Objects = AsyncGenerator<ParsedObject[]>;
type Read = (file: string, options: ReadFileOptions) => Objects;

const MAX_RECORD = 16 * 1024 * 1024;
const NO_MAP: ColumnMap = new Map();

/** Readers by ending; every other file is one JSON object a line. */
const READERS: Record<string, Read> = {
  '.csv': (file, options) => readDelimited(file, undefined, options),
  '.json': readJson,
  '.parquet': readParquetRows,
  '.tsv': (file, options) => readDelimited(file, '\t', options),
  '.yaml': readYaml,
  '.yml': readYaml,
};

/** True for files whose rows are no JSON objects. */
const TABLES = new Set(['.csv', '.parquet', '.tsv']);

/** Reads the objects of a file in batches; throws ConfigError only if it cannot be read at all. */
export function readFileObjects(file: string, options: ReadFileOptions): AsyncIterable<ParsedObject[]> {
  const ending = extname(file).toLowerCase();
  const read = READERS[ending];
  const { onBytes, map, isPlain } = options;
  if (read === undefined) {
    const objects = readObjects(file, onBytes === undefined ? {} : { onBytes });
    return map === undefined || isPlain === true ? objects : mapped(objects, map);
  }
  const objects = read(file, options);
  return map === undefined || isPlain === true || TABLES.has(ending) ? objects : mapped(objects, map);
}

async function* mapped(batches: AsyncIterable<ParsedObject[]>, map: ColumnMap): Objects {
  let row = 0;
  for await (const batch of batches) yield batch.map((parsed) => mapObject(parsed, map, (row += 1)));
}

async function* readJson(file: string, { onBytes }: ReadFileOptions): Objects {
  const options = onBytes === undefined ? {} : { onBytes };
  yield* (await isJsonList(file)) ? readJsonList(file, options) : readObjects(file, options);
}

async function* readDelimited(
  file: string,
  delimiter: string | undefined,
  { onBytes, map = NO_MAP, isPlain = false }: ReadFileOptions,
): Objects {
  refuseDevice(file, file);
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const reader = new CsvReader({ maxLength: MAX_RECORD, ...(delimiter !== undefined && { delimiter }) });
  const rows = new TableRows(map, isPlain);
  /** Line breaks in the pieces before. */
  let before = 0;
  // Large pieces: a row that goes over the end of a piece is looked at again.
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) {
    // A stream without an encoding gives buffers.
    const bytes = chunk as Buffer;
    onBytes?.(bytes);
    const problem = bytes.includes(0) ? binaryProblem(bytes) : undefined;
    const text = problem === undefined ? decodeOr(decoder, bytes, true) : undefined;
    if (text === undefined) {
      yield [{ problem: problem ?? NOT_UTF8, line: before + brokenLine(bytes) }];
      return;
    }
    before += countBreaks(bytes);
    const found = rows.take(reader.push(text));
    if (found.length > 0) yield found;
  }
  const rest = decodeOr(decoder, undefined, false);
  const last = rest === undefined ? [{ problem: NOT_UTF8, line: rows.line }] : reader.push(rest);
  const found = rows.take([...last, ...reader.end()]);
  if (found.length > 0) yield found;
}

function countBreaks(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count += 1;
  return count;
}

const NOT_UTF8 = 'the file is not valid UTF-8: save it as UTF-8 (in a spreadsheet: "CSV UTF-8")';

function decodeOr(
  decoder: InstanceType<typeof TextDecoder>,
  bytes: Buffer | undefined,
  stream: boolean,
): string | undefined {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream });
  } catch {
    return undefined;
  }
}

/** Turns the records of a file into cases; the first record has the names of the columns. */
class TableRows {
  /** The line of the last record. */
  line = 1;
  #columns: Columns | undefined;
  /** The header says already why no row is a case. */
  #isUseless = false;
  #row = 0;
  readonly #map: ColumnMap;
  readonly #isPlain: boolean;

  constructor(map: ColumnMap, isPlain: boolean) {
    this.#map = map;
    this.#isPlain = isPlain;
  }

  take(
    records: Iterable<{ fields: string[]; line: number } | { problem: string; line: number }>,
  ): ParsedObject[] {
    const found: ParsedObject[] = [];
    for (const record of records) {
      const { line } = record;
      this.line = line;
      if ('problem' in record) found.push(record);
      else if (this.#columns === undefined) {
        this.#columns = readColumns(record.fields, this.#map);
        const { problems, noInput } = this.#columns;
        const hasNoInput = noInput !== undefined && !this.#isPlain;
        for (const problem of hasNoInput ? [noInput] : problems) found.push({ problem, line });
        this.#isUseless = hasNoInput;
      } else if (!this.#isUseless) found.push(this.#toObject(record.fields, line, this.#columns));
    }
    return found;
  }

  #toObject(fields: string[], line: number, columns: Columns): ParsedObject {
    this.#row += 1;
    const wanted = columns.names.length;
    if (fields.length !== wanted)
      return { problem: `the row has ${fields.length} fields, the header has ${wanted}`, line };
    if (!this.#isPlain) return { value: rowToCase(columns, fields, this.#row), line };
    return { value: plainRow(columns.names, fields), line };
  }
}

/** An empty cell is no value, so that a default stays. */
function plainRow(names: readonly string[], cells: readonly unknown[]): Record<string, unknown> {
  // Object.fromEntries makes own properties only, whatever the columns are called.
  const filled = names.map((name, index) => [name, cells[index]] as const).filter(([, cell]) => cell !== '');
  return Object.fromEntries(filled);
}

async function* readYaml(file: string, { name, onBytes }: ReadFileOptions): Objects {
  refuseDevice(file, name);
  const handle = await open(file, 'r');
  const bytes = await handle.readFile().finally(() => void handle.close());
  onBytes?.(bytes);
  try {
    const { parseYamlDocument } = await import('../../../../json/yaml-document.ts');
    const { value, lineOf } = await parseYamlDocument(decodeText(bytes, name), name);
    const items: unknown[] = Array.isArray(value) ? value : [value];
    const problem = Array.isArray(value) ? undefined : notCases(value);
    if (problem !== undefined) yield [{ problem, line: 1 }];
    else
      yield items.map((item, index) => ({
        value: item,
        line: Array.isArray(value) ? lineOf([String(index)]) : 1,
      }));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    yield error.problems.map(({ message, at }) => ({
      problem: message,
      line: Number(/:(\d+)$/.exec(at ?? '')?.[1] ?? 1),
    }));
  }
}

/** A file with one value that is no list may be a case of its own. */
function notCases(value: unknown): string | undefined {
  if (!isObject(value)) return 'expected a list of cases, each with "id" and "input"';
  if ('id' in value || 'input' in value || 'turns' in value) return undefined;
  if ('prompts' in value || 'providers' in value)
    return 'this looks like a promptfoo configuration: write its tests as a list of cases, each with "id" and "input"';
  return 'expected a list of cases, each with "id" and "input"';
}

async function* readParquetRows(file: string, options: ReadFileOptions): Objects {
  const { readParquet } = await import('./parquet.ts');
  const { map = NO_MAP, isPlain = false, onBytes } = options;
  if (onBytes !== undefined) for await (const chunk of createReadStream(file)) onBytes(chunk as Buffer); // A stream without an encoding gives buffers.
  let columns: Columns | undefined;
  let row = 0;
  for await (const rows of readParquet(file, options.name)) {
    const found: ParsedObject[] = [];
    for (const cells of rows) {
      row += 1;
      const names = Object.keys(cells);
      if (columns === undefined) {
        columns = readColumns(names, map);
        for (const problem of columns.problems) found.push({ problem, line: row });
      }
      const value = isPlain ? cells : rowToCase(columns, Object.values(cells), row);
      found.push({ value, line: row });
    }
    yield found;
  }
}
