// The run of the same thing that came before.

import { address } from './api.ts';
import { useAnswer } from './use-answer.ts';

/** Stands for it in the address of a comparison, so that nobody needs to know it before somebody asks. */
export const PREVIOUS = 'previous';

/** Null: there is none. The server decides, as `assay compare --latest` does. */
export type PreviousRun = { run_id: string | null };

export function previousAddress(id: string): string {
  return address(['runs', id, 'previous']);
}

/** Undefined until it is known, or if nobody asks yet. */
export function usePreviousRun(id: string | undefined): PreviousRun | undefined {
  return useAnswer<PreviousRun>(id === undefined ? undefined : previousAddress(id)).value;
}
