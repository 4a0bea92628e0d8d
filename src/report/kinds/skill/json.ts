// The shape of a JSON report about skill tests.

import type { StartEvent } from '../../../model/event.ts';
import type { CaseResult } from '../../fold/case-result.ts';
import type { Overview } from '../../fold/overview.ts';
import { furtherCounts } from '../../formats/json-counts.ts';
import type { JsonFields, JsonShape } from '../../formats/json-shape.ts';
import { typedNames } from '../kind.ts';
import type { SkillPlace } from './entry.ts';
import { mixedSkillEntry, skillEntry, skippedSkillEntry } from './entry.ts';
import { loggedSkills } from './run.ts';

export function skillShape(overview: Overview): JsonShape {
  const { total, passed, failed, skipped, errors, timeouts, duration_ms, checks } = overview.counts;
  const skillOf = skillFinder(overview.start);
  return {
    head: { type: 'skill_test', skills: typedNames(overview.start) },
    summary: {
      total,
      passed,
      failed,
      skipped,
      checks: checks ?? { passed: 0, failed: 0 },
      duration_ms,
      errors,
      timeouts,
      ...furtherCounts(overview),
    },
    toResult: ({ result }) => skillEntry(result, skillOf(result)),
    toSkipped: ({ skipped: left }) => skippedSkillEntry(left, skillOf(left)),
  };
}

/** Entries of a report about several kinds. */
export function mixedSkillEntries(start: StartEvent): (result: CaseResult) => JsonFields {
  const skillOf = skillFinder(start);
  return (result) => mixedSkillEntry(result, skillOf(result));
}

function skillFinder(start: StartEvent): (test: { id: string }) => SkillPlace {
  const skills = new Map(loggedSkills(start).map((skill) => [skill.skill, skill]));
  return ({ id }) => {
    const known = skills.get(id);
    if (known === undefined) return { skill: id };
    const { skill, skill_type, skill_path } = known;
    return { skill, skill_type, ...(skill_path !== undefined && { test_file: skill_path }) };
  };
}
