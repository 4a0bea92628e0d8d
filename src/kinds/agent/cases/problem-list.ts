// Everything that is wrong with one file, in the order of its lines, up to a number that people still read.

import type { Problem } from '../../../errors.ts';

const MAX_PROBLEMS = 200;

export type ProblemList = {
  add(line: number, problem: { message: string; hint?: string }): void;
  /** Counts problems that are not worth a line of their own. */
  addUnnamed(count: number): void;
  toProblems(): Problem[];
};

/** Collects the problems of the file that people know as `name`. */
export function createProblemList(name: string): ProblemList {
  const named: { line: number; message: string; hint?: string }[] = [];
  let unnamed = 0;

  return {
    add(line, problem) {
      if (named.length < MAX_PROBLEMS) named.push({ line, ...problem });
      else unnamed++;
    },
    addUnnamed(count) {
      unnamed += count;
    },
    toProblems() {
      const sorted = named.toSorted((a, b) => a.line - b.line);
      const problems = sorted.map((problem) => placed(problem, `${name}:${problem.line}`));
      if (unnamed > 0) problems.push({ message: `and ${unnamed} more`, at: name });
      return problems;
    },
  };
}

function placed({ message, hint }: { message: string; hint?: string }, at: string): Problem {
  return hint === undefined ? { message, at } : { message, at, hint };
}
