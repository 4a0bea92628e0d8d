// The words of a command line come in; whether the last one is a command, an option, its value or an argument goes out. The commands
// and options come from the definitions in commander.

import type { Command, Option } from 'commander';
import { normaliseArguments, OF_TEST } from '../arguments.ts';

/** One completion of the word at the cursor. */
export type Candidate = { value: string; description?: string };

/** Where the cursor is. */
export type Position = {
  command: Command;
  /** `run` for `assay run` and `assay test run`, `tapes.diff` for `assay tapes diff`; empty before a command is named. */
  name: string;
  /** The word at the cursor, as far as it is typed. */
  word: string;
  /** The part before it in the same word, such as `--reporter=`. */
  prefix: string;
  /** The arguments before the cursor. */
  args: string[];
  /** The values of options before the cursor, by name; an empty list for an option without a value. */
  given: Map<string, string[]>;
  /** The option whose value the cursor is in. */
  option?: Option;
  /** False after `--`, where everything is an argument. */
  mayBeOption: boolean;
};

/** Finds out what the last word is; it may be empty. */
export function positionIn(program: Command, words: readonly string[]): Position {
  const before = normaliseArguments(words.slice(0, -1));
  const state = { command: program, args: [] as string[], given: new Map<string, string[]>() };
  let pending: Option | undefined;
  let mayBeOption = true;
  for (const word of before) {
    const isValue = pending !== undefined && (pending.required || !word.startsWith('-'));
    if (pending !== undefined && isValue) {
      give(state.given, pending, word);
      if (!pending.variadic) pending = undefined;
      continue;
    }
    pending = undefined;
    if (mayBeOption && word === '--') mayBeOption = false;
    else if (mayBeOption && isOptionLike(word)) {
      const { option, value } = readOption(state.command, word);
      if (option !== undefined) give(state.given, option, value);
      if (value === undefined && option !== undefined && takesValue(option)) pending = option;
    } else {
      const next =
        state.args.length === 0
          ? subcommands(program, state.command).find((one) => isCalled(one, word))
          : undefined;
      if (next === undefined) state.args.push(word);
      else state.command = next;
    }
  }
  const word = words.at(-1) ?? '';
  const position = { ...state, name: nameOf(state.command, program), word, prefix: '', mayBeOption };
  if (pending !== undefined && (pending.required || !word.startsWith('-')))
    return { ...position, option: pending };
  const { option, value } =
    mayBeOption && isOptionLike(word) ? readOption(state.command, word) : { option: undefined };
  if (option === undefined || value === undefined) return position;
  return { ...position, option, word: value, prefix: word.slice(0, word.length - value.length) };
}

/** The commands that can follow. */
export function commandCandidates(program: Command, { command, args }: Position): Candidate[] {
  const isHelp = command === program && args.length === 1 && args[0] === 'help';
  if (args.length > 0 && !isHelp) return [];
  return subcommands(program, command).map((one) => ({ value: one.name(), description: one.description() }));
}

/** The options that can still be given. */
export function optionCandidates({ command, given, word }: Position): Candidate[] {
  const options = command.createHelp().visibleOptions(command);
  return options.flatMap((option) => {
    const isRepeatable = option.variadic || option.parseArg !== undefined;
    if (given.has(option.attributeName()) && !isRepeatable) return [];
    const { long, short, description } = option;
    const names = [long ?? short, short === word ? short : undefined].filter((name) => name !== undefined);
    return [...new Set(names)].map((value) => ({ value, description }));
  });
}

/** The choices that the definition of the option or argument lists. */
export function choiceCandidates({ command, option, args }: Position): Candidate[] {
  const choices = option === undefined ? argumentAt(command, args.length)?.argChoices : option.argChoices;
  return (choices ?? []).map((value) => ({ value }));
}

/** True if the command takes one more argument. */
export function takesArgument({ command, args }: Position): boolean {
  return argumentAt(command, args.length) !== undefined;
}

function argumentAt(command: Command, index: number): Command['registeredArguments'][number] | undefined {
  const last = command.registeredArguments.at(-1);
  return command.registeredArguments[index] ?? (last?.variadic === true ? last : undefined);
}

function subcommands(program: Command, command: Command): Command[] {
  const own = [...command.createHelp().visibleCommands(command)];
  if (nameOf(command, program) !== 'test') return own;
  const shared = [...OF_TEST].filter((name) => !own.some((one) => isCalled(one, name)));
  return [...own, ...program.commands.filter((one) => shared.includes(one.name()))];
}

function isCalled(command: Command, name: string): boolean {
  // The argument of `help` is the name of a command.
  return (command.name() === name && name !== 'help') || command.aliases().includes(name);
}

function nameOf(command: Command, program: Command): string {
  const { parent } = command;
  if (command === program) return '';
  return parent === null || parent === program ? command.name() : `${parent.name()}.${command.name()}`;
}

function isOptionLike(word: string): boolean {
  return word.length > 1 && word.startsWith('-');
}

function takesValue(option: Option): boolean {
  return option.required || option.optional;
}

/** `--name`, `--name=value`, `-n`, `-nvalue`. */
function readOption(command: Command, word: string): { option?: Option; value?: string } {
  const { options } = command;
  const option = options.find((one) => hasName(one, word));
  if (option !== undefined) return { option };
  const [, name = '', value = ''] =
    (word.startsWith('--') ? /^([^=]+)=(.*)$/s : /^(-.)(.*)$/s).exec(word) ?? [];
  const withValue = options.find((one) => hasName(one, name) && takesValue(one));
  return withValue === undefined ? {} : { option: withValue, value };
}

function hasName({ long, short }: Option, name: string): boolean {
  return name === long || name === short;
}

function give(given: Map<string, string[]>, option: Option, value: string | undefined): void {
  const name = option.attributeName();
  given.set(name, [...(given.get(name) ?? []), ...(value === undefined ? [] : [value])]);
}
