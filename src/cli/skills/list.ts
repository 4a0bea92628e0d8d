// The skills of an application as a table, or as JSON.

import { typed } from '../../kinds/skill/skill-files.ts';
import type { LastResult } from '../../kinds/skill/last-results.ts';
import { displayWidth } from '../../text/display-width.ts';
import type { Style } from '../../report/terminal/style.ts';
import { createStyle } from '../../report/terminal/style.ts';
import { oneLine } from '../../text/untrusted.ts';
import type { Io } from '../../run/io.ts';
import { looks } from '../../run/outputs/outputs.ts';
import type { ListedSkill } from './skills.ts';

/** One line for each: name, type, test file, last result. */
export function skillList(skills: readonly ListedSkill[], io: Io): string {
  const style = createStyle(looks(io.stdout, io.env));
  const rows = skills.map((skill) => [
    oneLine(skill.skill),
    oneLine(skill.skillType),
    skill.path === undefined ? 'untested' : oneLine(skill.path),
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => displayWidth(row[column] ?? ''))));
  const lines = rows.map((row, index) => {
    const [name = '', type = '', test = ''] = row.map((cell, column) => padded(cell, widths[column] ?? 0));
    const skill = skills[index];
    const isUntested = skill?.path === undefined;
    const last = skill?.last === undefined || isUntested ? '' : lastText(skill.last, style);
    return `  ${name}  ${style.dim(type)}  ${isUntested ? style.shaky(test) : test}  ${last}`.trimEnd();
  });
  const untested = skills.find(({ file }) => file === undefined);
  const hint =
    untested === undefined
      ? ''
      : `\nassay skills new ${typed(untested.shortName)} writes a test to start from.`;
  return `${lines.join('\n')}\n\nassay skills all runs their tests.${hint}\n`;
}

/** `✓ 3✓ 0✗` */
export function lastText({ status, passed, failed }: LastResult, style: Style): string {
  const { symbols } = style;
  const counts = passed + failed === 0 ? '' : ` ${passed}${symbols.passed} ${failed}${symbols.failed}`;
  return `${style.status[status](`${symbols[status]} ${status}`)}${counts}`;
}

export function skillsAsJson(skills: readonly ListedSkill[]): string {
  const entries = skills.map(({ skill, shortName, skillType, path, last }) => ({
    skill,
    short_name: shortName,
    skill_type: skillType,
    test_file: path ?? null,
    last_result: last ?? null,
  }));
  return `${JSON.stringify(entries, null, 2)}\n`;
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}
