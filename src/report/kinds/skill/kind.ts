// Skill tests, as reports show them.

import type { ReportKind } from '../kind.ts';
import { typedNames } from '../kind.ts';
import { mixedSkillEntries, skillShape } from './json.ts';
import { checksText, loggedSkills, skillsText } from './run.ts';

export const skillReport: ReportKind = {
  id: 'skill',
  noun: 'skill',
  verb: 'skills',
  title: 'Skill',
  subjectName: typedNames,
  // The test says it in its own words.
  failureOf: ({ message = 'a check failed' }) => ({ message }),
  throwsItself: true,
  hasUniqueIds: true,
  failureType: ({ status }) => (status === 'failed' ? 'check' : undefined),
  outputFacts: (result) => [checksText(result), result.leaks].filter((text) => text !== undefined),
  json: { shape: skillShape, mixedEntries: mixedSkillEntries },
  headerInputs(start) {
    const skills = loggedSkills(start);
    return `Skills: ${start.total_cases < skills.length ? start.total_cases : skillsText(skills)}`;
  },
  inputName: (input) => (input.type === 'skill' ? (input.skill_path ?? input.skill) : ''),
  inputTitle: (input) => (input.type === 'skill' ? input.skill : ''),
  isInputOf: (input, testId, isOnly) => input.type === 'skill' && (input.skill === testId || isOnly),
  rerunWords: (input) => (input.type === 'skill' ? ['skills', input.skill] : undefined),
};
