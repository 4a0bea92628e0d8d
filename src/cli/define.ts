// Declares the verbs and their options with commander.

import type { Command } from 'commander';
import type { NamedOption } from '../application/options/options.ts';
import { helpIn, isFor, optionsOf } from '../application/options/options.ts';
import type { OptionVerb } from '../application/options/option.ts';
import { OPTION_GROUPS } from '../application/options/option.ts';
import { ConfigError } from '../errors.ts';
import { programName, withProgramName } from '../platform/how-started.ts';
import type { Io } from '../run/io.ts';
import { didYouMean } from '../text/nearest.ts';
import type { Verb } from './verbs.ts';
import { GROUPS } from './verb-groups.ts';
import { VERBS } from './verbs.ts';

/** The things a verb needs to run; `done` gets its exit code, `usage` the words of the parser about a mistake. */
export type Invocation = { version: string; io: Io; done(exitCode: number): void; usage: string[] };

/** Declares every verb on `program`, or only the one that is `wanted`: declaring hundreds of options takes milliseconds. */
export function defineCommands(program: Command, invocation: Invocation, wanted?: string): Command {
  program
    .name(programName())
    .description('Tests AI agents: does it work, and how reliably?')
    .version(invocation.version, '--version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .showSuggestionAfterError()
    .showHelpAfterError(withProgramName('(assay --help lists the commands and options)'))
    .exitOverride()
    .configureOutput({ writeErr: (text) => void invocation.usage.push(text) })
    .addHelpText('after', withProgramName(EXAMPLES));

  const all = Object.entries<Verb>(VERBS);
  const one = all.filter(([name, { hidden }]) => name.split('.')[0] === wanted && hidden !== true);
  for (const [name, verb] of one.length > 0 ? one : all) {
    const command = createCommand(program, name, verb);
    addOptions(command, optionVerb(name, verb));
    command.action(async () => {
      const { args: words } = command;
      refuseUnknownCommand(command);
      invocation.done(await verb.run({ words, flags: command.opts(), io: invocation.io, program }));
    });
  }
  return program;
}

/** What other programs call a command. */
const SYNONYMS: { [word: string]: readonly string[] } = {
  add: ['set'],
  create: ['set'],
  delete: ['remove', 'prune'],
  ls: ['list'],
  rm: ['remove', 'prune'],
};

/** A group without a command of this name runs its standard one, which would complain about too many arguments. */
function refuseUnknownCommand(command: Command): void {
  const { args: words, parent, registeredArguments: taken } = command;
  const [word] = words;
  const group = parent?.name() ?? '';
  const isStandard = GROUPS[group]?.standard === command.name();
  if (!isStandard || word === undefined || words.length <= taken.length) return;
  if (parent?.args[0] === command.name())
    throw new ConfigError(`unexpected ${JSON.stringify(words[taken.length])}`, {
      hint: `${programName()} ${group} ${command.name()} --help says what it takes`,
    });
  const known = parent?.commands.map((one) => one.name()) ?? [];
  const same = SYNONYMS[word]?.find((one) => known.includes(one));
  const hint = same === undefined ? didYouMean(word, known) : `did you mean "${same}"?`;
  throw new ConfigError(`assay ${group} has no command ${JSON.stringify(word)}`, {
    hint: `${hint === undefined ? '' : `${hint} `}The commands are ${known.join(', ')}`,
  });
}

/** The verb whose options it has. The cast is safe: a verb that no option names has none. */
function optionVerb(name: string, { optionsOf: other }: Verb): OptionVerb {
  return other ?? (name as OptionVerb);
}

/** The command of a verb, below that of its group if it has one. */
function createCommand(program: Command, name: string, verb: Verb): Command {
  const words = name.split('.');
  const own = words.at(-1) ?? name;
  const [group = name] = words;
  const parent = words.length === 1 ? program : groupCommand(program, group);
  const hasOptions = optionsOf(optionVerb(name, verb)).length > 0;
  const command = parent
    .command(own, { hidden: verb.hidden, isDefault: own === GROUPS[group]?.standard })
    .description(withProgramName(verb.description))
    .showHelpAfterError(
      `(${programName()} ${words.join(' ')} --help ${hasOptions ? 'lists its options' : 'says more'})`,
    )
    .allowExcessArguments(isStandardCall(parent, group, own));
  for (const { name: word, help, choices } of verb.arguments ?? []) {
    const argument = command.createArgument(word, withProgramName(help ?? ''));
    command.addArgument(choices === undefined ? argument : argument.choices(choices));
  }
  return verb.examples === undefined ? command : command.addHelpText('after', withProgramName(verb.examples));
}

/** True for the standard command of a group: `refuseUnknownCommand` says more about words that it does not take. */
function isStandardCall(parent: Command, group: string, own: string): boolean {
  return parent.name() === group && GROUPS[group]?.standard === own;
}

function groupCommand(program: Command, name: string): Command {
  const known = program.commands.find((command) => command.name() === name);
  if (known !== undefined) return known;
  const { description = '', examples = '' } = GROUPS[name] ?? {};
  return program
    .command(name)
    .description(description)
    .showHelpAfterError(`(${programName()} ${name} --help lists its commands)`)
    .addHelpText('after', withProgramName(examples));
}

function addOptions(command: Command, verb: OptionVerb): void {
  for (const option of inHelpOrder(verb)) addOption(command, verb, option);
}

/** By group for the verbs that run tests, and as in the table for others. */
function inHelpOrder(verb: OptionVerb): NamedOption[] {
  const options = optionsOf(verb);
  if (!isOfRuns(verb)) return options;
  const groups = Object.keys(OPTION_GROUPS);
  const rank = ({ group }: NamedOption): number =>
    group === undefined ? groups.length : groups.indexOf(group);
  return options.toSorted((a, b) => rank(a) - rank(b));
}

function isOfRuns(verb: OptionVerb): boolean {
  return isFor(verb, ['test', 'run', 'skills']);
}

function addOption(command: Command, verb: OptionVerb, option: NamedOption): void {
  const { flag = '', hidden = false, repeatable = false, onceIn = [], once, opposite } = option;
  const hasOpposite = opposite !== undefined && isFor(verb, opposite.verbs);
  const own = command.createOption(flag, helpIn(verb, option)).hideHelp(hidden);
  if (repeatable && !isFor(verb, onceIn)) own.argParser(collect);
  if (once !== undefined) own.argParser(refuseSecond(once));
  const hiddenOpposite = hasOpposite ? [command.createOption(opposite.flag).hideHelp()] : [];

  // The positive form comes first: a lone `--no-…` would be true by default.
  const isNegative = flag.startsWith('--no-');
  for (const one of isNegative ? [...hiddenOpposite, own] : [own, ...hiddenOpposite]) {
    // Also the hidden one: the first option without a group would begin one.
    if (option.group !== undefined && isOfRuns(verb)) one.helpGroup(`${OPTION_GROUPS[option.group]}:`);
    command.addOption(one);
  }
}

/** The last of two values would win without a word. */
function refuseSecond(why: string): (value: string, before: string | undefined) => string {
  return (value, before) => {
    // The error of the library, which is loaded only when it reads the command line.
    if (before !== undefined)
      throw Object.assign(new Error(`It is given twice: ${why}.`), { code: 'commander.invalidArgument' });
    return value;
  };
}

function collect(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}

const EXAMPLES = `
Examples:
  assay test cases.jsonl ./agent.ts                run the cases of a file
  assay test -i "hello" ./agent.ts                 ask an agent once
  assay test cases.jsonl ./agent.ts --runs 5       how stable is it?
  assay test -i scripts.expense.setup              the Test… functions of a script
  assay skills all                                 the tests of all skills
  assay run greeting --var Language=en             a test by its definition
  assay plan test cases.jsonl --runs 5             what would that cost and show?
  assay test --failed                              again what did not pass
  assay report output.jsonl -o report.md           a report of an earlier run
  assay view --open                                all runs in a browser

Exit codes: 0 passed, 1 failed, 2 configuration error, 3 could not measure, 130 interrupted
`;
