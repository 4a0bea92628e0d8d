// One case against a target rate, run until decided: the rule of `--runs auto`.

export type AutoDecision = 'pass' | 'fail' | undefined;

/** Decides after `runs` runs of which `passes` passed; undefined: go on. */
export type Decide = (passes: number, runs: number) => AutoDecision;

/** Limits on the grid of counts, with the function that applies them. */
export type AutoRule = {
  low: number;
  high: number;
  alpha: number;
  min: number;
  max: number;
  /** A case with f failures has passed after passAfter[f] runs. */
  passAfter: number[];
  /** A case with f failures within failWithin[f] runs has failed. */
  failWithin: (number | undefined)[];
  decide: Decide;
};

/** Chances of each end of a rule, and the mean number of runs, at a true rate. */
export type Walk = { pass: number; fail: number; undecided: number; runs: number };

/**
 * Finds the rule. Wrong "pass" at a true rate of `low` and wrong "fail" at `high` have a chance of at most `alpha` each,
 * counted exactly. Each limit is as generous as the error allows, fewest failures first. Nothing is decided before `min` runs:
 * comparisons use those, because their number does not depend on how they ended.
 * @example autoRule(0.7, 0.9).passAfter // [9, 17]
 */
export function autoRule(
  low = 0.7,
  high = 0.9,
  { alpha = 0.05, min = 3, max = 20 }: { alpha?: number; min?: number; max?: number } = {},
): AutoRule {
  const passAfter: number[] = [];
  const failWithin: (number | undefined)[] = [];
  const decide: Decide = (passes, runs) => {
    if (runs < min) return undefined;
    const failures = runs - passes;
    if (runs >= (passAfter[failures] ?? Infinity)) return 'pass';
    return runs <= (failWithin[failures] ?? 0) ? 'fail' : undefined;
  };
  for (let failures = 0, from = min; failures <= max; failures += 1) {
    const after = firstFrom(Math.max(from, failures + 1), max, (runs) => {
      passAfter[failures] = runs;
      return walk(decide, max, low).pass <= alpha;
    });
    if (after === undefined) {
      passAfter.length = failures;
      break;
    }
    from = after + 1;
  }
  // f failures may use f sixths of alpha, so that few failures do not use up all of it.
  for (let failures = 1; failures <= max; failures += 1) {
    const allowed = alpha * Math.min(1, failures / 6);
    const from = Math.max(failures, min);
    const tooMany = firstFrom(from, max, (runs) => {
      failWithin[failures] = runs;
      return walk(decide, max, high).fail > allowed;
    });
    const within = (tooMany ?? max + 1) - 1;
    failWithin[failures] = within >= from ? within : undefined;
  }
  return { low, high, alpha, min, max, passAfter, failWithin, decide };
}

function firstFrom(from: number, to: number, isSo: (number: number) => boolean): number | undefined {
  for (let number = from; number <= to; number += 1) if (isSo(number)) return number;
  return undefined;
}

/** The exact behaviour of a rule that is asked after every run, up to `max` runs, at a true rate. */
export function walk(decide: Decide, max: number, rate: number): Walk {
  const ends: Walk = { pass: 0, fail: 0, undecided: 0, runs: 0 };
  let open = [1];
  for (let runs = 1; runs <= max; runs += 1) {
    const next: number[] = Array.from({ length: runs + 1 }, () => 0);
    for (let passes = 0; passes <= runs; passes += 1) {
      const chance = (open[passes - 1] ?? 0) * rate + (open[passes] ?? 0) * (1 - rate);
      if (chance === 0) continue;
      const end = decide(passes, runs);
      if (end === undefined) next[passes] = chance;
      else {
        ends[end] += chance;
        ends.runs += runs * chance;
      }
    }
    open = next;
  }
  for (const chance of open) ends.undecided += chance;
  ends.runs += max * ends.undecided;
  return ends;
}

/**
 * The pass rate of a case that ran until decided, without the bias of passes/runs: the share of ways to this end that
 * begin with a pass (Girshick, Mosteller and Savage).
 */
export function autoRate(passes: number, runs: number, { decide }: { decide: Decide }): number {
  const afterPass = waysTo(passes, runs, decide, 1);
  return afterPass / (afterPass + waysTo(passes, runs, decide, 0));
}

/** The number of ways to `passes` of `runs` that begin with this first run and that the rule does not end earlier. */
function waysTo(passes: number, runs: number, decide: Decide, first: 0 | 1): number {
  let ways = first === 1 ? [0, 1] : [1];
  for (let done = 1; done < runs; done += 1) {
    const isOpen = (at: number): boolean => decide(at, done) === undefined;
    const open = ways.map((count, at) => (count > 0 && isOpen(at) ? count : 0));
    ways = Array.from({ length: done + 2 }, (_, at) => (open[at] ?? 0) + (open[at - 1] ?? 0));
  }
  return ways[passes] ?? 0;
}
