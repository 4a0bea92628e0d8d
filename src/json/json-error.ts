// What is wrong with a text that is not JSON, in words that say what to change.

/** Parses JSON; an error becomes a value, because a stack is most of its cost. */
export function parseOrExplain(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return new BadJson(text, error instanceof Error ? error.message : String(error));
  }
}

/** An error of JSON.parse; the message is only formatted on demand. */
export class BadJson {
  readonly #text: string;
  readonly #message: string;

  constructor(text: string, message: string) {
    this.#text = text;
    this.#message = message;
  }

  /** The message with line and column, without the part of the source that V8 quotes. */
  describe(firstLine: number): string {
    const position = /at position (\d+)/.exec(this.#message)?.[1];
    const short = this.#message.replace(
      /,? (?:(?:in JSON )?at position .*|\.{0,3}".*is not valid JSON)$/s,
      '',
    );
    // The parser tells no position for short texts.
    const found = position === undefined ? findMistake(this.#text) : Number(position);
    const cause = found === undefined ? undefined : commonMistake(this.#text, found);
    const message = `invalid JSON: ${cause ?? `${short.charAt(0).toLowerCase()}${short.slice(1)}`}`;
    if (found === undefined) return message;
    const before = this.#text.slice(0, found).split('\n');
    return `${message} (line ${firstLine + before.length - 1}, column ${(before.at(-1)?.length ?? 0) + 1})`;
  }
}

/** Mistakes outside of texts, as far as they can be found without a parser. */
const MISTAKE =
  /,(?=\s*[}\]])|['“”‘’]|\b(?:None|True|False|NaN|undefined)\b|(?<=[{,]\s*)[A-Za-z_$][\w$]*(?=\s*:)/g;

/** The position of the first mistake that `commonMistake` explains. */
function findMistake(text: string): number | undefined {
  // Texts keep their length, so that positions stay.
  const outside = text.replaceAll(/"(?:[^"\\\n]|\\.)*"/g, (quoted) => `"${' '.repeat(quoted.length - 2)}"`);
  MISTAKE.lastIndex = 0;
  const match = MISTAKE.exec(outside);
  if (match === null) return undefined;
  // For a comma too many, the parser stops at the bracket behind it.
  return match[0] === ',' ? match.index + outside.slice(match.index).search(/[}\]]/) : match.index;
}

const AFTER_LITERAL = /^(?:None|True|False|NaN|-?Infinity|undefined)\b/;
const IN_JSON: Record<string, string> = { None: 'null', True: 'true', False: 'false' };

/** Explains the mistakes that people make most; `position` is where the parser stopped. */
function commonMistake(text: string, position: number): string | undefined {
  const rest = text.slice(position, position + 40);
  const before = text.slice(0, position).trimEnd();
  const [next = ''] = rest;
  if ((next === '}' || next === ']') && before.endsWith(','))
    return `there is a comma before "${next}": remove it`;
  if (next === "'") return 'texts are in double quotes, not in single quotes';
  if (next === '“' || next === '”' || next === '‘' || next === '’')
    return `texts are in straight double quotes ("), not in typographic ones (${next})`;
  const literal = AFTER_LITERAL.exec(rest)?.[0];
  if (literal !== undefined) {
    const meant = IN_JSON[literal];
    return meant === undefined
      ? `${literal} is no JSON value: use null or a text`
      : `${literal} is written ${meant}`;
  }
  if (/^[A-Za-z_$][\w$]*\s*:/.test(rest) && /[{,]$/.test(before))
    return `names are in double quotes: write "${/^[\w$]+/.exec(rest)?.[0] ?? ''}"`;
  if (next === '"' && /["\]}\w]$/.test(before)) return 'there is no comma before this text';
  return undefined;
}
