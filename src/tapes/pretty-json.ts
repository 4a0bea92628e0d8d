/** Values that fit in this width stay on one line, for readable diffs. */
const WIDTH = 100;

/** Formats JSON for reading and diffs: short values on one line, and each piece of a `stream` on one line. */
export function prettyJson(value: unknown, indent = '', name = ''): string {
  const compact = JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return compact;
  // Lists of numbers, such as times, stay on one line.
  const isNumbers = Array.isArray(value) && value.every((item) => typeof item === 'number');
  if (isNumbers || (compact.length + indent.length <= WIDTH && isFlat(value))) return spaced(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => {
      const isPiece = name === 'stream' && typeof item === 'object' && item !== null;
      return inner + (isPiece ? spaced(item) : prettyJson(item ?? null, inner));
    });
    return `[\n${items.join(',\n')}\n${indent}]`;
  }
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .map(([key, field]) => `${inner}${JSON.stringify(key)}: ${prettyJson(field, inner, key)}`);
  return fields.length === 0 ? '{}' : `{\n${fields.join(',\n')}\n${indent}}`;
}

/** True if the value has at most two levels. */
function isFlat(value: object): boolean {
  return Object.values(value).every(
    (inner: unknown) =>
      typeof inner !== 'object' ||
      inner === null ||
      Object.values(inner).every((innermost) => typeof innermost !== 'object' || innermost === null),
  );
}

/** JSON on one line, with spaces. */
function spaced(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => spaced(item ?? null)).join(', ')}]`;
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .map(([name, field]) => `${JSON.stringify(name)}: ${spaced(field)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}
