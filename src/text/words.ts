// The words of a text.

/** Scripts that put no spaces between words. */
const UNSPACED = String.raw`\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}`;
const WORD = String.raw`(?=[\p{L}\p{N}])[${UNSPACED}]\p{M}*|(?:(?![${UNSPACED}])[\p{L}\p{M}\p{N}])+(?:['’](?:(?![${UNSPACED}])[\p{L}\p{M}\p{N}])+)*`;
/** Compiled when it is first used: it takes 2 ms, which few runs need. */
let pattern: RegExp | undefined;

/**
 * The words of a text, without punctuation. Each character of a script without spaces, such as Chinese, is a word.
 * @example listWords("It's 5 o'clock.") // ["It's", '5', "o'clock"]
 */
export function listWords(text: string): string[] {
  pattern ??= new RegExp(WORD, 'gu');
  return text.match(pattern) ?? [];
}
