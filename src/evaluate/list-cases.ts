// The cases of a run in, their names out; nothing runs.

import packageJson from '../../package.json' with { type: 'json' };
import { caseKey } from '../model/case-key.ts';
import { completeFlags, inWordsOfOptions } from './evaluate.ts';
import type { EvaluateOptions } from './options.ts';
import { checkOptions } from './options.ts';
import { planFor } from './run-for.ts';

/** A case that a run would have. */
export type ListedCase = { key: string; test_id: string; id: string; skip: boolean };

/** Throws ConfigError with everything that is wrong with the options, the agent and the cases. */
export async function listCases(options: EvaluateOptions): Promise<ListedCase[]> {
  const checked = checkOptions(options);
  const flags = await completeFlags(checked);
  const caller = { isHere: true, sink: { write: () => undefined }, opened: () => undefined };
  const { cwd } = checked;
  const interrupt = new AbortController().signal;
  const { version } = packageJson;
  try {
    // The run itself tells the notes.
    const io = { cwd, env: process.env, interrupt, version, onNote: () => undefined };
    const { plan } = await planFor(caller, { flags, io });
    const listed: ListedCase[] = [];
    for await (const batch of plan.prepared.cases())
      for (const { case: testCase, test_id } of batch) {
        const target = plan.prepared.targets.find((one) => one.test_id === test_id);
        if (target !== undefined && !plan.inputs.select(testCase, target)) continue;
        const { id, skip = false } = testCase;
        listed.push({ key: caseKey(test_id, id, target?.variables?.variant), test_id, id, skip });
      }
    return listed;
  } catch (error) {
    throw inWordsOfOptions(error);
  }
}
