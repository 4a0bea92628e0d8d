// The previous run of the same subject.

import { address } from './api.ts';
import { useAnswer } from './use-answer.ts';

/** Placeholder for its id in the address of a comparison; resolved when the comparison opens. */
export const PREVIOUS = 'previous';

/** Null if there is no previous run. The server decides, as for `assay compare --latest`. */
export type PreviousRun = { run_id: string | null };

export function previousAddress(id: string): string {
  return address(['runs', id, 'previous']);
}

/** Undefined until it is loaded or while it is not requested. */
export function usePreviousRun(id: string | undefined): PreviousRun | undefined {
  return useAnswer<PreviousRun>(id === undefined ? undefined : previousAddress(id)).value;
}
