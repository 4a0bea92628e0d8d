// The words of `assay test cases.jsonl ./agent.ts` in, the values of `-i` and `-n` out.

import { resolve } from 'node:path';
import { findAgent, listAgents } from '../agents/resolve/find-agent.ts';
import { findApplicationRoot } from '../application/root.ts';
import type { Problem } from '../errors.ts';
import { ConfigError } from '../errors.ts';
import { KINDS } from '../kinds/registry.ts';
import { isFolder, statsOf } from '../platform/file-stats.ts';
import { programName } from '../platform/how-started.ts';
import { didYouMeanFile } from '../platform/nearest-file.ts';
import { generatorOf, isPattern } from '../run/inputs/inputs.ts';
import { didYouMean } from '../text/nearest.ts';

/** The flags that name the same things. */
type Named = { input?: string[] | undefined; name?: string | undefined };

/** `both` is a module or a folder that can hold cases and can be an agent. */
type Meaning = 'agent' | 'both' | 'input' | 'unknown';

/**
 * Decides which words are inputs and which one is the agent, by what they are. A word that can be both is an input if it is the only
 * word or the agent is named otherwise, and else the agent. Throws ConfigError for words that are nothing, or too many.
 */
export async function readInputWords<Flags extends Named>(
  words: readonly string[],
  flags: Flags,
  { cwd, verb }: { cwd: string; verb: string },
): Promise<Flags> {
  if (words.length === 0) return flags;
  const root = findApplicationRoot(cwd, cwd);
  const meanings = words.map((word) => meaningOf(word, { cwd, root }));
  const unknown = words.filter((_, index) => meanings[index] === 'unknown');
  if (unknown.length > 0) {
    const ids = await listAgents(root);
    throw ConfigError.of(unknown.map((word) => describeUnknown(word, { flags, cwd, verb, ids })));
  }

  const agent = chooseAgent(words, meanings, flags);
  const inputs = words.filter((_, index) => index !== agent).map(asPath);
  const name = agent === undefined ? undefined : words[agent];
  return {
    ...flags,
    ...(inputs.length > 0 && { input: [...inputs, ...(flags.input ?? [])] }),
    ...(name !== undefined && { name }),
  };
}

function meaningOf(word: string, place: { cwd: string; root: string }): Meaning {
  if (/^(?:a2a\+)?https?:\/\//i.test(word)) return 'agent';
  const isAgent = canBeAgent(word, place);
  if (!canBeInput(word, place.cwd)) return isAgent ? 'agent' : 'unknown';
  return isAgent && !isTestFile(word) ? 'both' : 'input';
}

function canBeAgent(word: string, place: { cwd: string; root: string }): boolean {
  try {
    findAgent(word, place);
    return true;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return false;
  }
}

/** A message is no word: a mistyped file name must not reach a model. */
function canBeInput(word: string, cwd: string): boolean {
  if (word === '-' || isTestName(word) || generatorOf(word) !== undefined) return true;
  const isPython = /\.py(?::\w+)?$/i.test(word);
  return (statsOf(resolve(cwd, word)) !== undefined && !isPython) || isGlob(word);
}

/** Files of tests that the kinds recognise, such as `calc_test.ts`. */
function isTestFile(word: string): boolean {
  return KINDS.some(({ recognises }) => recognises?.file.test(word) === true);
}

/** Names of tests that the kinds recognise, such as `scripts.*`. */
function isTestName(word: string): boolean {
  return !/\.(?:jsonl|ndjson)$/i.test(word) && KINDS.some(({ recognises }) => recognises?.name.test(word));
}

function isGlob(word: string): boolean {
  return isPattern(word) && !/\s/.test(word);
}

/** A pattern that matches nothing would be sent as a message if it did not look like a path. */
function asPath(word: string): string {
  return isGlob(word) && !isTestName(word) && !/^[./~]/.test(word) && generatorOf(word) === undefined
    ? `./${word}`
    : word;
}

/** The index of the agent among the words; undefined if none of them is one. */
function chooseAgent(
  words: readonly string[],
  meanings: readonly Meaning[],
  { input = [], name }: Named,
): number | undefined {
  const indexes = (meaning: Meaning): number[] =>
    meanings.flatMap((one, index) => (one === meaning ? [index] : []));
  const agents = indexes('agent');
  const named = [...(name === undefined ? [] : [name]), ...agents.map((index) => words[index] ?? '')];
  if (named.length > 1)
    throw new ConfigError(`${list(named)} are ${String(named.length)} agents`, {
      hint: 'a run has one agent; leave the others out, or name the agents in the cases with "agent"',
    });
  if (named.length === 1) return agents[0];

  const both = indexes('both');
  const hasInput = input.length > 0 || meanings.includes('input');
  // The usual order: the cases first, the agent last.
  if (both.length === 2 && !hasInput) return both[1];
  if (both.length > 1)
    throw new ConfigError(`which one is the agent: ${list(both.map((index) => words[index] ?? ''))}?`, {
      hint: 'each can have cases and be an agent; name the agent with -n, or the cases with -i',
    });
  return hasInput ? both[0] : undefined;
}

function list(words: readonly string[]): string {
  const quoted = words.map((word) => JSON.stringify(word));
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1) ?? ''}`;
}

type UnknownWord = { flags: Named; cwd: string; verb: string; ids: readonly string[] };

function describeUnknown(word: string, { flags, cwd, verb, ids }: UnknownWord): Problem {
  if (word.trim() === '') return { message: 'a word is empty', hint: 'give a case file or an agent' };
  const file = resolve(cwd, word.replace(/(\.py):\w+$/i, '$1'));
  const near = didYouMeanFile(file, cwd) ?? didYouMean(word, ids);
  const isPath = !/\s/.test(word) && /[\\/]|\.\w{1,7}(?::\w+)?$/.test(word);
  const folder = word.endsWith('/') && isFolder(file) ? undefined : near;
  if (isPath)
    return { message: `${JSON.stringify(word)} does not exist`, hint: folder ?? remedy(word, verb) };
  const [before] = flags.input ?? [];
  const hint =
    near ??
    (before !== undefined && statsOf(resolve(cwd, before)) === undefined
      ? `to send a message with several words, quote it: -i ${JSON.stringify(`${before} ${word}`)}`
      : remedy(word, verb));
  return { message: `${JSON.stringify(word)} is neither a file nor an agent`, hint };
}

function remedy(word: string, verb: string): string {
  return `to send it as a message: ${programName()} ${verb} -i ${JSON.stringify(word)}`;
}
