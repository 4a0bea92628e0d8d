// Comma-separated text in pieces, records with their lines out (RFC 4180; also with tabs or semicolons).

/** One record, or what is wrong with it, with the line it begins on. */
export type CsvRecord = { fields: string[]; line: number } | { problem: string; line: number };

const QUOTE = '"';

/** Reads records as the text arrives; an open quote keeps a record open over several lines. */
export class CsvReader {
  #delimiter: string | undefined;
  #rest = '';
  /** The line that `#rest` begins on. */
  #line = 1;
  #isFirst = true;
  readonly #maxLength: number;

  /** Without a delimiter, the first line decides between comma, semicolon and tab. */
  constructor({ delimiter, maxLength }: { delimiter?: string; maxLength: number }) {
    this.#delimiter = delimiter;
    this.#maxLength = maxLength;
  }

  push(text: string): CsvRecord[] {
    this.#rest += text;
    if (this.#isFirst && this.#rest !== '') {
      this.#isFirst = false;
      if (this.#rest.startsWith('\uFEFF')) this.#rest = this.#rest.slice(1);
    }
    return this.#read(false);
  }

  end(): CsvRecord[] {
    return this.#read(true);
  }

  #read(isEnd: boolean): CsvRecord[] {
    const text = this.#rest;
    const records: CsvRecord[] = [];
    let start = 0;
    while (start < text.length) {
      const lineEnd = text.indexOf('\n', start);
      if (lineEnd === -1 && !isEnd) break;
      const end = lineEnd === -1 ? text.length : lineEnd;
      this.#delimiter ??= guessDelimiter(text.slice(start, end));
      const quote = text.indexOf(QUOTE, start);
      const isPlain = quote === -1 || quote >= end;
      const found = isPlain ? plain(text, start, end, this.#delimiter) : this.#quoted(text, start, isEnd);
      if (found === undefined) break;
      const { next, fields, problem } = found;
      if (problem !== undefined) records.push({ problem, line: this.#line });
      else if (fields.length > 1 || fields[0] !== '') records.push({ fields, line: this.#line });
      this.#line += isPlain ? 1 : countBreaks(text, start, next);
      start = next;
    }
    this.#rest = text.slice(start);
    if (this.#rest.length <= this.#maxLength) return records;
    records.push({ problem: 'the record is too long, or a quote is not closed', line: this.#line });
    this.#line += countBreaks(this.#rest, 0, this.#rest.length);
    this.#rest = '';
    return records;
  }

  /** A record with quotes; undefined if its end has not arrived yet. */
  #quoted(text: string, start: number, isEnd: boolean): Found | undefined {
    const delimiter = this.#delimiter ?? ',';
    const fields: string[] = [];
    for (let at = start; ;) {
      if (text[at] !== QUOTE) {
        const { end, isLast } = plainFieldEnd(text, at, delimiter);
        if (isLast && text[end] !== '\n' && !isEnd) return undefined;
        fields.push(text.slice(at, isLast && text[end - 1] === '\r' ? end - 1 : end));
        if (isLast) return { next: end + 1, fields };
        at = end + 1;
        continue;
      }
      const close = closingQuote(text, at + 1);
      if (close === -1) return isEnd ? this.#unclosed(text, start) : undefined;
      if (close === text.length - 1 && !isEnd) return undefined;
      fields.push(text.slice(at + 1, close).replaceAll('""', QUOTE));
      const after = text[close + 1];
      if (after === delimiter) at = close + 2;
      else if (after === '\n' || after === undefined) return { next: close + 2, fields };
      else if (after === '\r' && text[close + 2] === '\n') return { next: close + 3, fields };
      else if (after === '\r' && text[close + 2] === undefined) {
        if (!isEnd) return undefined;
        return { next: close + 2, fields };
      } else {
        const problem = `text after the closing quote of column ${fields.length}: write "" for a quote inside a quoted field`;
        const lineEnd = text.indexOf('\n', close);
        if (lineEnd === -1 && !isEnd) return undefined;
        return { next: lineEnd === -1 ? text.length : lineEnd + 1, fields, problem };
      }
    }
  }

  /** Reading goes on with the next line, so that one missing quote does not hide the rest. */
  #unclosed(text: string, start: number): Found {
    const lineEnd = text.indexOf('\n', start);
    const next = lineEnd === -1 ? text.length : lineEnd + 1;
    return { next, fields: [], problem: 'a quote is opened and never closed' };
  }
}

type Found = { next: number; fields: string[]; problem?: string };

function plain(text: string, start: number, end: number, delimiter: string): Found {
  const line = text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end);
  return { next: end + 1, fields: line.split(delimiter) };
}

function plainFieldEnd(text: string, start: number, delimiter: string): { end: number; isLast: boolean } {
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === delimiter) return { end: at, isLast: false };
    if (text[at] === '\n') return { end: at, isLast: true };
  }
  return { end: text.length, isLast: true };
}

/** The position of the quote that closes a field; -1 if there is none. */
function closingQuote(text: string, start: number): number {
  for (let at = text.indexOf(QUOTE, start); at !== -1; at = text.indexOf(QUOTE, at + 2)) {
    if (text[at + 1] !== QUOTE) return at;
  }
  return -1;
}

/** Spreadsheets write semicolons where the comma separates decimals. */
export function guessDelimiter(header: string): string {
  if (header.includes(',')) return ',';
  if (header.includes('\t')) return '\t';
  return header.includes(';') ? ';' : ',';
}

function countBreaks(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', start); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
