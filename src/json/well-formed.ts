// Text that every reader of JSON accepts: no half of a surrogate pair.

/** What the library types of this target do not know yet; every supported Node has it. */
type CheckedString = string & { isWellFormed(): boolean; toWellFormed(): string };

/** True if a text can be written as UTF-8 without loss. */
export function isWellFormed(text: string): boolean {
  // A cast, because of the types above.
  return (text as CheckedString).isWellFormed();
}

/** Replaces each lone half of a surrogate pair by U+FFFD. */
export function toWellFormed(text: string): string {
  // A cast, because of the types above.
  return (text as CheckedString).toWellFormed();
}

/**
 * The same for JSON text as JSON.stringify writes it: a surrogate is escaped there only if it stands alone. Escapes are
 * passed over one by one, so that an escaped backslash before `ud800` stays what it is.
 */
export function toWellFormedJson(json: string): string {
  if (!json.includes('\\ud')) return json;
  return json.replace(/\\(ud[89a-f][\da-f]{2}|.)/g, (escape, rest: string) =>
    rest.length === 5 ? '\uFFFD' : escape,
  );
}
