// JSON with comments in, the same without one property out. What the library removes takes comments of the neighbours along.

type Range = { start: number; end: number };

/** Removes the property at a path with its comma and what stands behind it on the line; everything else stays. */
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
  // From the end, so that the places before stay where they are.
  return ranges.reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);
}

/** Where the comma behind a value is, if the next thing but comments is one. */
async function commaAfter(text: string, offset: number): Promise<number | undefined> {
  const { createScanner } = await import('jsonc-parser');
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  const at = scanner.getTokenOffset();
  return text[at] === ',' ? at : undefined;
}

/** The whole line, if nothing else stands on it than a comment behind. */
function wholeLine(text: string, { start, end }: Range): Range {
  const begin = text.lastIndexOf('\n', start - 1) + 1;
  const rest = /^[ \t]*(?:\/\/[^\n]*)?\r?\n/.exec(text.slice(end))?.[0];
  const isAlone = begin > 0 && text.slice(begin, start).trim() === '' && rest !== undefined;
  return isAlone ? { start: begin, end: end + rest.length } : { start, end };
}
