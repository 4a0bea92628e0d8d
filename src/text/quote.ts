// Values in one-line messages.

import { ellipsize } from './cut-text.ts';

const MAX_LENGTH = 200;

/** A value as JSON on one line, cut if it is long: `"Hello…"`, `{"a":1}`. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return ellipsize(text, MAX_LENGTH);
}
