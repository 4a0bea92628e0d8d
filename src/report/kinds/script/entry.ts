// A test of a script as an entry of the JSON report.

import type { Verdict } from '../../../model/outcome.ts';
import type { CaseResult, RunDetail, SkippedCase } from '../../fold/case-result.ts';
import { hasNoAssertions } from './text.ts';

/** The script a test is in; left out of the entries of a report about that script alone. */
export type ScriptPlace = { script: string; script_path?: string };

type Entry = Record<string, unknown>;

/** An entry of a report that is about scripts only. */
export function scriptEntry(result: CaseResult, place?: ScriptPlace): Entry {
  const { id, status, duration_ms, run_details: runs, ...rest } = result;
  const { input: _input, expected: _expected, test_id: _testId, ...run } = rest;
  return {
    name: id,
    ...place,
    status,
    duration_ms,
    ...runFields({ ...run, status }),
    ...(runs !== undefined && { run_details: runs.map(runEntry) }),
  };
}

/** An entry of a report that is about agents, too: their fields first. */
export function mixedEntry(result: CaseResult, place: ScriptPlace): Entry {
  const { id, status, input, output, expected, duration_ms, error, test_id } = result;
  const { name, ...entry } = scriptEntry(result, place);
  return { id, status, input, output, expected, duration_ms, test_id, name, ...entry, error };
}

/** An entry of `skipped_cases` of a report that is about scripts only. */
export function skippedEntry({ id, reason, message, variables }: SkippedCase, place?: ScriptPlace): Entry {
  return { name: id, ...place, reason, message, variables };
}

function runEntry({ run, status, duration_ms, ...rest }: RunDetail): Entry {
  return { run, status, duration_ms, ...runFields({ ...rest, status }) };
}

type RunFields = Partial<Omit<CaseResult, 'error'>> & Pick<CaseResult, 'status'> & { error?: string | null };

function runFields({ status, error, verdicts = [], assertions, ...fields }: RunFields): Entry {
  const { output: _, subtests, stack, logs = [], ...rest } = fields;
  const [first] = verdicts;
  return {
    ...(typeof error === 'string' && { error }),
    ...(first !== undefined && { assertion: assertionOf(first), assertions: verdicts.map(fullAssertionOf) }),
    ...(hasNoAssertions({ status, ...(assertions !== undefined && { assertions }) }) && {
      no_assertions: true,
    }),
    ...(subtests !== undefined && { subtests }),
    ...(stack !== undefined && { stack }),
    logs,
    ...rest,
  };
}

function assertionOf({ type, expected, actual, message }: Verdict): Entry {
  return { type, expected, actual, message };
}

/** Everything about it but its status: they all failed. */
function fullAssertionOf(verdict: Verdict): Entry {
  const { status: _, type, expected, actual, message, diff, at, subtest, ...rest } = verdict;
  return { type, expected, actual, message, diff, at, subtest, ...rest };
}
