// The rows of a CSV file by the names of its columns.

import { ConfigError } from '../../errors.ts';
import { CsvReader } from '../../text/csv.ts';

const MAX_RECORD = 10_000_000;

export function readCsv(text: string, name: string): { row: Record<string, string>; at: string }[] {
  const reader = new CsvReader({ maxLength: MAX_RECORD });
  const records = [...reader.push(text), ...reader.end()];
  const rows: { row: Record<string, string>; at: string }[] = [];
  let header: string[] | undefined;
  for (const record of records) {
    const at = `${name}:${record.line}`;
    if ('problem' in record) throw new ConfigError(record.problem, { at });
    if (header === undefined) header = record.fields.map((field) => field.trim());
    else {
      const entries = header.map((column, index): [string, string] => [column, record.fields[index] ?? '']);
      rows.push({ row: Object.fromEntries(entries), at });
    }
  }
  return rows;
}
