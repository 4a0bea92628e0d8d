// Stage 1 of planning: the flags as they were typed, with those of an earlier run if they name one, become a request.

import type { Select } from '../../plan/filter.ts';
import type { LoggedInput } from '../../model/event.ts';
import { failedRequest, resumedRequest } from '../earlier/earlier-request.ts';
import type { ResumableRun } from '../earlier/earlier-run.ts';
import type { Named } from '../inputs/inputs.ts';
import type { Io } from '../io.ts';
import type { TestFlags } from '../request.ts';

/** Watch mode runs a part of what the flags select. */
export type Focus = {
  /** The names of the script tests and skill tests that are meant; cases of agents have the name ''. */
  only?: ReadonlySet<string>;
  /** Those that come first. */
  first?: ReadonlySet<string>;
  /** Sees every case that the flags select, and decides whether it runs. */
  cases?: Select;
};

export type RunRequest = {
  /** As they were typed, over those of the earlier run. */
  flags: TestFlags;
  /** Where paths start from: the folder of the earlier run, else the working directory. */
  cwd: string;
  /** The cases that the run is limited to, as `caseKey` names them. */
  only?: string[];
  /** The run that `--resume` continues. */
  resumed?: ResumableRun;
  /** A gate or a comparison was asked for with `--resume`: also a finished run answers it. */
  asksAgain?: boolean;
  /** The inputs of the earlier run. */
  earlierInputs: readonly LoggedInput[];
  focus: Focus;
  /** The inputs, if no value of `-i` names them. */
  named?: Named[];
};

/** Gives undefined if there is nothing to run again; throws ConfigError if the earlier run cannot be used. */
export async function makeRequest(
  flags: TestFlags,
  io: Pick<Io, 'cwd'>,
  focus: Focus = {},
): Promise<RunRequest | undefined> {
  const { cwd } = io;
  if (flags.resume !== undefined) return resumedRequest(flags, flags.resume, cwd);
  if (flags.failed !== undefined)
    return failedRequest(flags, flags.failed === true ? 'last' : flags.failed, cwd);
  const only = flags.program?.only;
  return { flags, cwd, ...(only !== undefined && { only }), earlierInputs: [], focus };
}
