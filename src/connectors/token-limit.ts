// How long an answer may be: one option that has two names.

type Options = Record<string, unknown>;

const OLDER = 'max_tokens';
const NEWER = 'max_completion_tokens';

/** The name under which options limit the length of an answer; of both, the one that was said last. */
export function limitName(options: Options): typeof OLDER | typeof NEWER | undefined {
  if (options[OLDER] === undefined) return options[NEWER] === undefined ? undefined : NEWER;
  if (options[NEWER] === undefined) return OLDER;
  const names = Object.keys(options);
  return names.indexOf(OLDER) > names.indexOf(NEWER) ? OLDER : NEWER;
}

/** True for either name of it. */
export function isLimit(name: string): boolean {
  return name === OLDER || name === NEWER;
}

/** Options of a higher level over those of a lower one, whichever name of the limit they use. */
export function overOptions(lower: Options, higher: Options): Options {
  const merged = { ...lower, ...higher };
  const name = limitName(higher);
  if (name !== undefined) dropOther(merged, name);
  return merged;
}

/** Leaves one name of the limit. */
export function dropOther(options: Options, name: string): void {
  const other = name === OLDER ? NEWER : OLDER;
  if (options[other] !== undefined) delete options[other];
}
