// The values that options and arguments can have.

import type { CompletionSource } from '../../application/options/option.ts';
import { OPTIONS } from '../../application/options/options.ts';
import { CASE_ORDERS } from '../../model/case-order.ts';
import type { Sources } from './sources.ts';
import { completeVariable } from './variables.ts';
import type { Candidate, Position } from './words.ts';

export type Completion = {
  candidates: Candidate[];
  /** The part of the typed word that stands before each candidate. */
  prefix?: string;
  /** The shell adds the names of files. */
  hasFiles?: boolean;
  /** More text can follow in the same word. */
  hasNoSpace?: boolean;
};

type Complete = (position: Position, sources: Sources) => Completion | Promise<Completion>;

const files: Complete = () => ({ candidates: [], hasFiles: true });

/** The values of options, by the source that the table of options names. */
const SOURCES: { [Source in CompletionSource]: Complete } = {
  // `assay init` asks for a kind of agent, the other verbs for one of the agents.
  agents: async (position, sources) =>
    position.name === 'init'
      ? named(Object.keys((await import('../../init/agent-type.ts')).AGENT_TYPES))
      : agentIds(position, sources),
  'agents and files': async (position, sources) => ({
    ...(await agentIds(position, sources)),
    hasFiles: true,
  }),
  connectors: async (_, sources) => named(await sources.connectors()),
  files,
  orders: () => named(CASE_ORDERS),
  presets: async (_, sources) => named(await sources.presets()),
  reporters: async () => named((await import('../../report/registry.ts')).BUILT_IN_REPORTERS),
  // `assay test` selects cases, whose tags are not in the definitions.
  tags: (position, sources) => (position.name === 'test' ? { candidates: [] } : tags(position, sources)),
  'variable lists': (position, sources) => completeVariable(position, sources, { isList: true }),
  variables: (position, sources) => completeVariable(position, sources, { isList: false }),
};

/** The arguments of verbs, by the name of the verb. */
const ARGUMENTS: Record<string, Complete> = {
  compare: files,
  flaky: async (_, sources) => defined((await sources.definitions()).tests),
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
  test: async (position, sources) => ({ ...(await agentIds(position, sources)), hasFiles: true }),
};

const SKILL_WORDS: Candidate[] = [
  { value: 'all', description: 'the tests of all skills' },
  { value: 'new', description: 'write a test to start from' },
];

/** The values of the option, or the arguments of the command, at the cursor. */
export async function valuesAt(position: Position, sources: Sources): Promise<Completion> {
  const { option, args } = position;
  // What follows `assay plan` is that command.
  const name = position.name.replace(/^plan\./, '');
  if (option !== undefined) {
    const source = OPTIONS.find(({ attribute }) => attribute === option.attributeName())?.complete;
    return source === undefined ? { candidates: [] } : SOURCES[source]({ ...position, name }, sources);
  }
  const complete = Object.hasOwn(ARGUMENTS, name) ? ARGUMENTS[name] : undefined;
  const completion = (await complete?.(position, sources)) ?? { candidates: [] };
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
