// What the terminal shows before the first case: what is tested, how often, as whom.

import type { LoggedInput, StartEvent } from '../../model/event.ts';
import { runsRange } from '../../model/runs-of.ts';
import { testTexts } from '../fold/logged-definitions.ts';
import { minPassRateOf } from '../fold/fold.ts';
import { counted, runsText, tapesText, titleOf } from '../text/run-words.ts';
import { onlyScripts } from '../kinds/script/run.ts';
import type { LoggedSkill } from '../kinds/skill/run.ts';
import { onlySkills, skillsText } from '../kinds/skill/run.ts';
import type { Style } from './style.ts';
import { oneLine } from '../../text/untrusted.ts';
import { runVariables } from '../text/variable-text.ts';

const LISTED_INPUTS = 5;

/** The header of a run, of which `kept` results stay if it is taken up again. */
export function headerLines(
  start: StartEvent,
  { kept, width, style }: { kept: number | undefined; width: number; style: Style },
): string {
  const double = `${style.doubleLine.repeat(width)}\n`;
  const single = `${style.line.repeat(width)}\n`;
  const lines = factsOf(start, kept, style)
    .map((fact) => `  ${oneLine(fact)}\n`)
    .join('');
  const title = `  ${style.bold(oneLine(titleOf(start)))}\n`;
  return `${double}${title}${double}${lines}${single}  Running Tests\n${single}`;
}

function factsOf(start: StartEvent, kept: number | undefined, style: Style): string[] {
  const skills = onlySkills(start);
  const facts = skills === undefined ? factsOfCases(start, kept) : factsOfSkills(start, skills, kept);
  return [...definitionsOf(start, style), ...facts];
}

function factsOfSkills(
  start: StartEvent,
  skills: readonly LoggedSkill[],
  kept: number | undefined,
): string[] {
  const facts = [
    `Skills: ${start.total_cases < skills.length ? start.total_cases : skillsText(skills)}`,
    ...variablesOf(start),
  ];
  if (runsRange(start).most > 1) facts.push(`Runs: ${runsText(start)} per skill`);
  return [...facts, ...limitsOf(start, kept)];
}

function limitsOf(start: StartEvent, kept: number | undefined): string[] {
  const facts: string[] = [];
  const minPassRate = minPassRateOf(start);
  if (minPassRate !== undefined) facts.push(`Min pass rate: ${minPassRate}%`);
  const tapes = tapesText(start);
  if (tapes !== undefined) facts.push(`Traffic: ${tapes}`);
  if (kept !== undefined) facts.push(`Resumed: ${kept} ${kept === 1 ? 'result stays' : 'results stay'}`);
  return facts;
}

function factsOfCases(start: StartEvent, kept: number | undefined): string[] {
  const { environment } = start;
  const inputs = start.inputs.filter(({ test }) => test === undefined).map(inputName);
  const isScript = onlyScripts(start) !== undefined;
  const facts = [...listed(isScript ? 'Script' : 'Input', inputs), ...variablesOf(start)];
  if (start.connector !== undefined) facts.push(`Connector: ${start.connector}`);
  facts.push(isScript ? `Tests: ${counted(start.total_cases, 'function')}` : `Cases: ${start.total_cases}`);
  if (runsRange(start).most > 1) facts.push(`Runs: ${runsText(start)} per ${isScript ? 'function' : 'case'}`);
  facts.push(...limitsOf(start, kept), `User: ${environment.user_id}`, `Team: ${environment.team_id}`);
  return facts;
}

/** The suite and the tests, as far as they have definitions. */
function definitionsOf({ suite, inputs }: StartEvent, { times }: Style): string[] {
  return [...(suite === undefined ? [] : [`Suite: ${suite}`]), ...listed('Test', testTexts(inputs, times))];
}

function listed(kind: string, names: readonly string[]): string[] {
  const facts = names.slice(0, LISTED_INPUTS).map((name) => `${kind}: ${name}`);
  const left = names.length - LISTED_INPUTS;
  return left > 0 ? [...facts, `… and ${left} more ${kind.toLowerCase()}${left === 1 ? '' : 's'}`] : facts;
}

function variablesOf(start: StartEvent): string[] {
  const variables = runVariables(start).map(({ name, value, source }) => `${name}=${value} (${source})`);
  return variables.length === 0 ? [] : [`Variables: ${variables.join(', ')}`];
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
