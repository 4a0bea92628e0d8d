// The test of a skill as an entry of the JSON report.

import type { CaseResult, RunDetail, SkippedCase } from '../../fold/case-result.ts';
import { hasNoChecks } from './run.ts';

/** The skill a test is about. */
export type SkillPlace = { skill: string; skill_type?: string; test_file?: string };

type Entry = Record<string, unknown>;

/** An entry of a report that is about skills only. */
export function skillEntry(result: CaseResult, place: SkillPlace): Entry {
  const { id, status, duration_ms, run_details: runs, ...rest } = result;
  const { input: _input, expected: _expected, test_id: _testId, line: _line, ...run } = rest;
  return {
    name: id,
    ...place,
    status,
    duration_ms,
    ...runFields(run),
    ...(runs !== undefined && { run_details: runs.map(runEntry) }),
  };
}

/** An entry of a report that is about agents, too: their fields first. */
export function mixedSkillEntry(result: CaseResult, place: SkillPlace): Entry {
  const { id, status, input, output, expected, duration_ms, error, test_id } = result;
  const { name, ...entry } = skillEntry(result, place);
  return { id, status, input, output, expected, duration_ms, test_id, name, ...entry, error };
}

/** An entry of `skipped_cases` of a report that is about skills only. */
export function skippedSkillEntry({ id, reason, message, variables }: SkippedCase, place: SkillPlace): Entry {
  return { name: id, ...place, reason, message, variables };
}

function runEntry({ run, status, duration_ms, ...rest }: RunDetail): Entry {
  return { run, status, duration_ms, ...runFields(rest) };
}

type RunFields = Partial<Omit<CaseResult, 'error'>> & { error?: string | null };

/** The counts as numbers; a test without a result has no counts. */
function runFields({ error, verdicts = [], checks, logs = [], ...fields }: RunFields): Entry {
  const { output: _, passed, ...rest } = fields;
  const messages = verdicts.map(({ message }) => message ?? 'a check failed');
  const errors = messages.length > 0 ? messages : typeof error === 'string' ? [error] : [];
  return {
    ...(checks !== undefined && { checks }),
    ...(hasNoChecks({ ...(checks !== undefined && { checks }) }) && { no_checks: true }),
    ...(typeof error === 'string' && { error }),
    errors,
    logs,
    ...(passed !== undefined && { passed }),
    ...rest,
  };
}
