// What a program gives to a run that it starts with `evaluate`, besides flags. Plain JSON: the run may be in another process.

import { resolve } from 'node:path';
import type { GivenAgent } from '../agents/resolve/resolve-given.ts';
import type { Problem } from '../errors.ts';
import type { Named } from './inputs/inputs.ts';
import type { LoggedIsolation } from '../model/isolation.ts';

export type ProgramInput = {
  cases?: ProgramCases;
  agent?: GivenAgent;
  /** Values of variables, in their data types. */
  values?: Record<string, unknown>;
  isolation?: LoggedIsolation;
  /** Only these cases, as `caseKey` names them. */
  only?: string[];
};

/** Cases by value. `name` stands for the file that they are not in. */
export type ProgramCases = { name: string; cases: unknown[] };

/** The cases as an input. */
export function programSource({ name, cases }: ProgramCases, cwd: string): Named {
  return { type: 'cases', path: resolve(cwd, name), cases, lines: cases.map((_, index) => index + 1) };
}

/** A program names files of cases; what else `-i` takes is a mistake there. */
export function programProblems(named: readonly Named[]): Problem[] {
  return named.flatMap((input): Problem[] => {
    if (input.type === 'message')
      return [
        {
          message: `no such file: ${JSON.stringify(input.message)}`,
          at: 'cases',
          hint: "for cases in code, write cases: [{ id: 'hello', input: '…' }]",
        },
      ];
    if (input.type !== 'pattern') return [];
    return [
      {
        message: `${JSON.stringify(input.value)} names tests that have no cases`,
        at: 'cases',
        hint: `run them on the command line: assay test -i ${input.value}`,
      },
    ];
  });
}
