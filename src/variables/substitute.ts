// Replaces `{{Name}}` by values, in all texts of a JSON value.

/** A name without a value, and the path of the text that uses it. */
export type MissingValue = { name: string; path: (string | number)[] };

export type SubstituteOptions = {
  values: Record<string, unknown>;
  /** Every name must have a value; otherwise names without a value stay as they are. */
  isStrict: boolean;
  /** Names that are replaced elsewhere, and stay. */
  skip?: ReadonlySet<string>;
};

const MAX_DEPTH = 1000;
const PLACEHOLDER = String.raw`\{\{\s*([A-Za-z_]\w*)\s*\}\}`;
const ONLY = new RegExp(`^${PLACEHOLDER}$`);
/** In strict mode, every `\{{` is a literal `{{`. */
const STRICT = new RegExp(String.raw`\\\{\{|${PLACEHOLDER}`, 'g');
const LENIENT = new RegExp(String.raw`\\?${PLACEHOLDER}`, 'g');
const NONE: readonly MissingValue[] = [];

/**
 * Replaces `{{Name}}` by its value. A text that is only a placeholder becomes the value itself, such as a number;
 * `\{{Name}}` stays, without its backslash. Objects without placeholders are returned as they are, not copied.
 */
export function substitute(
  value: unknown,
  options: SubstituteOptions,
): { value: unknown; problems: readonly MissingValue[] } {
  const walk: Walk = { ...options, path: [], problems: undefined };
  const substituted = substituteValue(value, walk);
  return { value: substituted, problems: walk.problems ?? NONE };
}

/** `path` is the path of the current value. */
type Walk = SubstituteOptions & { path: (string | number)[]; problems: MissingValue[] | undefined };

function substituteValue(value: unknown, walk: Walk): unknown {
  if (typeof value === 'string') return value.includes('{{') ? substituteText(value, walk) : value;
  if (typeof value !== 'object' || value === null) return value;
  // Too deep for recursion; the check of the case refuses it.
  if (walk.path.length > MAX_DEPTH) return value;
  return Array.isArray(value) ? substituteList(value, walk) : substituteObject(value, walk);
}

function substituteList(list: readonly unknown[], walk: Walk): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const found = substituteMember(list[index], index, walk);
    if (found === list[index]) continue;
    copy ??= [...list];
    copy[index] = found;
  }
  return copy ?? list;
}

function substituteObject(object: object, walk: Walk): object {
  const source = object as Record<string, unknown>; // Only its own keys are read.
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(source)) {
    const found = substituteMember(source[key], key, walk);
    if (found === source[key]) continue;
    // The copy has all keys as own properties before one is set, so that setting `__proto__` changes no prototype.
    copy ??= { ...source };
    copy[key] = found;
  }
  return copy ?? object;
}

function substituteMember(member: unknown, key: string | number, walk: Walk): unknown {
  walk.path.push(key);
  const found = substituteValue(member, walk);
  walk.path.pop();
  return found;
}

function substituteText(text: string, walk: Walk): unknown {
  const { values, isStrict } = walk;
  const only = ONLY.exec(text)?.[1];
  if (only !== undefined && hasValue(only, walk)) return values[only];
  const missing = new Set<string>();
  // A single pass: placeholders inside inserted values are not replaced.
  const substituted = text.replace(isStrict ? STRICT : LENIENT, (match, name: string | undefined) => {
    if (name === undefined) return '{{';
    if (hasValue(name, walk)) return match.startsWith('\\') ? match.slice(1) : toText(values[name]);
    if (isStrict && walk.skip?.has(name) !== true) missing.add(name);
    return match;
  });
  // A name that is missing twice in one text is reported once.
  for (const name of missing) (walk.problems ??= []).push({ name, path: [...walk.path] });
  return substituted;
}

function hasValue(name: string, { values, skip }: Walk): boolean {
  return Object.hasOwn(values, name) && values[name] !== undefined && skip?.has(name) !== true;
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
