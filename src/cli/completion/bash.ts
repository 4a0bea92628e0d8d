// Bash passes the line as it was typed, with its quotes, and replaces only the end of the last word. This file reads the quotes and
// writes them again.

export type BashLine = {
  /** The words without quotes; the cursor is in the last one. */
  words: string[];
  /** The length of the part of the last word that Bash keeps: it completes from the last `=`, `:` or quote. */
  keptLength: number;
  /** The quote that is open at the cursor. */
  quote: '' | '"' | "'";
};

/** Reads a line up to the cursor; `breaks` is `COMP_WORDBREAKS`. */
export function readBashLine(line: string, breaks: string): BashLine {
  const words: string[] = [];
  let word: string | undefined;
  let keptLength = 0;
  let quote: BashLine['quote'] = '';
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    if (quote === '' && /\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      keptLength = 0;
      continue;
    }
    word ??= '';
    if (quote === '' && (character === '"' || character === "'")) {
      quote = character;
      keptLength = word.length;
    } else if (quote === character) quote = '';
    else if (character === '\\' && isEscape(quote, line.charAt(at + 1))) word += line.charAt(++at);
    else {
      word += character;
      if (quote === '' && breaks.includes(character)) keptLength = word.length;
    }
  }
  return { words: [...words, word ?? ''], keptLength, quote };
}

/** The text that replaces the end of the last word in Bash. */
export function bashReply(candidate: string, { keptLength, quote }: BashLine): string {
  const text = candidate.slice(keptLength);
  if (quote === '') return text.replaceAll(/[\s\\"'$`!*?[\](){}<>|&;#~]/g, String.raw`\$&`);
  const inQuotes =
    quote === "'" ? text.replaceAll("'", String.raw`'\''`) : text.replaceAll(/[\\"$`]/g, String.raw`\$&`);
  // Bash adds the closing quote itself, unless the text ends with one.
  return text.endsWith(quote) ? inQuotes + quote : inQuotes;
}

function isEscape(quote: BashLine['quote'], next: string): boolean {
  return quote === '' || (quote === '"' && /[\\"$`]/.test(next));
}
