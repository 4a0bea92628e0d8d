// Inputs in, a checked run out: every kind prepares its own inputs, and all problems are reported together.

import { collectProblems, ConfigError } from '../../errors.ts';
import type { Problem } from '../../errors.ts';
import type { Kind, PreparedInput, PrepareInput, PrepareOptions, TargetBase } from '../../kinds/kind.ts';
import type { InputSource } from '../../kinds/registry.ts';
import { KINDS } from '../../kinds/registry.ts';
import { targetVariables } from '../../kinds/test-binding.ts';
import type { SourceTest } from '../../kinds/test-binding.ts';
import type { Target } from '../../model/attempt.ts';
import type { LoadedCase } from '../../model/case.ts';
import type { ContextFile } from '../../model/context.ts';
import type { LoggedInput } from '../../model/event.ts';
import { inputKind } from '../../model/subject.ts';
import { readContextFile } from './context-file.ts';

export type PrepareRunOptions = Omit<PrepareOptions, 'isWholeRun' | 'problems'> & {
  sources: readonly InputSource[];
  kinds?: readonly Kind[];
};

/** A run that is known to be sound, ready to be planned. */
export type Prepared = {
  targets: Target[];
  inputs: LoggedInput[];
  context: ContextFile;
  /** Selected cases, and how many attempts they are. */
  total: number;
  attempts: number;
  secrets: string[];
  /** Files whose change makes watch mode run again. */
  files: string[];
  /** Those of them that hold cases and nothing else. */
  caseFiles: string[];
  /** Those of them that each agent consists of, by its id. */
  agentFiles: ReadonlyMap<string, readonly string[]>;
  /** Those of them that judge answers. */
  judges: string[];
  /** The place of the first case whose variants are compared after the run. */
  selectsAt?: string | undefined;
  /** The files that script tests are made of, by the test's name. */
  reach: ReadonlyMap<string, readonly string[]>;
  /** Folders in which new files of tests may turn up. */
  folders: string[];
  /** Notes to show before the run. */
  notes: string[];
  cases(): AsyncGenerator<LoadedCase[]>;
};

/** Checks everything before anything runs; throws one ConfigError with all problems. */
export async function prepareRun(options: PrepareRunOptions): Promise<Prepared> {
  const { settings, cwd, sources } = options;
  const problems: Problem[] = [];
  const prepared = await prepareInputs(options, problems);
  const { ctx } = settings;
  const context =
    ctx === undefined ? {} : await collectProblems(problems, () => readContextFile(ctx, { cwd }));
  if (problems.length > 0) throw ConfigError.of(problems);

  const run = joinInputs(prepared, settings.runs);
  if (run.total === 0) {
    const found = prepared.reduce((sum, { input }) => sum + input.total, 0);
    throw new NothingSelected(`none of the ${String(found)} cases is selected`, {
      hint: sources.some(({ variables }) => variables !== undefined) ? OTHER_VALUES : NOTHING_SELECTED,
    });
  }
  return { ...run, context: context ?? {} };
}

/** All cases are sound, and none of them is wanted. */
export class NothingSelected extends ConfigError {}

/** A prepared input, what was known about it before, and its place among the inputs of the run. */
type Joined = { input: PreparedInput; source: InputSource; target: TargetBase; index: number };

/** Lets every kind prepare its inputs, and gives them in the order of the run. */
async function prepareInputs(
  { sources, kinds = KINDS, ...options }: PrepareRunOptions,
  problems: Problem[],
): Promise<Joined[]> {
  const all: Joined[] = [];
  for (const kind of kinds) {
    const inputs = inputsOf(kind, sources, options);
    const isWholeRun = inputs.length === sources.length;
    const prepared = await kind.prepare(inputs, { ...options, problems, isWholeRun });
    for (const [position, { source, target, index }] of inputs.entries()) {
      const input = prepared[position];
      if (input !== undefined) all.push({ input, source, target, index });
    }
  }
  return all.sort((a, b) => a.index - b.index);
}

/** The sources of a kind with what is known about their targets. */
function inputsOf(
  kind: Kind,
  sources: readonly InputSource[],
  { root, settings }: Pick<PrepareOptions, 'root' | 'settings'>,
): PrepareInput<InputSource>[] {
  const own = [...sources.entries()].filter(([, source]) => inputKind(source) === kind.id);
  const unnamed = own.map(([, source]) => source).filter(({ test }) => test === undefined);
  // All combinations of an input are the same test.
  const originals = [...new Map(unnamed.map((source) => [source.original ?? source, source])).values()];
  const testIds = new Map(
    kind.testIds(originals, root).map((id, index) => [originals[index]?.original ?? originals[index], id]),
  );
  return own.map(([index, source]) => {
    const { test, variables } = source;
    const target: TargetBase = {
      test_id: test?.test_id ?? testIds.get(source.original ?? source) ?? '',
      root,
      timeout_ms: settings.timeout_ms ?? kind.defaults.timeout_ms,
      ...wishesOf(test),
      ...targetVariables(variables),
      ...(kind.prefersContextFile === true && { prefersContextFile: true }),
    };
    return { source, target, index };
  });
}

/** Adds up what the inputs are and need. */
function joinInputs(all: readonly Joined[], runs: number): Omit<Prepared, 'context'> {
  const targets: Target[] = [];
  const reach = new Map<string, readonly string[]>();
  let total = 0;
  let attempts = 0;
  for (const { input, source, target, index } of all) {
    const { subject, subjects, base, selected, name, files } = input;
    targets[index] = { ...target, subject, ...(subjects !== undefined && { subjects }), base };
    total += selected;
    attempts += selected * (source.test?.runs ?? runs);
    if (name !== undefined) reach.set(name, files);
  }
  const inputs = all.map(({ input }) => input);
  return {
    targets,
    inputs: all.map(({ input, source, target }) => ({ ...input.logged, ...loggedTest(source, target) })),
    total,
    attempts,
    secrets: distinct(inputs.flatMap(({ secrets = [] }) => secrets)),
    files: distinct(inputs.flatMap(({ files }) => files)),
    caseFiles: distinct(inputs.flatMap(({ caseFiles = [] }) => caseFiles)),
    agentFiles: new Map(inputs.flatMap(({ agentFiles = {} }) => Object.entries(agentFiles))),
    selectsAt: inputs.find((input) => input.selectsAt !== undefined)?.selectsAt,
    judges: distinct(inputs.flatMap(({ judges = [] }) => judges)),
    reach,
    folders: distinct(inputs.flatMap(({ folder }) => folder ?? [])),
    notes: distinct(inputs.flatMap(({ note }) => note?.split('\n') ?? [])),
    async *cases() {
      for (const input of inputs) yield* input.cases();
    },
  };
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

const NOTHING_SELECTED = 'check --run, --tag and --failed; --dry-run lists what would run';
const OTHER_VALUES = 'check --run, --tag and --failed, which means the same values of variables';

/** The settings of a target that come from the definition of its test. */
function wishesOf({ id, runs, timeout_ms, parallel, tags }: Partial<SourceTest> = {}): Partial<Target> {
  return {
    ...(id !== undefined && { test: id }),
    ...(runs !== undefined && { runs }),
    ...(timeout_ms !== undefined && { timeout_ms }),
    ...(parallel !== undefined && { parallel }),
    ...(tags !== undefined && { tags }),
  };
}

/** The part of the definition that the log keeps. */
function loggedTest(
  { test, variables, original }: InputSource,
  { test_id }: TargetBase,
): Pick<LoggedInput, 'resolved_variables' | 'runs' | 'test' | 'test_id'> {
  return {
    ...(test !== undefined && { test: test.id, test_id: test.test_id }),
    // Tells that the combinations of an input are one test.
    ...(test === undefined && original !== undefined && { test_id }),
    ...(test?.runs !== undefined && { runs: test.runs }),
    ...(variables !== undefined && { resolved_variables: variables.resolved }),
  };
}
