// The quarantine of a run: the file is read while the run is planned, the history of its cases before it begins.

import { messageOf } from '../../errors.ts';
import { readHistory } from '../../history/read-history.ts';
import type { Quarantine } from '../../model/quarantine.ts';
import type { Select } from '../../plan/filter.ts';
import { displayPath } from '../../platform/paths.ts';
import { entryFinder } from '../../quarantine/find-entry.ts';
import { holdCases } from '../../quarantine/hold-cases.ts';
import { readQuarantine } from '../../quarantine/read-quarantine.ts';
import { surveyCases } from '../../quarantine/survey.ts';

export type RunQuarantine = {
  file: string;
  /** The same selection; it also notes which cases of the run are in quarantine. */
  watching(select: Select): Select;
  /** What the user should know before the run. `isWhole`: the run has all cases of its tests. */
  notes(options: { total: number; isWhole: boolean }): string[];
  /** Reads the history of the cases. Undefined if no case of the run is in quarantine. */
  open(options: OpenOptions): Promise<Quarantine | undefined>;
};

type OpenOptions = {
  root: string;
  cwd: string;
  store: string | undefined;
  /** This run, the first part of which may be in the history already. */
  runId: string;
  warn: (text: string) => void;
};

/** Throws ConfigError with all problems of the file. */
export async function readRunQuarantine(
  file: string,
  { cwd, now }: { cwd: string; now: Date },
): Promise<RunQuarantine> {
  const entries = await readQuarantine(file, { name: displayPath(file, cwd), now, isRequired: true });
  const find = entryFinder(entries);
  const survey = surveyCases(entries, find);
  const named = new Map<string, { test_id: string; id: string }>();
  return {
    file,
    watching: (select) => (testCase, origin) => {
      const isSelected = select(testCase, origin);
      if (!isSelected) return false;
      const { test_id } = origin;
      const { id } = testCase;
      survey.see({ test_id, id, variables: origin.variables?.values });
      if (find({ test_id, id, variables: origin.variables?.values }) !== undefined)
        named.set(JSON.stringify([test_id, id]), { test_id, id });
      return true;
    },
    notes: (options) => survey.notes(options),
    async open({ root, cwd: folder, store, runId, warn }) {
      if (survey.held === 0) return undefined;
      const past = await readHistory({ root, cwd: folder, store }, (history) =>
        history.pastRuns([...named.values()], { without: runId }),
      ).catch((error: unknown) => {
        warn(`cases in quarantine are not compared with their history: ${messageOf(error)}`);
      });
      return holdCases(find, past ?? []);
    },
  };
}
