// What options and arguments can be, by the names of commands and options.

import type { Sources } from './sources.ts';
import { completeVariable } from './variables.ts';
import type { Candidate, Position } from './words.ts';

export type Completion = {
  candidates: Candidate[];
  /** What stands before each of them in the word that has been typed. */
  prefix?: string;
  /** The shell completes names of files. */
  hasFiles?: boolean;
  /** Something may follow in the same word. */
  hasNoSpace?: boolean;
};

type Complete = (position: Position, sources: Sources) => Completion | Promise<Completion>;

const files: Complete = () => ({ candidates: [], hasFiles: true });

/** By the name of the option, or of command and option. */
const OPTIONS: Record<string, Complete> = {
  agent: agentIds,
  connector: async (_, sources) => named(await sources.connectors()),
  ctx: files,
  failed: files,
  input: files,
  'list.tag': tags,
  matrix: (position, sources) => completeVariable(position, sources, { isList: true }),
  name: async (position, sources) => ({ ...(await agentIds(position, sources)), hasFiles: true }),
  output: files,
  preset: async (_, sources) => named(await sources.presets()),
  reporter: async () => named((await import('../../report/formats/registry.ts')).BUILT_IN_REPORTERS),
  resume: files,
  record: files,
  replay: files,
  'run.tag': tags,
  store: files,
  'suite.tag': tags,
  var: (position, sources) => completeVariable(position, sources, { isList: false }),
  varFile: files,
};

/** By the name of the command. */
const ARGUMENTS: Record<string, Complete> = {
  compare: files,
  history: async (_, sources) => defined((await sources.definitions()).tests),
  import: files,
  list: async (_, sources) => {
    const { types, tests, suites } = await sources.definitions();
    return defined([...tests, ...suites, ...types]);
  },
  report: files,
  run: async (position, sources) => {
    const { candidates } = defined((await sources.definitions()).tests);
    const tagged = (await tags(position, sources)).candidates;
    return { candidates: [...candidates, ...tagged.map(({ value }) => ({ value: `tag:${value}` }))] };
  },
  skills: async ({ args }, sources) => {
    const words = args.length === 0 ? SKILL_WORDS : [];
    const skills = (await sources.skills()).map(({ name, description = '' }) => ({
      value: name,
      description,
    }));
    return { candidates: [...skills, ...words], hasFiles: args[0] !== 'new' };
  },
  suite: async (_, sources) => defined((await sources.definitions()).suites),
  'tapes.diff': files,
  'tapes.list': files,
  'tapes.prune': files,
};

const SKILL_WORDS: Candidate[] = [
  { value: 'all', description: 'the tests of all skills' },
  { value: 'new', description: 'write a test to start from' },
];

/** The values of the option, or the arguments of the command, that the cursor is at. */
export async function valuesAt(position: Position, sources: Sources): Promise<Completion> {
  const { name, option, args } = position;
  const key = option?.attributeName() ?? '';
  const complete =
    option === undefined ? own(ARGUMENTS, name) : (own(OPTIONS, `${name}.${key}`) ?? own(OPTIONS, key));
  const completion = (await complete?.(position, sources)) ?? { candidates: [] };
  if (option !== undefined) return completion;
  return { ...completion, candidates: completion.candidates.filter(({ value }) => !args.includes(value)) };
}

async function agentIds(_: Position, sources: Sources): Promise<Completion> {
  return named(await sources.agents());
}

async function tags(_: Position, sources: Sources): Promise<Completion> {
  const { tests } = await sources.definitions();
  return named([...new Set(tests.flatMap((test) => test.tags ?? []))].sort());
}

function named(names: readonly string[]): Completion {
  return { candidates: names.map((value) => ({ value })) };
}

function defined(definitions: readonly { id: string; name: string }[]): Completion {
  return { candidates: definitions.map(({ id, name }) => ({ value: id, description: name })) };
}

function own(table: Record<string, Complete>, name: string): Complete | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
