// The picker of `assay skills` on a terminal: type to filter, choose one or several.

import { autocompleteMultiselect, isCancel } from '@clack/prompts';
import { createStyle } from '../report/style.ts';
import { oneLine } from '../report/untrusted.ts';
import type { Io } from './io.ts';
import { looks } from './outputs.ts';
import type { ListedSkill } from './skills.ts';
import { lastText } from './skills-list.ts';

/** Gives what was chosen; nothing if the user went away. */
export async function pickSkills(skills: readonly ListedSkill[], io: Io): Promise<ListedSkill[]> {
  const style = createStyle({ ...looks(io.stdout, io.env), color: false });
  const options = skills.map((skill) => ({
    value: skill,
    label: oneLine(skill.skill),
    hint: hintOf(skill, style),
    disabled: skill.file === undefined,
  }));
  const picked = await autocompleteMultiselect({
    message: 'Which skills should be tested? (type to filter, tab to choose, enter to run)',
    options,
    placeholder: 'all',
    required: true,
    maxItems: 12,
    input: io.stdin,
    output: io.stdout,
  });
  return isCancel(picked) ? [] : picked;
}

function hintOf({ skillType, file, last }: ListedSkill, style: ReturnType<typeof createStyle>): string {
  if (file === undefined) return `${oneLine(skillType)}, untested`;
  return last === undefined ? oneLine(skillType) : `${oneLine(skillType)}, ${lastText(last, style)}`;
}
