// What was measured of each case with each combination of values: a few numbers, because a run may have a million cases.

/** How a case ended; `unknown` if it did not run or could not be measured. */
export type CaseEnding = 'failed' | 'passed' | 'unknown';

const ENDINGS = ['unknown', 'passed', 'failed'] as const satisfies CaseEnding[];

/** One case with one combination: a number for each field. */
export type MeasuredCase = { combination: number; passed: number; measured: number; ending: CaseEnding };

export type CaseCounts = {
  add(name: string, entry: MeasuredCase): void;
  /** The entries of each case, in the order of the first ones. */
  byCase(): Iterable<{ index: number; name: string; entries: readonly MeasuredCase[] }>;
};

const FIELDS = 5;

export function createCaseCounts(): CaseCounts {
  const indexes = new Map<string, number>();
  let rows = new Uint32Array(256 * FIELDS);
  let length = 0;

  return {
    add(name, { combination, passed, measured, ending }) {
      const index = indexes.get(name) ?? indexes.size;
      indexes.set(name, index);
      if ((length + 1) * FIELDS > rows.length) {
        const larger = new Uint32Array(2 * rows.length);
        larger.set(rows);
        rows = larger;
      }
      const row = length * FIELDS;
      rows[row] = index;
      rows[row + 1] = combination;
      rows[row + 2] = passed;
      rows[row + 3] = measured;
      rows[row + 4] = ENDINGS.indexOf(ending);
      length += 1;
    },
    *byCase() {
      const { order, starts } = sortByCase(rows, length, indexes.size);
      for (const [name, index] of indexes) {
        const entries: MeasuredCase[] = [];
        for (let at = starts[index] ?? 0; at < (starts[index + 1] ?? 0); at += 1) {
          const row = (order[at] ?? 0) * FIELDS;
          const field = (place: number): number => rows[row + place] ?? 0;
          const ending = ENDINGS[field(4)] ?? 'unknown';
          entries.push({ combination: field(1), passed: field(2), measured: field(3), ending });
        }
        yield { index, name, entries };
      }
    },
  };
}

/** The rows in the order of their cases, and where each case starts. */
function sortByCase(rows: Uint32Array, length: number, cases: number) {
  const starts = new Uint32Array(cases + 1);
  for (let row = 0; row < length; row += 1) {
    const next = (rows[row * FIELDS] ?? 0) + 1;
    starts[next] = (starts[next] ?? 0) + 1;
  }
  for (let index = 0; index < cases; index += 1)
    starts[index + 1] = (starts[index + 1] ?? 0) + (starts[index] ?? 0);
  const filled = starts.slice();
  const order = new Uint32Array(length);
  for (let row = 0; row < length; row += 1) {
    const index = rows[row * FIELDS] ?? 0;
    const at = filled[index] ?? 0;
    order[at] = row;
    filled[index] = at + 1;
  }
  return { order, starts };
}
