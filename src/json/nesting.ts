// Deep nesting would overflow the stack of parsers and of everything that walks over a value.

/** Files of users may not be nested deeper. */
export const MAX_DEPTH = 500;

export const TOO_DEEP = `nested deeper than ${MAX_DEPTH} levels`;

/** True if JSON text is nested deeper than the limit. */
export function isNestedDeeper(text: string, limit = MAX_DEPTH): boolean {
  // It takes as many brackets to open the levels.
  if (text.length <= limit) return false;
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isInText) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) isInText = false;
    } else if (code === QUOTE) isInText = true;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1;
    if (depth > limit) return true;
  }
  return false;
}

const [QUOTE, OPEN_BRACKET, BACKSLASH, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [
  0x22, 0x5b, 0x5c, 0x5d, 0x7b, 0x7d,
] as const;
