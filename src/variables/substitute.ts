// Values in the place of `{{Name}}`, in all texts of a JSON value.

/** A name that has no value, and where it stands. */
export type MissingValue = { name: string; path: (string | number)[] };

export type SubstituteOptions = {
  /** As in JSON. */
  values: Record<string, unknown>;
  /** Every name must have a value; otherwise only names that have one are looked at. */
  isStrict: boolean;
  /** Names that belong to somebody else, and stay. */
  skip?: ReadonlySet<string>;
};

const PLACEHOLDER = String.raw`\{\{\s*([A-Za-z_]\w*)\s*\}\}`;
const ONLY = new RegExp(`^${PLACEHOLDER}$`);
/** Strictly, every `\{{` is a literal one. */
const STRICT = new RegExp(String.raw`\\\{\{|${PLACEHOLDER}`, 'g');
const LENIENT = new RegExp(String.raw`\\?${PLACEHOLDER}`, 'g');
const NONE: readonly MissingValue[] = [];

/**
 * Replaces `{{Name}}` by its value. A text that is nothing else becomes the value itself, a number for instance; `\{{Name}}`
 * stays, without its backslash. Whatever has nothing to replace comes back as the same object.
 */
export function substitute(
  value: unknown,
  options: SubstituteOptions,
): { value: unknown; problems: readonly MissingValue[] } {
  const walk: Walk = { ...options, path: [], problems: undefined };
  const substituted = inValue(value, walk);
  return { value: substituted, problems: walk.problems ?? NONE };
}

/** `path` leads to what is looked at just now. */
type Walk = SubstituteOptions & { path: (string | number)[]; problems: MissingValue[] | undefined };

function inValue(value: unknown, walk: Walk): unknown {
  if (typeof value === 'string') return value.includes('{{') ? inText(value, walk) : value;
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? inList(value, walk) : inObject(value, walk);
}

function inList(list: readonly unknown[], walk: Walk): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const found = inMember(list[index], index, walk);
    if (found === list[index]) continue;
    copy ??= [...list];
    copy[index] = found;
  }
  return copy ?? list;
}

function inObject(object: object, walk: Walk): object {
  const source = object as Record<string, unknown>; // Only its own keys are read.
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(source)) {
    const found = inMember(source[key], key, walk);
    if (found === source[key]) continue;
    // The copy has every key of its own before one is set, so that not even `__proto__` reaches a prototype.
    copy ??= { ...source };
    copy[key] = found;
  }
  return copy ?? object;
}

function inMember(member: unknown, key: string | number, walk: Walk): unknown {
  walk.path.push(key);
  const found = inValue(member, walk);
  walk.path.pop();
  return found;
}

function inText(text: string, walk: Walk): unknown {
  const { values, isStrict } = walk;
  const only = ONLY.exec(text)?.[1];
  if (only !== undefined && hasValue(only, walk)) return values[only];
  const missing = new Set<string>();
  // One pass: what has been put in is not looked at again.
  const substituted = text.replace(isStrict ? STRICT : LENIENT, (match, name: string | undefined) => {
    if (name === undefined) return '{{';
    if (hasValue(name, walk)) return match.startsWith('\\') ? match.slice(1) : textOf(values[name]);
    if (isStrict && walk.skip?.has(name) !== true) missing.add(name);
    return match;
  });
  // A name that is missing twice in one text is told once.
  for (const name of missing) (walk.problems ??= []).push({ name, path: [...walk.path] });
  return substituted;
}

function hasValue(name: string, { values, skip }: Walk): boolean {
  return Object.hasOwn(values, name) && values[name] !== undefined && skip?.has(name) !== true;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
