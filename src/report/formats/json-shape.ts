// The shapes of the JSON report: of a run with agents in it, of a run of scripts only, of a run of skills only.

import type { StartEvent } from '../../model/event.ts';
import type { KindId } from '../../model/subject.ts';
import type { CaseResult, SettledCase, SkippedCase } from '../fold/case-result.ts';
import type { Overview } from '../fold/overview.ts';
import type { ScriptPlace } from '../kinds/script/entry.ts';
import { mixedEntry, scriptEntry, skippedEntry } from '../kinds/script/entry.ts';
import type { SkillPlace } from '../kinds/skill/entry.ts';
import { mixedSkillEntry, skillEntry, skippedSkillEntry } from '../kinds/skill/entry.ts';
import { typedNames } from '../kinds/kind.ts';
import { runKind } from '../kinds/registry.ts';
import { loggedSkills } from '../kinds/skill/run.ts';
import { loggedScripts, scriptsById } from '../kinds/script/run.ts';

type Fields = Record<string, unknown>;

export type JsonShape = {
  /** The fields before the summary. */
  head: Fields;
  summary: Fields;
  toResult(settled: SettledCase & { ran: true }): CaseResult | Fields;
  toSkipped(settled: SettledCase & { ran: false }): SkippedCase | Fields;
};

export function chooseJsonShape(overview: Overview): JsonShape {
  const shape = SHAPES[runKind(overview.start).id] ?? agentShape;
  return shape(overview);
}

/** Runs of one kind alone; all others have the shape of agents. */
const SHAPES: Partial<Record<KindId, (overview: Overview) => JsonShape>> = {
  script: scriptShape,
  skill: skillShape,
};

function agentShape(overview: Overview): JsonShape {
  const { start, counts } = overview;
  const { total, passed, failed, skipped, errors, timeouts, duration_ms } = counts;
  const placeOf = scriptFinder(start);
  const skillOf = skillFinder(start);
  const entries: Partial<Record<KindId, (result: CaseResult) => Fields>> = {
    script: (result) => mixedEntry(result, placeOf(result)),
    skill: (result) => mixedSkillEntry(result, skillOf(result)),
  };
  return {
    head: {},
    summary: {
      total,
      passed,
      failed,
      skipped,
      errors,
      timeouts,
      duration_ms,
      agent_id: start.agent_id,
      connector: start.connector ?? null,
      ...furtherCounts(overview),
    },
    toResult({ kind, result }) {
      return entries[kind]?.(result) ?? result;
    },
    toSkipped: ({ skipped }) => skipped,
  };
}

/** A report about several scripts names the script of every test. */
function scriptShape(overview: Overview): JsonShape {
  const scripts = loggedScripts(overview.start);
  const { total, passed, failed, skipped, errors, timeouts, duration_ms } = overview.counts;
  const [only, ...others] = scriptsById(scripts).values();
  const isOne = only !== undefined && others.length === 0;
  const placeOf = isOne ? () => undefined : scriptFinder(overview.start);
  return {
    head: {
      type: 'script_test',
      script: isOne ? only.script : typedNames(overview.start),
      ...(isOne && { script_path: only.script_path }),
    },
    summary: {
      total,
      passed,
      failed,
      skipped,
      duration_ms,
      errors,
      timeouts,
      ...furtherCounts(overview),
    },
    toResult: ({ result }) => scriptEntry(result, placeOf(result)),
    toSkipped: ({ skipped }) => skippedEntry(skipped, placeOf(skipped)),
  };
}

function skillShape(overview: Overview): JsonShape {
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

function skillFinder(start: StartEvent): (test: { id: string }) => SkillPlace {
  const skills = new Map(loggedSkills(start).map((skill) => [skill.skill, skill]));
  return ({ id }) => {
    const known = skills.get(id);
    if (known === undefined) return { skill: id };
    const { skill, skill_type, skill_path } = known;
    return { skill, skill_type, ...(skill_path !== undefined && { test_file: skill_path }) };
  };
}

function scriptFinder(start: StartEvent): (test: { test_id: string }) => ScriptPlace {
  const scripts = scriptsById(loggedScripts(start));
  return ({ test_id }) => {
    const known = scripts.get(test_id);
    return known === undefined
      ? { script: test_id }
      : { script: known.script, script_path: known.script_path };
  };
}

function furtherCounts({ counts, planned }: Overview): Fields {
  const { total_runs, runs_per_case, overall_pass_rate, stable_cases, unstable_cases } = counts;
  return {
    total_cases: planned,
    total_runs,
    runs_per_case,
    overall_pass_rate,
    stable_cases,
    unstable_cases,
    ...(counts.usage !== undefined && { usage: counts.usage }),
    ...(counts.cost_usd !== undefined && { cost_usd: counts.cost_usd }),
  };
}
