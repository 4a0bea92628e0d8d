// Text that every JSON reader accepts: without lone surrogates.

/** These methods are missing in the library types of our target; every supported Node has them. */
type CheckedString = string & { isWellFormed(): boolean; toWellFormed(): string };

/** True if a text can be written as UTF-8 without loss. */
export function isWellFormed(text: string): boolean {
  return (text as CheckedString).isWellFormed();
}

/** Replaces each lone surrogate by U+FFFD. */
export function toWellFormed(text: string): string {
  return (text as CheckedString).toWellFormed();
}

/**
 * Does the same for the output of JSON.stringify, which escapes only lone surrogates. The pattern consumes escapes one
 * by one, so an escaped backslash before `ud800` stays as it is.
 */
export function toWellFormedJson(json: string): string {
  if (!json.includes('\\ud')) return json;
  return json.replace(/\\(ud[89a-f][\da-f]{2}|.)/g, (escape, rest: string) =>
    rest.length === 5 ? '\uFFFD' : escape,
  );
}
