// The picker of `assay skills` on a terminal: type to filter, choose one or several.

import { displayWidth } from '../../text/display-width.ts';
import { createStyle } from '../../report/terminal/style.ts';
import { oneLine } from '../../text/untrusted.ts';
import type { Io } from '../../run/io.ts';
import { looks } from '../../run/outputs/outputs.ts';
import type { ListedSkill } from './skills.ts';
import { lastText } from './list.ts';

/** Gives what was chosen; undefined if the user went away. */
export async function pickSkills(skills: readonly ListedSkill[], io: Io): Promise<ListedSkill[] | undefined> {
  const { autocompleteMultiselect, isCancel } = await import('@clack/prompts');
  const style = createStyle({ ...looks(io.stdout, io.env), color: false });
  const width = Math.max(...skills.map(({ skill }) => displayWidth(oneLine(skill))));
  const options = skills.map((skill) => {
    const name = oneLine(skill.skill);
    const facts = factsOf(skill, style);
    const label = `${name}${' '.repeat(width - displayWidth(name))}  ${facts}`;
    return { value: skill, label, disabled: skill.file === undefined };
  });
  const picked = await autocompleteMultiselect({
    message: 'Which skills should be tested?',
    options,
    filter: (search, { value: { skill } }) => skill.toLowerCase().includes(search.toLowerCase()),
    required: true,
    maxItems: 12,
    input: io.stdin,
    output: io.stdout,
  });
  return isCancel(picked) ? undefined : picked;
}

function factsOf({ skillType, file, last }: ListedSkill, style: ReturnType<typeof createStyle>): string {
  if (file === undefined) return `${oneLine(skillType)}, untested`;
  return last === undefined ? oneLine(skillType) : `${oneLine(skillType)}, ${lastText(last, style)}`;
}
