import { ellipsize } from './cut-text.ts';

const LENGTH = 500;

/** The beginning of a response or another long text, for messages. */
export function excerpt(text: string): string {
  const trimmed = text.trim();
  return trimmed === '' ? '(empty)' : ellipsize(trimmed, LENGTH);
}
