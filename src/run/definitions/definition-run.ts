// `assay run` and `assay suite`: definitions become the inputs of a run, each with its variables.

import type { SettingSources } from '../../application/settings.ts';
import { isTyped } from '../../application/settings.ts';
import type { Defined, Definitions } from '../../definitions/read-definitions.ts';
import { typeOf } from '../../definitions/read-definitions.ts';
import type { Problem } from '../../errors.ts';
import { collectProblems, ConfigError } from '../../errors.ts';
import type { InputSource } from '../../kinds/registry.ts';
import type { SourceTest } from '../../kinds/test-binding.ts';
import type { SuiteDefinition, TestDefinition, TestTypeDefinition } from '../../model/definition.ts';
import type { StartEvent } from '../../model/event.ts';
import type { Settings } from '../../application/options/options.ts';
import type { TestTypeVariablesSchema } from '../../model/variables.ts';
import { parseDuration } from '../../text/duration.ts';
import type { GivenValues } from '../../variables/given.ts';
import { matrixVariables } from '../../variables/axes.ts';
import { rejectUnknownNames } from '../../variables/given.ts';
import type { ApplicationDefinitions } from './application-definitions.ts';
import { definitionsBelow } from './application-definitions.ts';
import type { ChosenTests, Selection } from './select-definitions.ts';
import { chooseTests } from './select-definitions.ts';
import type { Combination, TestCombinations, TestLevels } from './combinations.ts';
import { combinationsOf, runLevel } from './combinations.ts';
import { agentOf, sourcesOf } from './definition-sources.ts';
import { agentNotes, refuseMatrix, refuseTwice } from './matrix-rules.ts';
import type { RunValues } from '../inputs/run-variables.ts';
import { isShared } from '../inputs/run-variables.ts';

/** How an earlier run was asked for; the log keeps it. */
export type DefinitionFlags = Selection & {
  given: GivenValues;
  pairwise?: boolean;
  /** The start value of a random order. */
  seed?: number;
  /** Settings that came from the definitions, and not from the command line. */
  untyped: string[];
};

export type DefinedRun = {
  settings: Settings;
  sources: InputSource[];
  /** For the start event of the log. */
  logged: Pick<StartEvent, 'definitions' | 'resolved_variables' | 'suite'>;
  /** The values of each variable that varies. */
  matrix: StartEvent['matrix'];
  flags: DefinitionFlags;
  /** The files of the definitions. */
  files: string[];
  /** Shown to the user before the run. */
  notes: string[];
};

export type DefinitionRunOptions = Pick<SettingSources, 'env' | 'flags'> & {
  root: string;
  cwd: string;
  settings: Settings;
  values: RunValues;
  pairwise: boolean;
  seed?: number | undefined;
  /** Its definitions, if they have been read already. */
  application?: ApplicationDefinitions;
  warn: (text: string) => void;
};

/** Finds and checks the tests of a selection; throws ConfigError with all problems. */
export async function defineRun(selection: Selection, options: DefinitionRunOptions): Promise<DefinedRun> {
  const { root, cwd } = options;
  const application =
    options.application ?? (await definitionsBelow({ root, cwd, tests: options.settings.tests }));
  const { definitions, entities } = application;
  const chosen = chooseTests(selection, application, options.warn);
  const { suite } = chosen;
  const types = chosen.tests.map((test) => typeOf(definitions, test));
  const schemas = types.flatMap((type) => type?.variablesSchema ?? []);
  const notes: string[] = [];
  const values = meantHere(options.values, schemas, definitions, notes);
  refuseTwice(values.given.matrix, suite?.matrix ?? {}, options.flags);
  rejectUnknownNames(values.given, { schemas, varied: types.flatMap(matrixVariables) }, values.places);

  const problems: Problem[] = [];
  const { pairwise } = options;
  const all = chosen.tests.map((test, index) => {
    const type = types[index];
    const found = combinationsOf({ ...levelsOf(test, type), suite, values, pairwise, entities });
    for (const message of found.problems)
      problems.push({ message: `test ${test.id}: ${message}`, at: test.at, ...remedyFor(message) });
    notes.push(...found.notes.map((note) => `${test.id}: ${note}`));
    return found;
  });

  const settings = settingsOf(chosen, options);
  const seed = options.seed ?? Date.now() % 2 ** 31;
  const isRandom = suite?.options?.order === 'random';
  const pairs = chosen.tests.map((test, index) => ({ test, combinations: all[index]?.combinations ?? [] }));
  const ordered = isRandom ? shuffled(pairs, seed) : pairs;
  const sources = await definedSources(ordered, { ...options, runs: settings.runs }, problems);
  if (problems.length > 0) throw ConfigError.of(problems);

  const used = [...new Set(types)].flatMap((type) => type ?? []);
  const matrix = matrixOf(all);
  refuseMatrix(matrix, options);
  notes.push(...agentNotes(values.given.matrix, options.flags));
  if (options.flags.connector !== undefined && sources.some(choosesConnector))
    notes.push('-c decides about the connector: AIConfiguration has no effect');
  return {
    settings,
    sources,
    matrix,
    logged: loggedDefinitions(chosen, used, runLevel(all)),
    flags: {
      ...selection,
      given: values.given,
      ...(options.pairwise && { pairwise: true }),
      ...(isRandom && { seed }),
      untyped: FROM_DEFINITIONS.filter((name) => !isTyped(name, options)),
    },
    files: [...chosen.tests, ...used, ...(suite === undefined ? [] : [suite])].flatMap(
      ({ file }) => file ?? [],
    ),
    notes,
  };
}

/** What a test and its type say about variables. */
function levelsOf(
  { variables: test }: TestDefinition,
  type: TestTypeDefinition | undefined,
): Pick<TestLevels, 'declared' | 'hasAxes' | 'isStrict' | 'test'> {
  const { variablesSchema: declared, kind } = type ?? {};
  return { test, declared, hasAxes: kind === 'agent-eval', isStrict: true };
}

/** The definitions as their files have them, for the log. */
function loggedDefinitions(
  { suite, tests }: ChosenTests,
  types: readonly Defined<TestTypeDefinition>[],
  resolved_variables: StartEvent['resolved_variables'],
): DefinedRun['logged'] {
  return {
    ...(suite !== undefined && { suite: suite.id }),
    resolved_variables,
    definitions: {
      types: types.map((type) => plain<TestTypeDefinition>(type)),
      tests: tests.map((test) => plain<TestDefinition>(test)),
      ...(suite !== undefined && { suite: plain<SuiteDefinition>(suite) }),
    },
  };
}

/** The inputs of all tests, in their order, each with every combination of the test's variables. */
async function definedSources(
  tests: readonly { test: Defined<TestDefinition>; combinations: readonly Combination[] }[],
  options: DefinitionRunOptions & { runs: number | 'auto' },
  problems: Problem[],
): Promise<InputSource[]> {
  const sources: InputSource[] = [];
  for (const { test, combinations } of tests) {
    const own: Problem[] = [];
    const found = await collectProblems(own, () => sourcesOf(test, options));
    for (const problem of own) problems.push({ ...problem, at: problem.at ?? test.at });
    sources.push(...crossed(test, found ?? [], combinations, options));
  }
  return sources;
}

/** Values of the environment and of presets may be meant for other tests than these: then they are left out, with a note. */
function meantHere(
  { given, places }: RunValues,
  schemas: readonly TestTypeVariablesSchema[],
  { types }: Definitions,
  notes: string[],
): RunValues {
  const has = (all: readonly TestTypeVariablesSchema[], name: string): boolean =>
    all.some(({ variables }) => variables.some((variable) => variable.name === name));
  const everywhere = types.flatMap(({ variablesSchema }) => variablesSchema ?? []);
  const isElsewhere = (name: string): boolean =>
    !has(schemas, name) && has(everywhere, name) && isShared(places[name]);
  for (const name of Object.keys(given.values))
    if (isElsewhere(name)) notes.push(`${name} (${places[name] ?? ''}) has no effect here: no test has it`);
  const meant = Object.entries(given.values).filter(([name]) => !isElsewhere(name));
  return { given: { ...given, values: Object.fromEntries(meant) }, places };
}

function choosesConnector({ variables }: InputSource): boolean {
  const { values = {}, sources = {} } = variables?.resolved ?? {};
  return values['AIConfiguration'] !== undefined && sources['AIConfiguration'] !== 'type';
}

function remedyFor(message: string): { hint?: string } {
  const name = /^the variable (\w+) is required/.exec(message)?.[1];
  return name === undefined ? {} : { hint: `set it: --var ${name}=…, or in the test or the suite` };
}

/** Settings that definitions have a say in, unless the command line or the environment has. */
const FROM_DEFINITIONS = [
  'after_all',
  'before_all',
  'fail_fast',
  'gates',
  'name',
  'parallel',
  'runs',
  'timeout_ms',
] as const;

/** The settings, with those that the suite and the tests decide. */
function settingsOf({ suite, tests }: ChosenTests, options: DefinitionRunOptions): Settings {
  const { settings } = options;
  const isOpen = (name: (typeof FROM_DEFINITIONS)[number]): boolean => !isTyped(name, options);
  const most = (numbers: readonly (number | undefined)[]): number | undefined => {
    const given = numbers.filter((one) => one !== undefined);
    return given.length === 0 ? undefined : Math.max(...given);
  };
  const parallel = suite?.options?.parallel ?? most(tests.map((test) => test.options?.parallel));
  const runs = mostRuns(tests.map((test) => test.options?.runs ?? settings.runs));
  const { setUp, tearDown } = suite ?? {};
  return {
    ...settings,
    ...(parallel !== undefined && isOpen('parallel') && { parallel }),
    ...(runs !== undefined && isOpen('runs') && { runs }),
    ...(suite?.options?.failFast !== undefined &&
      isOpen('fail_fast') && { fail_fast: suite.options.failFast }),
    ...(suite?.options?.gates !== undefined && isOpen('gates') && { gates: suite.options.gates }),
    ...(setUp !== undefined && isOpen('before_all') && { before_all: setUp }),
    ...(tearDown !== undefined && isOpen('after_all') && { after_all: tearDown }),
  };
}

/** `auto` if a test has it: the others then have a number of their own. */
function mostRuns(all: readonly (number | 'auto')[]): number | 'auto' | undefined {
  if (all.length === 0) return undefined;
  return all.includes('auto') ? 'auto' : Math.max(...all.map(Number));
}

/** Every input of a test with every combination of its variables. */
function crossed(
  test: Defined<TestDefinition>,
  found: readonly { source: InputSource; label: string }[],
  combinations: readonly Combination[],
  options: DefinitionRunOptions & { runs: number | 'auto' },
): InputSource[] {
  return combinations.flatMap((combination) =>
    found.map(({ source, label }) => {
      const test_id = found.length === 1 ? test.id : `${test.id}/${label}`;
      return Object.assign({}, source, {
        test: sourceTest(test, test_id, options),
        variables: combination.variables,
      });
    }),
  );
}

function sourceTest(
  test: Defined<TestDefinition>,
  test_id: string,
  options: DefinitionRunOptions & { runs: number | 'auto' },
): SourceTest {
  const isOpen = (name: (typeof FROM_DEFINITIONS)[number]): boolean => !isTyped(name, options);
  const { timeout, parallel } = test.options ?? {};
  const runs = isOpen('runs') ? (test.options?.runs ?? options.settings.runs) : options.runs;
  return {
    id: test.id,
    test_id,
    ...(test.agent !== undefined && isOpen('name') && { agent: agentOf(test.agent, test.folder) }),
    ...(runs !== options.runs && runs !== 'auto' && { runs }),
    ...(timeout !== undefined && isOpen('timeout_ms') && { timeout_ms: parseDuration(timeout) }),
    ...(parallel !== undefined && isOpen('parallel') && { parallel }),
    ...(test.tags !== undefined && { tags: test.tags }),
  };
}

/** All values that each variable was given, over all tests. */
function matrixOf(all: readonly TestCombinations[]): StartEvent['matrix'] {
  const values = new Map<string, Set<unknown>>();
  for (const { matrix } of all) {
    for (const [name, list] of Object.entries(matrix)) {
      const known = values.get(name) ?? new Set();
      for (const value of list) known.add(value);
      values.set(name, known);
    }
  }
  return values.size === 0
    ? undefined
    : Object.fromEntries([...values].map(([name, known]) => [name, [...known]]));
}

/** A definition as its file has it. */
export function plain<T>({
  at: _at,
  folder: _folder,
  file: _file,
  caseLines: _lines,
  ...definition
}: Defined<T>): T {
  // The fields that reading added are removed again.
  return definition as T;
}

/** Shuffles; the same start value gives the same order. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  let state = seed;
  const random = (): number => {
    // mulberry32: small, and good enough to mix a list.
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const keyed = items.map((item) => ({ item, key: random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}
