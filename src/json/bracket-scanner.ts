// Follows the brackets of JSON text line by line, to know where an object over several lines ends.

/** Where a line leaves the object: still open, closed, or broken beyond repair. */
type Scan = 'open' | 'closed' | { problem: string };

export type BracketScanner = {
  reset(): void;
  /** Reads the next line; a string never runs over the end of a line. */
  scan(text: string): Scan;
  /** True if the text so far may be followed by a value, such as another object. */
  mayHoldValue(): boolean;
};

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const OPEN_BRACE = 123;

/** Creates a scanner. It checks brackets and strings only; JSON.parse checks the rest. */
export function createBracketScanner(): BracketScanner {
  /** The character codes of the brackets that are open. */
  let stack: number[] = [];
  let last = 0;

  return { reset, scan, mayHoldValue };

  function reset(): void {
    stack = [];
    last = 0;
  }

  function scan(text: string): Scan {
    let isClosed = false;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code === 32 || (code >= 9 && code <= 13)) continue;
      // Text after the end of the object: JSON.parse has the better message for it.
      if (isClosed) return 'closed';
      last = code;
      if (code === QUOTE) {
        index = findStringEnd(text, index + 1);
        if (index === text.length) return { problem: 'invalid JSON: a string is not closed on its line' };
      } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        stack.push(code);
      } else if (code === OPEN_BRACE + 2 || code === OPEN_BRACKET + 2) {
        if (stack.pop() !== code - 2) {
          return { problem: `invalid JSON: "${text.charAt(index)}" closes nothing that is open` };
        }
        isClosed = stack.length === 0;
      }
    }
    return isClosed ? 'closed' : 'open';
  }

  function mayHoldValue(): boolean {
    if (last === COLON) return true;
    return stack.at(-1) === OPEN_BRACKET && (last === OPEN_BRACKET || last === COMMA);
  }
}

function findStringEnd(text: string, start: number): number {
  let index = start;
  while (index < text.length && text.charCodeAt(index) !== QUOTE) {
    index += text.charCodeAt(index) === BACKSLASH ? 2 : 1;
  }
  return Math.min(index, text.length);
}
