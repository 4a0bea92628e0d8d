// The short form of a JSON path: names and positions only, so that most paths need no library.

/** Names and positions from the root to a value. A number is a position in a list, counted from its end if negative. */
type PlainPath = (string | number)[];

const SEGMENT = /(?:^|\.)([\p{L}\p{N}_-]+)|\[(-?\d{1,15})\]|\['([^'\\]*)'\]|\["([^"\\]*)"\]/uy;

/** Reads `field.sub`, `items[0].name`, `$.a["b c"]`; undefined for any other form. */
export function parsePlainPath(path: string): PlainPath | undefined {
  // In `$.a` every segment starts with a dot; in `a.b` the first one does not.
  const start = path.startsWith('$') ? 1 : 0;
  if (start === 0 && (path === '' || path.startsWith('.'))) return undefined;

  const segments: PlainPath = [];
  let at = start;
  while (at < path.length) {
    SEGMENT.lastIndex = at;
    const match = SEGMENT.exec(path);
    if (match === null) return undefined;
    const [, name, position, single, double] = match;
    segments.push(position === undefined ? (name ?? single ?? double ?? '') : Number(position));
    at = SEGMENT.lastIndex;
  }
  return segments;
}

/** The value at a path, or the last value that exists on it and the segment it lacks. */
export function followPath(
  root: unknown,
  path: PlainPath,
): { value: unknown } | { parent: unknown; missing: string | number } {
  let value = root;
  for (const segment of path) {
    const inner = step(value, segment);
    if (inner === undefined) return { parent: value, missing: segment };
    value = inner;
  }
  return { value };
}

function step(value: unknown, segment: string | number): unknown {
  if (Array.isArray(value)) {
    // `items.0` means `items[0]`.
    const position = typeof segment === 'string' && /^\d{1,15}$/.test(segment) ? Number(segment) : segment;
    if (typeof position !== 'number') return undefined;
    return value[position < 0 ? value.length + position : position] as unknown;
  }
  if (typeof value !== 'object' || value === null || typeof segment === 'number') return undefined;
  return Object.hasOwn(value, segment) ? Reflect.get(value, segment) : undefined;
}
