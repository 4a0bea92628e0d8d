// The command that reruns a single case.

import type { LoggedInput, StartEvent } from '../../model/event.ts';
import { AGENT_AXIS, CONNECTOR_AXIS } from '../../model/axis-names.ts';
import { isObject } from '../../json/is-object.ts';
import { gradedFrom } from '../../model/graded.ts';
import { inputKind } from '../../model/subject.ts';
import { reportKind } from '../kinds/registry.ts';
import { escapeControls } from '../../text/untrusted.ts';

type Named = { id: string; test_id: string; variables?: Record<string, unknown> };
type Started = Pick<StartEvent, 'definitions' | 'flags' | 'graded' | 'inputs' | 'matrix'>;

/** The command that runs a case again, in the folder of the run; undefined if the case cannot run again, such as input from a pipe. */
export function rerunCommand(start: Started, named: Named): string | undefined {
  const input = findInput(start.inputs, named);
  // The log of a graded run does not say how its agent is run.
  if (input === undefined || gradedFrom(start) !== undefined) return undefined;
  const words = commandWords(start, input, named);
  if (words === undefined) return undefined;
  const { name, connector } = start.flags;
  const agent = typeof name === 'string' && !isVaried(start, AGENT_AXIS) ? ['-n', name] : [];
  const model = typeof connector === 'string' ? ['-c', connector] : [];
  const runs = runsOption(start, input);
  const command = ['assay', ...words, ...runs, ...agent, ...model].map(quoteForShell).join(' ');
  // Text with invisible characters should not be pasted into a shell.
  return escapeControls(command) === command && !command.includes('\n') ? command : undefined;
}

/** Finds the input of a case: by its test if it has a definition, a file by the end of its path. */
function findInput(inputs: readonly LoggedInput[], { test_id, variables }: Named): LoggedInput | undefined {
  const found = inputs.filter((input) => {
    if (input.test_id !== undefined) return input.test_id === test_id;
    return reportKind(inputKind(input)).isInputOf(input, test_id, inputs.length === 1);
  });
  const isSame = (input: LoggedInput): boolean =>
    JSON.stringify(input.resolved_variables?.values) === JSON.stringify(variables);
  return found.find(isSame) ?? found[0] ?? (inputs.length === 1 ? inputs[0] : undefined);
}

/** The `--runs` option of the run, unless it comes from the definition of the test. */
function runsOption({ flags }: Started, { test, type }: LoggedInput): string[] {
  const { runs, definition } = flags;
  const isTyped = !(
    isObject(definition) &&
    Array.isArray(definition['untyped']) &&
    definition['untyped'].includes('runs')
  );
  if (typeof runs !== 'number' || runs < 2 || (test !== undefined && !isTyped) || type === 'message')
    return [];
  return ['--runs', String(runs)];
}

function commandWords(start: Started, input: LoggedInput, named: Named): string[] | undefined {
  const only = ['--run', `^${escapePattern(named.id)}$`];
  const values = valueWords(start, input, named);
  if (values === undefined) return undefined;
  if (input.test !== undefined) return ['run', input.test, ...only, ...values];
  const words = reportKind(inputKind(input)).rerunWords(input, only);
  return words === undefined ? undefined : [...words, ...values];
}

/** The values of the case; undefined if the command line cannot give them. */
function valueWords(start: Started, input: LoggedInput, { variables = {} }: Named): string[] | undefined {
  const { sources = {} } = input.resolved_variables ?? {};
  const words: string[] = [];
  for (const [name, value] of Object.entries(variables)) {
    const source = sources[name];
    if (source !== 'run' && source !== 'suite') continue;
    // With one value, a matrix gives the case the same variables again.
    const isMatrix = isVaried(start, name) && (input.test === undefined || isAxis(start, input, name));
    // A path in a suite starts from its file.
    if (isMatrix && (String(value).includes(',') || (source === 'suite' && /^\.{1,2}\//.test(String(value)))))
      return undefined;
    words.push(isMatrix ? '--matrix' : '--var', `${name}=${String(value)}`);
  }
  return words;
}

function isVaried({ matrix = {} }: Started, name: string): boolean {
  return Object.hasOwn(matrix, name);
}

/** True for the agent and the connector, unless they are variables of the test. */
function isAxis({ definitions }: Started, { test }: LoggedInput, name: string): boolean {
  const type = definitions?.tests.find(({ id }) => id === test)?.type;
  const declared = definitions?.types.find(({ id }) => id === type)?.variablesSchema?.variables ?? [];
  const isDeclared = declared.some((variable) => variable.name === name);
  return (name === AGENT_AXIS || name === CONNECTOR_AXIS) && !isDeclared;
}

/** Escapes an id for a regular expression. */
function escapePattern(id: string): string {
  return id.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** Quotes a word for a POSIX shell. */
function quoteForShell(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
