import { cutText } from './cut-text.ts';

const MAX_TEXT = 64 * 1024;

/** Text from user code, short enough for a message; says how long it was if it is cut. */
export function boundedText(text: string, limit = MAX_TEXT): string {
  return text.length <= limit ? text : `${cutText(text, limit)} … (${text.length} characters)`;
}
