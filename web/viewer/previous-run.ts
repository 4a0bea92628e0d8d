// The run of the same thing that came before.

import type { StoredRun } from '../../src/store/store.ts';
import type { ListedRun } from './answers.ts';
import { address, read } from './api.ts';
import { isSameSubject } from './run-facts.ts';

/** Stands for it in the address of a comparison, so that nobody needs to know it before somebody asks. */
export const PREVIOUS = 'previous';

/** So far back it is looked for among runs of other things. */
const LOOKED_AT = 100;

type Run = Omit<StoredRun, 'environment' | 'flags' | 'inputs' | 'resolved_variables'>;

export async function previousRun(run: Run, signal?: AbortSignal): Promise<ListedRun | undefined> {
  const url = address(['runs'], {
    before: run.run_id,
    limit: LOOKED_AT,
    suite: run.suite?.id,
    test: run.suite === null ? run.tests[0]?.id : undefined,
    agent: run.suite === null && run.tests.length === 0 ? run.agent_id : undefined,
  });
  const { runs } = await read<{ runs: ListedRun[] }>(url, signal);
  return runs.find((one) => isSameSubject(one, run));
}
