// The limit of an answer's tokens, an option with two names.

type Options = Record<string, unknown>;

const OLDER = 'max_tokens';
const NEWER = 'max_completion_tokens';

/** The name of the limit in the options; if both are set, the last one. */
export function limitName(options: Options): typeof OLDER | typeof NEWER | undefined {
  if (options[OLDER] === undefined) return options[NEWER] === undefined ? undefined : NEWER;
  if (options[NEWER] === undefined) return OLDER;
  const names = Object.keys(options);
  return names.indexOf(OLDER) > names.indexOf(NEWER) ? OLDER : NEWER;
}

export function isLimit(name: string): boolean {
  return name === OLDER || name === NEWER;
}

/** Merges options, treating both names of the limit as one. */
export function overrideOptions(lower: Options, higher: Options): Options {
  const merged = { ...lower, ...higher };
  const name = limitName(higher);
  if (name !== undefined) dropOther(merged, name);
  return merged;
}

/** Removes the other name of the limit. */
export function dropOther(options: Options, name: string): void {
  const other = name === OLDER ? NEWER : OLDER;
  if (options[other] !== undefined) delete options[other];
}
