// JSON Lines, and lists in JSON with comments.

import type { Node } from 'jsonc-parser';
import { isObject } from '../../../json/is-object.ts';
import type { Locate, Located } from './located.ts';
import { NO_EXPECTED, NOT_THERE } from './located.ts';

export const locateInJson: Locate = async (text, { id, line, names }) => {
  const { getNodeValue, parseTree } = await import('jsonc-parser');
  const plain = withoutHashComments(text);
  const start = lineStart(plain, line);
  const isList = /^\s*(?:\/\/[^\n]*\s*)*\[/.test(plain.replace(/^\uFEFF/, ' '));
  // A file of lines has several values; the first one from the line on is meant.
  const root = parseTree(isList ? plain.replace(/^\uFEFF/, ' ') : plain.slice(start));
  const offset = isList ? 0 : start;
  const nodes = isList ? (root?.children ?? []) : root === undefined ? [] : [root];
  const found = nodes.find((node) => {
    const value: unknown = getNodeValue(node);
    return isObject(value) && value['id'] === id;
  });
  if (found?.type !== 'object') return NOT_THERE;
  const name = names.find((one) => valueOf(found, one) !== undefined);
  const expected = name === undefined ? undefined : valueOf(found, name);
  if (name === undefined || expected === undefined) return NO_EXPECTED;
  const located: Located = {
    start: offset + expected.offset,
    end: offset + expected.offset + expected.length,
    name,
    // Objects of the library have no prototype. It was found to be an object.
    value: JSON.parse(JSON.stringify(getNodeValue(found))) as Record<string, unknown>,
    write: (value) => JSON.stringify(value),
  };
  return located;
};

function valueOf({ children = [] }: Node, name: string): Node | undefined {
  const property = children.find((one) => one.children?.[0]?.value === name);
  return property?.children?.[1];
}

/** Blanks lines that begin with `#`, which JSON does not know; all positions stay. */
function withoutHashComments(text: string): string {
  return text.replace(/^[\t ]*#[^\n]*/gm, (comment) => ' '.repeat(comment.length));
}

function lineStart(text: string, line: number): number {
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  for (let at = 1; at < line; at += 1) {
    const end = text.indexOf('\n', start);
    if (end === -1) return text.length;
    start = end + 1;
  }
  return start;
}
