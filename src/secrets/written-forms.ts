// How a secret may be written in a text: as it is, escaped, encoded, in capitals.

import { toWellFormed } from '../json/well-formed.ts';

/** Masking shorter values would hide ordinary text. */
export const MIN_SECRET = 8;

/** The forms of a secret that a search has to know; `fold` and `readEscape` take care of the others. */
export function writtenForms(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const encoded = encodeURIComponent(toWellFormed(secret));
  return [
    secret,
    secret.toUpperCase(),
    JSON.stringify(secret).slice(1, -1),
    encoded,
    encoded.replaceAll('%20', '+'),
    withoutEscapes(secret),
    withoutEscapes(encoded),
    bytes.toString('hex'),
    // In bytes that are read as Latin-1, as UTF-8 and as UTF-16.
    bytes.toString('latin1'),
    Buffer.from(secret, 'utf16le').toString('latin1').slice(0, -1),
    ...base64Forms(bytes),
  ];
}

/** The characters that are the same whatever precedes and follows the bytes, for each of the three alignments. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
}

/** Case does not matter, nor which of the two alphabets base64 uses. */
export function fold(code: number): number {
  folded ??= foldedCodes();
  return folded[code] ?? code;
}

/** Made when it is first used: it takes 2 ms, which a run without secrets does not need. */
let folded: Uint16Array | undefined;

/** Letters with a lower case are below U+2000, apart from rare ones. */
function foldedCodes(): Uint16Array {
  const codes = Uint16Array.from({ length: 0x2000 }, (_, code) =>
    String.fromCharCode(code).toLowerCase().charCodeAt(0),
  );
  codes[0x2d] = 0x2b; // - is +
  codes[0x5f] = 0x2f; // _ is /
  return codes;
}

/** True for line breaks: a key may be wrapped. */
export function isBreak(code: number): boolean {
  return code === 10 || code === 13;
}

/** Reads the escape of JSON, JavaScript or a URL at a position; `code` is undefined if it stands for a line break or nothing. */
export function readEscape(text: string, at: number): { code: number | undefined; end: number } {
  if (text.charCodeAt(at) === PERCENT) {
    const code = hexAt(text, at + 1, 2);
    return code === undefined || code > 127 ? { code: PERCENT, end: at + 1 } : { code, end: at + 3 };
  }
  // JSON inside JSON has several backslashes before a character.
  let end = at + 1;
  while (text.charCodeAt(end) === BACKSLASH) end += 1;
  const letter = text.charAt(end);
  if (letter === '' || letter === 'n' || letter === 'r') return { code: undefined, end: end + 1 };
  const digits = letter === 'u' ? 4 : letter === 'x' ? 2 : 0;
  const code = digits === 0 ? undefined : hexAt(text, end + 1, digits);
  return code === undefined
    ? { code: letter === 't' ? 9 : letter.charCodeAt(0), end: end + 1 }
    : { code, end: end + 1 + digits };
}

/** True if a text may have an escape that `readEscape` reads. */
export function mayHaveEscapes(text: string): boolean {
  return text.includes('\\') || text.includes('%');
}

const PERCENT = 37;
const BACKSLASH = 92;

export function isEscape(code: number): boolean {
  return code === PERCENT || code === BACKSLASH;
}

function withoutEscapes(text: string): string {
  if (!mayHaveEscapes(text)) return text;
  let plain = '';
  for (let at = 0; at < text.length;) {
    const { code, end } = isEscape(text.charCodeAt(at))
      ? readEscape(text, at)
      : { code: text.charCodeAt(at), end: at + 1 };
    if (code !== undefined) plain += String.fromCharCode(code);
    at = end;
  }
  return plain;
}

function hexAt(text: string, at: number, digits: number): number | undefined {
  const written = text.slice(at, at + digits);
  return written.length === digits && /^[\da-f]+$/i.test(written) ? parseInt(written, 16) : undefined;
}
