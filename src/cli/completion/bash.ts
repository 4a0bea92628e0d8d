// Bash hands over the line as it was typed and replaces only the end of a word: quotes are read and written here.

export type BashLine = {
  /** Without quotes; the last one is being typed. */
  words: string[];
  /** How much of the last word bash leaves alone: it begins anew behind `=` and `:`, and behind a quote. */
  keptLength: number;
  /** The quote that is still open. */
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

/** What bash puts in place of the end of the word. */
export function bashReply(candidate: string, { keptLength, quote }: BashLine): string {
  const text = candidate.slice(keptLength);
  if (quote === '') return text.replaceAll(/[\s\\"'$`!*?[\](){}<>|&;#~]/g, String.raw`\$&`);
  const inQuotes =
    quote === "'" ? text.replaceAll("'", String.raw`'\''`) : text.replaceAll(/[\\"$`]/g, String.raw`\$&`);
  // Bash closes the quote unless it believes that this one does.
  return text.endsWith(quote) ? inQuotes + quote : inQuotes;
}

function isEscape(quote: BashLine['quote'], next: string): boolean {
  return quote === '' || (quote === '"' && /[\\"$`]/.test(next));
}
