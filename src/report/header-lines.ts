// What the terminal shows before the first case: what is tested, how often, as whom.

import type { LoggedInput, StartEvent } from '../model/event.ts';
import { minPassRateOf } from './fold.ts';
import { counted, titleOf } from './run-words.ts';
import { onlyScripts } from './script-run.ts';
import type { LoggedSkill } from './skill-run.ts';
import { onlySkills, skillsText } from './skill-run.ts';
import type { Style } from './style.ts';
import { oneLine } from './untrusted.ts';

const LISTED_INPUTS = 5;

/** The header of a run, of which `kept` results stay if it is taken up again. */
export function headerLines(
  start: StartEvent,
  { kept, width, style }: { kept: number | undefined; width: number; style: Style },
): string {
  const double = `${style.doubleLine.repeat(width)}\n`;
  const single = `${style.line.repeat(width)}\n`;
  const lines = factsOf(start, kept)
    .map((fact) => `  ${oneLine(fact)}\n`)
    .join('');
  const title = `  ${style.bold(oneLine(titleOf(start)))}\n`;
  return `${double}${title}${double}${lines}${single}  Running Tests\n${single}`;
}

function factsOf(start: StartEvent, kept: number | undefined): string[] {
  const skills = onlySkills(start);
  return skills === undefined ? factsOfCases(start, kept) : factsOfSkills(start, skills, kept);
}

function factsOfSkills(
  start: StartEvent,
  skills: readonly LoggedSkill[],
  kept: number | undefined,
): string[] {
  const facts = [`Skills: ${start.total_cases < skills.length ? start.total_cases : skillsText(skills)}`];
  if (start.runs_per_case > 1) facts.push(`Runs: ${start.runs_per_case} per skill`);
  return [...facts, ...limitsOf(start, kept)];
}

function limitsOf(start: StartEvent, kept: number | undefined): string[] {
  const facts: string[] = [];
  const minPassRate = minPassRateOf(start);
  if (minPassRate !== undefined) facts.push(`Min pass rate: ${minPassRate}%`);
  if (kept !== undefined) facts.push(`Resumed: ${kept} results stay`);
  return facts;
}

function factsOfCases(start: StartEvent, kept: number | undefined): string[] {
  const { inputs, runs_per_case: runs, environment } = start;
  const isScript = onlyScripts(start) !== undefined;
  const name = isScript ? 'Script' : 'Input';
  const facts = inputs.slice(0, LISTED_INPUTS).map((input) => `${name}: ${inputName(input)}`);
  const left = inputs.length - LISTED_INPUTS;
  if (left > 0) facts.push(`… and ${left} more ${isScript ? 'script' : 'input'}${left === 1 ? '' : 's'}`);
  if (start.connector !== undefined) facts.push(`Connector: ${start.connector}`);
  facts.push(isScript ? `Tests: ${counted(start.total_cases, 'function')}` : `Cases: ${start.total_cases}`);
  if (runs > 1) facts.push(`Runs: ${runs} per ${isScript ? 'function' : 'case'}`);
  facts.push(...limitsOf(start, kept), `User: ${environment.user_id}`, `Team: ${environment.team_id}`);
  return facts;
}

function inputName(input: LoggedInput): string {
  switch (input.type) {
    case 'file':
    case 'cases':
      return input.path;
    case 'message':
      return JSON.stringify(oneLine(input.message, 60));
    case 'script':
      return input.script_path;
    case 'skill':
      return input.skill_path ?? input.skill;
  }
}
