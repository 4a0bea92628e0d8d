import { Command } from 'commander';
import { expect, test } from 'vitest';
import type { NamedOption } from '../application/options/options.ts';
import { helpIn, OPTIONS, optionsOf } from '../application/options/options.ts';
import type { OptionVerb } from '../application/options/option.ts';
import { OPTION_GROUPS } from '../application/options/option.ts';
import type { Invocation } from './define.ts';
import { defineCommands } from './define.ts';

const VERBS = [...new Set(OPTIONS.flatMap(({ verbs = [] }) => verbs))];

function commandOf(verb: string, wanted?: string): Command {
  // Nothing is run.
  const program = defineCommands(new Command(), { version: '' } as Invocation, wanted);
  const find = (parent: Command | undefined, name: string): Command | undefined =>
    parent?.commands.find((command) => command.name() === name);
  const command = verb.split('.').reduce<Command | undefined>(find, program);
  if (command === undefined) throw new Error(`no command ${verb}`);
  return command.exitOverride().action(() => undefined);
}

/** The words of one option, and the value that they give. */
function typed(
  verb: OptionVerb,
  { flag = '', repeatable, onceIn }: NamedOption,
): { words: string[]; value: unknown } {
  const name = /--[\w-]+/.exec(flag)?.[0] ?? '';
  if (!/[<[]/.test(flag)) return { words: [name], value: !name.startsWith('--no-') };
  const isList = repeatable === true && onceIn?.includes(verb) !== true;
  return { words: [`${name}=a`, ...(isList ? [`${name}=b`] : [])], value: isList ? ['a', 'b'] : 'a' };
}

test.each(VERBS)('%s takes all of its options', (verb) => {
  const command = commandOf(verb);
  const rows = optionsOf(verb).map((option) =>
    Object.assign(typed(verb, option), { attribute: option.attribute }),
  );
  const needed = command.registeredArguments.filter(({ required }) => required).map(() => 'word');
  command.parse([...rows.flatMap(({ words }) => words), ...needed], { from: 'user' });
  expect(command.opts()).toEqual(Object.fromEntries(rows.map(({ attribute, value }) => [attribute, value])));
});

test.each(VERBS)('%s --help describes its options, each once', (verb) => {
  const shown = commandOf(verb).options.filter(({ hidden }) => !hidden);
  const rows = optionsOf(verb).filter(({ hidden }) => hidden !== true);
  expect(shown.map(({ flags, description }) => `${flags}: ${description}`).sort()).toEqual(
    rows.map((option) => `${option.flag ?? ''}: ${helpIn(verb, option)}`).sort(),
  );
});

test.each(['test', 'run', 'suite', 'skills', 'plan.test', 'plan.run'])('%s --help has groups', (verb) => {
  const help = commandOf(verb).helpInformation();
  const headings = help.match(/^\w.*:$/gm)?.filter((heading) => heading !== 'Arguments:');
  const known = [...Object.values(OPTION_GROUPS).map((title) => `${title}:`), 'Options:'];
  expect(headings).toEqual(known.filter((heading) => headings?.includes(heading)));
  expect(headings?.slice(0, 1)).toEqual(['Most used:']);
  expect(/^Options:\n {2}-h, --help +show this help\n/m.test(help)).toBe(true);
});

test('ten options are the most used', () => {
  const most = OPTIONS.filter(({ group }) => group === 'most used').map(({ flag }) => flag);
  expect(most).toHaveLength(10);
});

test('suite has the options of run, in the same order', () => {
  const flags = (verb: string): string[] => commandOf(verb).options.map((option) => option.flags);
  expect(flags('suite')).toEqual(flags('run'));
  expect(flags('plan.suite')).toEqual(flags('plan.run'));
});

test.each(['test', 'run'])('plan %s has the options of the verb, in the same order', (verb) => {
  const flags = (name: string): string[] => commandOf(name).options.map((option) => option.flags);
  const own = ['--against <baseline>', '--margin <points>'];
  const inherited = (name: string): string[] => flags(name).filter((flag) => !own.includes(flag));
  expect(inherited(`plan.${verb}`)).toEqual(inherited(verb));
});

test('the opposite of an option is there without being shown', () => {
  const parse = (...words: string[]): unknown =>
    commandOf('run')
      .parse(['id', ...words], { from: 'user' })
      .opts();
  expect([parse(), parse('--no-fail-fast'), parse('--no-history'), parse('--history')]).toEqual([
    {},
    { failFast: false },
    { history: false },
    { history: true },
  ]);
});

test('declares only the verb that is wanted', () => {
  const names = (wanted?: string): string[] =>
    defineCommands(new Command(), { version: '' } as Invocation, wanted).commands.map((one) => one.name());
  expect([names('test'), names('tapes')]).toEqual([['test'], ['tapes']]);
  expect(names('__complete')).toEqual(names());
  expect(names('tset')).toEqual(names());
});
