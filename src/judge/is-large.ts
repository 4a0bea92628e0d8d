import type { Subject } from './assertion.ts';

/** About as many characters as an assertion can look at without delaying other attempts. */
const SMALL = 64 * 1024;

/** True if judging the answer may take long; looks at no more of it than needed. */
export function isLarge({ output, transcript: { tool_calls: calls, messages } }: Subject): boolean {
  if (typeof output === 'string' && calls === undefined && messages === undefined)
    return output.length > SMALL;
  const parts: unknown[] = [output, calls, messages];
  let size = 0;
  while (parts.length > 0 && size <= SMALL) {
    const part = parts.pop();
    size += typeof part === 'string' ? part.length + 2 : 4;
    if (typeof part !== 'object' || part === null) continue;
    for (const [name, value] of Object.entries(part)) {
      size += name.length;
      parts.push(value);
    }
  }
  return size > SMALL;
}
