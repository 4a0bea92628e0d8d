const MAX_TEXT = 64 * 1024;

/** Text of user code that goes on as a message; what is too long says so. */
export function boundedText(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)} … (${text.length} characters)`;
}
