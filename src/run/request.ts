// The request of a run: the flags as commander gives them, and what the program adds.

import type { Flags } from '../application/options/options.ts';
import type { Selection } from './definitions/select-definitions.ts';
import type { ProgramInput } from './program-input.ts';
import type { VariableFlags } from './inputs/run-variables.ts';

export type TestFlags = Flags &
  VariableFlags & {
    /** Tests or a suite to run by their definitions, instead of inputs. */
    selection?: Selection;
    /** Cases, agent and values of a program that called `evaluate`. */
    program?: ProgramInput;
    /** The start value of the random order, from an earlier part of this run. */
    orderSeed?: number;
    /** The connector of an earlier part of this run that was configured and not typed. */
    earlierConnector?: string;
  };
