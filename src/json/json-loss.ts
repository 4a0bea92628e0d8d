// Values that JSON would drop or change without a word: functions, NaN, maps, objects of classes.

const MAX_DEPTH = 500;

/** The first such value inside of a value: `assert is a function, …`; undefined if JSON keeps all of it. */
export function lossIn(value: unknown, path: readonly (string | number)[] = []): string | undefined {
  const name = path.length === 0 ? 'it' : pathText(path);
  const kind = lostKind(value);
  if (kind !== undefined) return `${name} is ${kind}, which cannot be written as JSON`;
  if (typeof value !== 'object' || value === null || path.length > MAX_DEPTH || hasOwnJson(value))
    return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const loss = lossIn(inner, [...path, Array.isArray(value) ? Number(key) : key]);
    if (loss !== undefined) return loss;
  }
  return undefined;
}

function lostKind(value: unknown): string | undefined {
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'symbol') return 'a symbol';
  if (typeof value === 'bigint') return 'a large integer';
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : String(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value) || hasOwnJson(value))
    return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  if (isPlain) return undefined;
  const { name } = value.constructor;
  return `an object of the class ${name === '' ? 'without a name' : name}`;
}

/** A date, for example, says itself what it is as JSON. */
function hasOwnJson(value: object): boolean {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

function pathText(path: readonly (string | number)[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('');
}
