// Compares two texts; returns their lines side by side.

export type DiffLine = { left: string | undefined; right: string | undefined; isSame: boolean };

/** Limit for comparing every line with every line, which takes quadratic time. */
const MOST_LINES = 1500;

/** Aligns the longest common subsequence of lines. */
export function sideBySide(before: string, after: string): DiffLine[] {
  const left = before.split('\n').slice(0, MOST_LINES);
  const right = after.split('\n').slice(0, MOST_LINES);
  const lines: DiffLine[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const flush = (): void => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1)
      lines.push({ left: removed[at], right: added[at], isSame: false });
    removed = [];
    added = [];
  };
  const lengths = commonLengths(left, right);
  const width = right.length + 1;
  let [a, b] = [0, 0];
  while (a < left.length || b < right.length) {
    const [one, other] = [left[a], right[b]];
    if (one !== undefined && one === other) {
      flush();
      lines.push({ left: one, right: one, isSame: true });
      a += 1;
      b += 1;
    } else if (
      one !== undefined &&
      (other === undefined || (lengths[(a + 1) * width + b] ?? 0) >= (lengths[a * width + b + 1] ?? 0))
    ) {
      removed.push(one);
      a += 1;
    } else {
      added.push(other ?? '');
      b += 1;
    }
  }
  flush();
  return lines;
}

/** The length of the longest common subsequence, for every pair of remaining lines. */
function commonLengths(left: readonly string[], right: readonly string[]): Uint16Array {
  const width = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * width);
  for (let a = left.length - 1; a >= 0; a -= 1)
    for (let b = right.length - 1; b >= 0; b -= 1)
      lengths[a * width + b] =
        left[a] === right[b]
          ? (lengths[(a + 1) * width + b + 1] ?? 0) + 1
          : Math.max(lengths[(a + 1) * width + b] ?? 0, lengths[a * width + b + 1] ?? 0);
  return lengths;
}
