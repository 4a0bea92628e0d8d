// The command that reruns a single case.

import type { LoggedInput, StartEvent } from '../../model/event.ts';
import { isObject } from '../../json/is-object.ts';
import { inputKind } from '../../model/subject.ts';
import { reportKind } from '../kinds/registry.ts';
import { escapeControls } from '../../text/untrusted.ts';

type Named = { id: string; test_id: string; variables?: Record<string, unknown> };
type Started = Pick<StartEvent, 'flags' | 'inputs'>;

/** The command that runs a case again, in the folder of the run; undefined if the case cannot run again, such as input from a pipe. */
export function rerunCommand(start: Started, named: Named): string | undefined {
  const input = findInput(start.inputs, named);
  if (input === undefined) return undefined;
  const words = commandWords(input, named);
  if (words === undefined) return undefined;
  const { name, connector } = start.flags;
  const agent = typeof name === 'string' ? ['-n', name] : [];
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

function commandWords(input: LoggedInput, { id, variables = {} }: Named): string[] | undefined {
  const only = ['--run', `^${escapePattern(id)}$`];
  if (input.test !== undefined) {
    const { sources = {} } = input.resolved_variables ?? {};
    const given = Object.entries(variables)
      .filter(([name]) => sources[name] === 'run' || sources[name] === 'suite')
      .flatMap(([name, value]) => ['--var', `${name}=${String(value)}`]);
    return ['run', input.test, ...only, ...given];
  }
  return reportKind(inputKind(input)).rerunWords(input, only);
}

/** Escapes an id for a regular expression. */
function escapePattern(id: string): string {
  return id.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** Quotes a word for a POSIX shell. */
function quoteForShell(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
