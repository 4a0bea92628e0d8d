// The header on the terminal: what is tested, how often, and as which user.

import type { LoggedInput, StartEvent } from '../../model/event.ts';
import { DEFAULTS } from '../../model/settings.ts';
import { runsRange } from '../../model/runs-per-case.ts';
import { testTexts } from '../fold/logged-definitions.ts';
import { loggedMinPassRate } from '../fold/fold.ts';
import { ruleText } from '../text/auto-words.ts';
import { isolationText } from '../text/isolation-text.ts';
import { chosenText, counted, gradedText, runsText, tapesText, runTitle } from '../text/run-words.ts';
import { inputKind } from '../../model/subject.ts';
import { reportKind, runKind } from '../kinds/registry.ts';
import type { Style } from './style.ts';
import { oneLine } from '../../text/untrusted.ts';
import { runVariables } from '../text/variable-text.ts';

const LISTED_INPUTS = 5;

/** The header of a run; `kept` is the number of results that a resumed run keeps. */
export function headerLines(
  start: StartEvent,
  { kept, width, style }: { kept: number | undefined; width: number; style: Style },
): string {
  const double = `${style.doubleLine.repeat(width)}\n`;
  const single = `${style.line.repeat(width)}\n`;
  const lines = headerFacts(start, kept, style)
    .map((fact) => `  ${oneLine(fact)}\n`)
    .join('');
  const title = `  ${style.bold(oneLine(runTitle(start)))}\n`;
  return `${double}${title}${double}${lines}${single}  Running Tests\n${single}`;
}

function headerFacts(start: StartEvent, kept: number | undefined, style: Style): string[] {
  const { total_cases, connector } = start;
  const { noun, headerInputs, headerCases, usesEnvironment } = runKind(start);
  const { label, noun: caseNoun } = headerCases ?? {};
  const inputs = [...new Set(start.inputs.filter(({ test }) => test === undefined).map(inputName))];
  const facts = [
    ...definitionFacts(start, style),
    ...(typeof headerInputs === 'string' ? listWithLimit(headerInputs, inputs) : [headerInputs(start)]),
    ...variableFacts(start),
  ];
  if (usesEnvironment !== undefined && connector !== undefined) facts.push(`Connector: ${connector}`);
  if (label !== undefined)
    facts.push(`${label}: ${caseNoun === undefined ? total_cases : counted(total_cases, caseNoun)}`);
  if (start.runs_rule !== undefined)
    facts.push(`Runs auto: ${counted(total_cases, noun)}, ${ruleText(start.runs_rule)}`);
  else if (runsRange(start).most > 1) {
    // A comparison stops when its answer is known.
    const upTo = typeof start.flags['against'] === 'string' ? 'up to ' : '';
    facts.push(`Runs: ${upTo}${runsText(start)} per ${caseNoun ?? noun}`);
  }
  facts.push(...limitFacts(start, kept));
  if (usesEnvironment !== undefined) facts.push(...environmentFacts(start, usesEnvironment === 'always'));
  return facts;
}

/** The user and the team, unless they are the defaults. */
function environmentFacts({ environment, flags }: StartEvent, isAlways: boolean): string[] {
  const { user_id: user, team_id: team } = environment;
  const facts: string[] = [];
  if (isAlways || flags['user'] !== undefined || user !== DEFAULTS.user) facts.push(`User: ${user}`);
  if (isAlways || flags['team'] !== undefined || team !== DEFAULTS.team) facts.push(`Team: ${team}`);
  return facts;
}

function limitFacts(start: StartEvent, kept: number | undefined): string[] {
  const facts: string[] = [];
  if (start.note !== undefined) facts.push(`Note: ${start.note}`);
  const chosen = chosenText(start);
  if (chosen !== undefined) facts.push(`Only: ${chosen}`);
  const minPassRate = loggedMinPassRate(start);
  if (minPassRate !== undefined) facts.push(`Min pass rate: ${minPassRate}%`);
  const graded = gradedText(start);
  if (graded !== undefined) facts.push(`Graded: ${graded}`);
  const tapes = tapesText(start);
  if (tapes !== undefined) facts.push(`Traffic: ${tapes}`);
  const isolation = isolationText(start);
  if (isolation !== undefined) facts.push(`Isolation: ${isolation}`);
  if (kept !== undefined) facts.push(`Resumed: ${kept} ${kept === 1 ? 'result stays' : 'results stay'}`);
  return facts;
}

/** The suite, and the tests that have definitions. */
function definitionFacts({ suite, inputs }: StartEvent, { times }: Style): string[] {
  return [
    ...(suite === undefined ? [] : [`Suite: ${suite}`]),
    ...listWithLimit('Test', testTexts(inputs, times)),
  ];
}

function listWithLimit(kind: string, names: readonly string[]): string[] {
  const facts = names.slice(0, LISTED_INPUTS).map((name) => `${kind}: ${name}`);
  const left = names.length - LISTED_INPUTS;
  return left > 0 ? [...facts, `… and ${left} more ${kind.toLowerCase()}${left === 1 ? '' : 's'}`] : facts;
}

function variableFacts(start: StartEvent): string[] {
  const variables = runVariables(start).map(({ name, value, source }) => `${name}=${value} (${source})`);
  return variables.length === 0 ? [] : [`Variables: ${variables.join(', ')}`];
}

function inputName(input: LoggedInput): string {
  return reportKind(inputKind(input)).inputName(input);
}
