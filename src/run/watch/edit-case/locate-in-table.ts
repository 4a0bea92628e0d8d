// Rows with commas, semicolons or tabs (RFC 4180). A cell that is not changed keeps its spelling.

import { guessDelimiter } from '../../../text/csv.ts';
import type { CasePlace, Located } from './located.ts';
import { NO_EXPECTED, NOT_THERE } from './located.ts';

type Cell = { start: number; end: number; text: string };
type Record = { line: number; cells: Cell[] };

export function locateInCsv(text: string, place: CasePlace): Located | string {
  const [header = ''] = text.replace(/^\uFEFF/, '').split('\n', 1);
  return locate(text, place, guessDelimiter(header));
}

export function locateInTsv(text: string, place: CasePlace): Located | string {
  return locate(text, place, '\t');
}

function locate(text: string, { id, line, names }: CasePlace, delimiter: string): Located | string {
  const [header, ...rows] = records(text, delimiter);
  const columns = header?.cells.map((cell) => cell.text.trim()) ?? [];
  const row = rows.find((one) => one.line === line);
  if (row === undefined || row.cells.length !== columns.length) return NOT_THERE;
  const value = Object.fromEntries(columns.map((name, index) => [name, row.cells[index]?.text]));
  if (value['id'] !== undefined && value['id'] !== '' && value['id'] !== id) return NOT_THERE;
  const name = names.find((one) => columns.includes(one));
  const cell = name === undefined ? undefined : row.cells[columns.indexOf(name)];
  if (name === undefined || cell === undefined || cell.text === '') return NO_EXPECTED;
  const { start, end } = cell;
  return { start, end, value, name, isTextOnly: true, write: (answer) => written(String(answer), delimiter) };
}

/** Quotes only what needs it. */
function written(text: string, delimiter: string): string {
  const isPlain = !/["\r\n]/.test(text) && !text.includes(delimiter) && text === text.trim() && text !== '';
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`;
}

/** All records with the places of their cells, as `CsvReader` reads them. */
function records(text: string, delimiter: string): Record[] {
  const all: Record[] = [];
  let line = 1;
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  while (at < text.length) {
    const record: Record = { line, cells: [] };
    for (;;) {
      const cell = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at, delimiter);
      record.cells.push(cell);
      at = cell.end;
      if (text[at] !== delimiter) break;
      at += 1;
    }
    if (text[at] === '\r') at += 1;
    // A broken quote: the rest of the line belongs to no cell.
    while (at < text.length && text[at] !== '\n') at += 1;
    at += 1;
    const breaks = record.cells.reduce(
      (sum, cell) => sum + text.slice(cell.start, cell.end).split('\n').length - 1,
      0,
    );
    line += breaks + 1;
    if (record.cells.length > 1 || record.cells[0]?.text !== '') all.push(record);
  }
  return all;
}

function quotedCell(text: string, start: number): Cell {
  let end = start + 1;
  while (end < text.length && !(text[end] === '"' && text[end + 1] !== '"')) end += text[end] === '"' ? 2 : 1;
  return { start, end: end + 1, text: text.slice(start + 1, end).replaceAll('""', '"') };
}

function plainCell(text: string, start: number, delimiter: string): Cell {
  let end = start;
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n') end += 1;
  if (text[end] !== delimiter && text[end - 1] === '\r' && end > start) end -= 1;
  return { start, end, text: text.slice(start, end) };
}
