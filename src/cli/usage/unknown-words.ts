// Suggestions for commands and options that do not exist. Loaded only when one was typed.

import { OPTIONS } from '../../application/options/options.ts';
import { ConfigError } from '../../errors.ts';
import { statsOf } from '../../platform/file-stats.ts';
import { programName } from '../../platform/how-started.ts';
import { resolve } from 'node:path';
import { didYouMean } from '../../text/nearest.ts';
import { OF_TEST } from '../arguments.ts';
import { VERBS } from '../verbs.ts';

/** What other programs, and people, call the commands. */
const COMMANDS: Readonly<Record<string, string>> = {
  baselines: 'baseline',
  bench: 'test',
  check: 'validate',
  clean: 'prune',
  cost: 'plan test',
  create: 'init',
  dashboard: 'view',
  delete: 'prune',
  diff: 'compare',
  estimate: 'plan test',
  eval: 'test',
  evaluate: 'test',
  exec: 'test',
  failed: 'test --failed',
  generate: 'init',
  info: 'show',
  lint: 'validate',
  log: 'history',
  logs: 'history',
  ls: 'list',
  new: 'init',
  open: 'view --open',
  record: 'test --record tapes',
  regrade: 'grade',
  replay: 'test --replay tapes',
  rerun: 'test --failed',
  resume: 'test --resume last',
  retry: 'test --failed',
  rm: 'prune',
  runs: 'history',
  score: 'grade',
  serve: 'view',
  setup: 'init',
  start: 'test',
  tests: 'list',
  ui: 'view',
  version: '--version',
  watch: 'test --watch',
  web: 'view',
};

/** What other programs call the options. */
const FLAGS: Readonly<Record<string, string>> = {
  '--agent': '--name',
  '--bail': '--fail-fast',
  '--concurrency': '--parallel',
  '--config': 'a file assay.config.ts in the folder of the application',
  '--delay': '--parallel',
  '--filter': '--run',
  '--filter-failing': '--failed',
  '--filter-first-n': '--first',
  '--filter-pattern': '--run',
  '--filter-sample': '--sample',
  '--grep': '--run',
  '--jobs': '--parallel',
  '--limit': '--first',
  '--max-concurrency': '--parallel',
  '--max-connections': '--parallel',
  '--max-samples': '--first',
  '--model': '--connector',
  '--num-samples': '--sample',
  '--only': '--run',
  '--provider': '--connector',
  '--repeat': '--runs',
  '--samples': '--sample',
  '--silent': '--quiet',
  '--tags': '--tag',
  '--tests': '--input',
  '--threads': '--parallel',
  '--trials': '--runs',
  '--vars': '--var',
  '--workers': '--parallel',
  '-e': '--runs',
  '-j': '--parallel',
  '-k': '--run',
  '-m': '--connector',
  '-p': '--parallel',
  '-x': '--fail-fast',
};

/** True if no verb has this name; words that start with a dash are options. */
export function isUnknownCommand(word: string): boolean {
  return !word.startsWith('-') && word !== 'help' && !commandNames().includes(word);
}

/** The error for a first word that is no command. */
export function unknownCommand(args: readonly string[], cwd: string): ConfigError {
  const [word = ''] = args;
  const same = COMMANDS[word.toLowerCase()];
  const known = commandNames();
  const isKnown = same !== undefined && (same.startsWith('-') || known.includes(same.split(' ')[0] ?? ''));
  const program = programName();
  const whole = `did you mean ${program} test ${args.map(shown).join(' ')}?`;
  const hint = isKnown
    ? `did you mean ${program} ${same}?`
    : isFileOrAgent(word, cwd)
      ? whole
      : (nearestCommand(word, known) ?? `${program} --help lists the commands`);
  return new ConfigError(`there is no command ${JSON.stringify(word)}`, { hint });
}

/** The error for an option of `assay test` without the command. */
export function optionWithoutCommand(args: readonly string[]): ConfigError {
  return new ConfigError(`${args[0] ?? ''} is an option of a command`, {
    hint: `did you mean ${programName()} test ${args.map(shown).join(' ')}?`,
  });
}

/** True for the options of `assay test`. */
export function isOptionOfTest(word: string): boolean {
  const name = word.replace(/=.*$/s, '');
  return OPTIONS.some(
    ({ flag = '', verbs = [] }) =>
      verbs.includes('test') && flag.split(/[ ,]+/).some((one) => one.startsWith('-') && one === name),
  );
}

/** Adds our name for an option of another tool to what the parser says about it. */
export function explainUnknownOption(text: string): string {
  const name = /unknown option '([^'=]+)/.exec(text)?.[1] ?? '';
  const same = FLAGS[name];
  if (same === undefined) return text;
  const isOurs = !same.startsWith('-') || OPTIONS.some(({ flag = '' }) => flag.includes(same));
  return isOurs ? text.replace(/\n(?:\(Did you mean [^\n]*\n)?/, `\n(Did you mean ${same}?)\n`) : text;
}

function commandNames(): string[] {
  const names = Object.entries<{ hidden?: true }>(VERBS).filter(([, { hidden }]) => hidden !== true);
  return [...new Set([...names.map(([name]) => name.split('.')[0] ?? name), ...OF_TEST])];
}

function nearestCommand(word: string, known: readonly string[]): string | undefined {
  return didYouMean(word, known)?.replace(/"(.*)"/, (_, name: string) => `${programName()} ${name}`);
}

/** A file of cases or an agent without its command. */
function isFileOrAgent(word: string, cwd: string): boolean {
  return (
    /\.(?:csv|[cm]?[jt]s|json|jsonl|ndjson|parquet|py|tsv|ya?ml)$|[*/\\]/i.test(word) ||
    /^(?:scripts|skills)\./.test(word) ||
    statsOf(resolve(cwd, word)) !== undefined
  );
}

function shown(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : JSON.stringify(word);
}
