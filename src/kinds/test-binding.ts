// Binds an input to the definition of its test, and fills variables into cases and agents.

import type { AgentDefinition, AgentRun } from '../model/agent.ts';
import type { TargetVariables } from '../model/attempt.ts';
import type { TestCase } from '../model/case.ts';
import type { ResolvedVariables } from '../model/origin.ts';
import type { Given } from '../variables/given.ts';
import { variablesKey } from '../variables/variables-key.ts';
import { nearest } from '../text/nearest.ts';
import { substitute } from '../variables/substitute.ts';
import type { CaseProblem } from './agent/cases/case.ts';

/** The test that an input belongs to, if that has a definition; what the command line says is already in it. */
export type SourceTest = {
  /** The id of the definition. */
  id: string;
  /** The `test_id` of its results. */
  test_id: string;
  /** A value of `-n`; a path is absolute. */
  agent?: string;
  runs?: number;
  timeout_ms?: number;
  parallel?: number;
  tags?: string[];
};

/** The variables of an input. */
export type SourceVariables = {
  resolved: ResolvedVariables;
  /** Names of those that are dates. */
  dates: string[];
  /** Every `{{Name}}` must have a value; otherwise those without one stay as they are. */
  isStrict: boolean;
  /** Names that the test has and that have no value, and names that it hides. */
  withoutValue: string[];
  hidden: string[];
  /** Names that a matrix varies. */
  varied?: readonly string[];
  /** The agent and the connector of this combination, if the matrix varies them by these names. */
  agent?: string | undefined;
  connector?: string | undefined;
};

export type TestBinding = {
  test?: SourceTest;
  variables?: SourceVariables;
  /** What the run sets for names that only cases declare. */
  given?: Record<string, Given>;
  /** The input that this is a combination of a matrix of; all of them are the same test. */
  original?: object;
};

/** A value with its `{{Name}}`s filled in, and what is wrong with them. */
type Filled<T> = { value: T; problems: CaseProblem[] };

/** Names in the body of an HTTP agent that mean something else. */
const OF_REQUESTS = new Set(['messages', 'input', 'context', 'ag_ui', 'ui_messages']);

/** Fills in a case; its id stays, because results are known by it. */
export function fillCase(value: unknown, variables: SourceVariables | undefined): Filled<unknown> {
  if (variables === undefined || typeof value !== 'object' || value === null) return { value, problems: [] };
  const { resolved, isStrict } = variables;
  const { values } = resolved;
  const { value: filled, problems: missing } = substitute(value, { values, isStrict });
  const told = missing.filter(({ path }) => path[0] !== 'id');
  const names = [...new Set(told.map(({ name }) => name))];
  const problems = names.map((name) => unknownName(name, Object.keys(values), variables));
  // Nothing was filled in: no copy is made.
  if (filled === value) return { value, problems };
  const { id } = value as Partial<TestCase>;
  return { value: id === undefined ? filled : Object.assign(filled as object, { id }), problems };
}

/** The agent as it is for these variables: its settings filled in, and what the variables choose for its model. */
export function fillAgent(
  definition: AgentDefinition,
  variables: SourceVariables | undefined,
): Filled<AgentDefinition> {
  if (variables === undefined) return { value: definition, problems: [] };
  const { id, forced_connector, ...settings } = definition;
  const { values } = variables.resolved;
  // Prompts of an agent may use braces for other purposes, so only names of this test are replaced.
  const { problems: missing } = substitute(settings, { values, isStrict: true, skip: OF_REQUESTS });
  const problems = [...new Set(missing.map(({ name }) => name))]
    .filter((name) => variables.withoutValue.includes(name))
    .map((name) => withoutAnyValue(name, `agent ${id}: `));
  // Variables are filled into texts at any depth.
  const filled = substitute(settings, { values, isStrict: false, skip: OF_REQUESTS })
    .value as typeof settings;
  const value: AgentDefinition = { id, ...filled, run: withTemplates(filled.run, settings.run) };
  if (forced_connector !== undefined) value.forced_connector = forced_connector;
  return { value: Object.assign(value, modelChoices(variables)), problems };
}

/** Prompts and bodies of requests are filled in when they are used, together with everything else that stands for something. */
function withTemplates(filled: AgentRun, run: AgentRun): AgentRun {
  if (filled.type === 'http' && run.type === 'http')
    return {
      ...filled,
      http: { ...filled.http, ...(run.http.body !== undefined && { body: run.http.body }) },
    };
  if (filled.type !== 'assistant' || run.type !== 'assistant') return filled;
  const { prompts, presets, global_prompts } = run;
  return {
    ...filled,
    ...(prompts !== undefined && { prompts }),
    ...(presets !== undefined && { presets }),
    ...(global_prompts !== undefined && { global_prompts }),
  };
}

/** True if variables that a run, suite or test sets choose the connector. */
export function choosesConnector(variables: SourceVariables): boolean {
  return modelChoices(variables).chosen?.connector !== undefined;
}

/** The model choices of variables: values that a run, suite or test sets, and defaults of the type. */
function modelChoices({
  resolved: { values, sources },
  connector,
}: SourceVariables): Pick<AgentDefinition, 'chosen' | 'defaults'> {
  const all = connector === undefined ? values : { ...values, AIConfiguration: connector };
  const chosen = choice(all, (name) => sources[name] !== 'type');
  const defaults = choice(values, (name) => sources[name] === 'type');
  return { ...(chosen !== undefined && { chosen }), ...(defaults !== undefined && { defaults }) };
}

function choice(
  values: Record<string, unknown>,
  isWanted: (name: string) => boolean,
): AgentDefinition['chosen'] {
  const value = (name: string): unknown => (isWanted(name) ? values[name] : undefined);
  const [connector, temperature, max_tokens] = ['AIConfiguration', 'Temperature', 'MaxTokens'].map(value);
  const options = {
    ...(temperature !== undefined && { temperature }),
    ...(max_tokens !== undefined && { max_tokens }),
  };
  const isSaid = typeof connector === 'string' || Object.keys(options).length > 0;
  if (!isSaid) return undefined;
  return { ...(typeof connector === 'string' && { connector }), options };
}

/** The variables as attempts carry them. */
export function targetVariables(variables: SourceVariables | undefined): { variables?: TargetVariables } {
  if (variables === undefined) return {};
  // A copy: it is also what tells this input from all others.
  const values = { ...variables.resolved.values };
  if (Object.keys(values).length === 0 && !variables.isStrict) return {};
  return { variables: { values, dates: variables.dates, variant: variablesKey(values) } };
}

function unknownName(
  name: string,
  known: readonly string[],
  { withoutValue, hidden }: SourceVariables,
): CaseProblem {
  if (hidden.includes(name))
    return {
      message: `{{${name}}}: the test does not expose this variable`,
      hint: 'take its "exposed": false away, or do not use it',
    };
  if (withoutValue.includes(name)) return withoutAnyValue(name);
  const [near] = nearest(name, [...known, ...withoutValue]);
  return {
    message: `{{${name}}}: there is no such variable`,
    hint:
      near === undefined
        ? `\\{{${name}}} is the text itself`
        : `did you mean {{${near}}}? \\{{ is a literal brace pair`,
  };
}

function withoutAnyValue(name: string, where = ''): CaseProblem {
  return {
    message: `${where}{{${name}}}: the variable has no value in this test`,
    hint: `set it: --var ${name}=…, or in the test or the suite`,
  };
}
