// What is wrong with the preset of an `agent` assertion, before anything runs.

import type { Problem } from '../../errors.ts';
import type { Assertion } from '../../model/case.ts';
import { list, optional } from '../../schema/object.ts';
import { anything, name, oneOf } from '../../schema/values.ts';
import { NO_PROBLEMS } from '../assertion.ts';
import type { PresetName } from './prompts.ts';

const NAMES: readonly PresetName[] = ['factual', 'faithful', 'g_eval', 'refuses', 'relevant'];

/** The fields of `agent` that belong to presets. */
export const PRESET_FIELDS = {
  context: optional(
    anything,
    'What the answer may claim, for the preset faithful: a text, or a path such as vars.document',
  ),
  preset: optional(oneOf(...NAMES), 'Criteria that Assay brings, for agent'),
  steps: optional(list(name), 'The steps of the preset g_eval'),
};

/** Fields that only some presets use. */
const USERS: Record<'context' | 'steps' | 'value', readonly PresetName[]> = {
  context: ['faithful'],
  steps: ['g_eval'],
  value: ['factual', 'g_eval'],
};

/** The rules between the fields; the fields themselves are checked by their shapes. */
export function checkPreset(assertion: Assertion): readonly Problem[] {
  const preset = NAMES.find((known) => known === assertion['preset']);
  if (preset === undefined) return checkWithout(assertion);
  const unused = (['context', 'steps', 'value'] as const).filter(
    (field) => assertion[field] !== undefined && !USERS[field].includes(preset),
  );
  const problems: Problem[] = unused.map((field) => ({
    message: `the preset "${preset}" has no "${field}"`,
    hint: `it is for ${USERS[field].join(' and ')}`,
  }));
  if (preset === 'faithful' && assertion['context'] === undefined)
    problems.push({
      message: 'the preset "faithful" needs a "context"',
      hint: 'write the text, or where it is, such as "vars.document"',
    });
  if (preset === 'g_eval' && (assertion['steps'] ?? assertion.value) === undefined)
    problems.push({ message: 'the preset "g_eval" needs "steps" or a "value"' });
  return problems;
}

function checkWithout(assertion: Assertion): readonly Problem[] {
  const lost = (['context', 'steps'] as const).filter((field) => assertion[field] !== undefined);
  if (lost.length === 0 || assertion['preset'] !== undefined) return NO_PROBLEMS;
  return lost.map((field) => ({
    message: `"agent" has "${field}" only with a preset`,
    hint: `add "preset": "${String(USERS[field][0])}"`,
  }));
}
