// Changes one value in a YAML text and not a character of anything else.

import type { Document, Pair, Scalar, YAMLMap } from 'yaml';

/** Returns undefined if the value cannot be changed in place. */
export async function editYamlInPlace(
  text: string,
  path: readonly string[],
  value: string | number | boolean | null,
): Promise<string | undefined> {
  const { isMap, isScalar, parseDocument, stringify } = await import('yaml');
  const document: Document = parseDocument(text);
  const parent: unknown = document.getIn(path.slice(0, -1), true);
  const name = path.at(-1) ?? '';
  if (!isMap(parent)) return value === null ? text : undefined;
  const pair = parent.items.find(({ key }) => isScalar(key) && String(key.value) === name);
  if (value === null) return pair === undefined ? text : removePair(text, parent, pair);
  const written = stringify(value, { lineWidth: 0 }).trimEnd();
  if (written.includes('\n')) return undefined;
  if (pair !== undefined) {
    const range = isScalar(pair.value) ? pair.value.range : undefined;
    // An anchor or a tag before the value would remain.
    if (!range || range[0] === range[1] || !isPlain(pair.value)) return undefined;
    return text.slice(0, range[0]) + written + text.slice(range[1]);
  }
  return appendPair(text, parent, `${stringify(name).trimEnd()}: ${written}`);
}

function isPlain(value: unknown): boolean {
  const { anchor, tag, type } = value as Scalar;
  return anchor === undefined && tag === undefined && type !== 'BLOCK_FOLDED' && type !== 'BLOCK_LITERAL';
}

/** Appends an entry in the style of the last one. */
function appendPair(text: string, map: YAMLMap, entry: string): string | undefined {
  const last = pairEnd(map.items.at(-1));
  const first = pairStart(map.items[0]);
  if (last === undefined || first === undefined) return undefined;
  if (map.flow === true) return `${text.slice(0, last)}, ${entry}${text.slice(last)}`;
  const indent = text.slice(text.lastIndexOf('\n', first - 1) + 1, first);
  if (indent.trim() !== '') return undefined;
  const breakAt = text.indexOf('\n', last);
  if (breakAt === -1) return `${text}\n${indent}${entry}\n`;
  const lineEnd = text[breakAt - 1] === '\r' ? '\r\n' : '\n';
  return `${text.slice(0, breakAt + 1)}${indent}${entry}${lineEnd}${text.slice(breakAt + 1)}`;
}

/** Removes the lines of a pair; undefined if it shares a line, or is the only pair. */
function removePair(text: string, map: YAMLMap, pair: Pair): string | undefined {
  const [start, end] = [pairStart(pair), pairEnd(pair)];
  if (start === undefined || end === undefined || map.flow === true || map.items.length < 2) return undefined;
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const breakAt = text.indexOf('\n', end);
  if (text.slice(from, start).trim() !== '') return undefined;
  return text.slice(0, from) + (breakAt === -1 ? '' : text.slice(breakAt + 1));
}

function pairStart(pair: Pair | undefined): number | undefined {
  return (pair?.key as Scalar | undefined)?.range?.[0];
}

function pairEnd(pair: Pair | undefined): number | undefined {
  return (pair?.value as Scalar | null | undefined)?.range?.[1];
}
