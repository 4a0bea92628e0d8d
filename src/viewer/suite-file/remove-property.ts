// Removes one property from JSON with comments. The library's own removal would also delete comments of neighbours.

type Range = { start: number; end: number };

/** Removes the property at a path with its comma and the comment behind it on the line. */
export async function removeProperty(text: string, path: readonly string[]): Promise<string> {
  const { findNodeAtLocation, parseTree } = await import('jsonc-parser');
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const property = tree === undefined ? undefined : findNodeAtLocation(tree, [...path])?.parent;
  const siblings = property?.parent?.children;
  if (property === undefined || siblings === undefined) return text;
  const end = property.offset + property.length;
  const comma = await commaAfter(text, end);
  const previous = siblings[siblings.indexOf(property) - 1];
  const ranges = [wholeLine(text, { start: property.offset, end: (comma ?? end - 1) + 1 })];
  if (comma === undefined && previous !== undefined) {
    const before = await commaAfter(text, previous.offset + previous.length);
    if (before !== undefined) ranges.push({ start: before, end: before + 1 });
  }
  // From the end, so that earlier offsets stay valid.
  return ranges.reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);
}

/** The offset of the comma after a value, skipping comments. */
async function commaAfter(text: string, offset: number): Promise<number | undefined> {
  const { createScanner } = await import('jsonc-parser');
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  const at = scanner.getTokenOffset();
  return text[at] === ',' ? at : undefined;
}

/** Extends the range to the whole line if it holds nothing else but a trailing comment. */
function wholeLine(text: string, { start, end }: Range): Range {
  const begin = text.lastIndexOf('\n', start - 1) + 1;
  const rest = /^[ \t]*(?:\/\/[^\n]*)?\r?\n/.exec(text.slice(end))?.[0];
  const isAlone = begin > 0 && text.slice(begin, start).trim() === '' && rest !== undefined;
  return isAlone ? { start: begin, end: end + rest.length } : { start, end };
}
