// Parses the head of an HTTP/1 response.

export type ResponseHead = {
  status: number;
  headers: Record<string, string>;
  /** The length of the body, or how its end is marked. */
  body: number | 'chunked' | 'close';
  /** The connection can be reused. */
  isKept: boolean;
};

const STATUS_LINE = /^HTTP\/1\.(\d) ([1-9]\d\d)(?: .*)?\r?$/;
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** Headers with a single value: the first one counts. */
const SINGLE = new Set(['content-type', 'date', 'location', 'retry-after']);

/** Cache of one: a busy server repeats the same head until the second in its `date` changes. */
let last: { text: string; head: ResponseHead } | undefined;

/** Parses a head, passed without the empty line at its end. Returns the malformed line on failure. */
export function parseHead(text: string): Readonly<ResponseHead> | string {
  if (last?.text === text) return last.head;
  const head = readHead(text);
  if (typeof head !== 'string') last = { text, head };
  return head;
}

function readHead(text: string): ResponseHead | string {
  const lines = text.split('\n');
  const first = lines.shift() ?? '';
  const found = STATUS_LINE.exec(first);
  if (found === null) return first;
  const headers = parseHeaders(lines);
  if (typeof headers === 'string') return headers;
  const status = Number(found[2]);
  const body = status < 200 || status === 204 || status === 304 ? 0 : bodyLength(headers);
  if (body === undefined) return `content-length: ${headers['content-length'] ?? ''}`;
  return { status, headers, body, isKept: body !== 'close' && isKept(found[1] === '0', headers) };
}

function parseHeaders(lines: string[]): Record<string, string> | string {
  // No prototype: a server may send a header of any name.
  const headers: Record<string, string> = Object.create(null);
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    if (!NAME.test(name)) return line;
    const value = line.slice(colon + 1).trim();
    const known = headers[name];
    if (known === undefined) headers[name] = value;
    else if (!SINGLE.has(name)) headers[name] = `${known}, ${value}`;
  }
  return headers;
}

function bodyLength(headers: Record<string, string>): ResponseHead['body'] | undefined {
  const { 'transfer-encoding': coding, 'content-length': length } = headers;
  if (coding !== undefined) return /(?:^|,)\s*chunked$/i.test(coding) ? 'chunked' : 'close';
  if (length === undefined) return 'close';
  const [first = '', ...others] = length.split(/\s*,\s*/);
  return /^\d{1,15}$/.test(first) && others.every((other) => other === first) ? Number(first) : undefined;
}

function isKept(isOld: boolean, headers: Record<string, string>): boolean {
  const { connection, 'transfer-encoding': coding, 'content-length': length } = headers;
  // Two contradicting lengths: do not reuse the connection.
  if (coding !== undefined && length !== undefined) return false;
  if (connection === undefined) return !isOld;
  const words = connection.toLowerCase().split(/\s*,\s*/);
  return !words.includes('close') && (!isOld || words.includes('keep-alive'));
}
