const MAX_TEXT = 64 * 1024;

/** Limits text that comes from user code and travels as a message; a cut text ends with its full length. */
export function boundedText(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)} … (${text.length} characters)`;
}
