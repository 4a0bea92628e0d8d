// The width of text in terminal columns.

const TAB = 8;
const NARROW = /^[\x20-\x7e]*$/;
const ZERO_WIDTH = /^[\p{M}\u200b-\u200d]/u;
const WIDE =
  /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;

/** Cuts a line that starts in column `from` so that it ends before column `columns`; a cut line ends with an ellipsis. */
export function cutToColumns(line: string, columns: number, from = 0): string {
  const room = Math.max(1, columns - from);
  if (line.length <= room && NARROW.test(line)) return line;
  let column = from;
  /** The length to keep if an ellipsis has to follow. */
  let kept = 0;
  let at = 0;
  for (const character of line) {
    column += characterWidth(character, column);
    if (column > from + room) return `${line.slice(0, kept)}…`;
    at += character.length;
    if (column < from + room) kept = at;
  }
  return line;
}

/** The number of columns of a line. */
export function displayWidth(line: string): number {
  let column = 0;
  for (const character of line) column += characterWidth(character, column);
  return column;
}

function characterWidth(character: string, column: number): number {
  if (character === '\t') return TAB - (column % TAB);
  if (NARROW.test(character)) return 1;
  if (ZERO_WIDTH.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
