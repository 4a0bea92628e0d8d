// The interface of a kind of test. A kind recognises its inputs, finds and prepares their tests, and opens the pool that
// runs them. Only the folder of a kind knows more about it.

import { availableParallelism } from 'node:os';
import type { GivenAgent } from '../agents/resolve/resolve-given.ts';
import type { ResolvedAgent } from '../agents/resolve/resolve.ts';
import type { Problem } from '../errors.ts';
import type { PoolOptions, TestPool } from '../execute/pool-options.ts';
import type { Attempt, Target } from '../model/attempt.ts';
import type { LoadedCase, TestCase } from '../model/case.ts';
import type { InputOrigin, LoggedInput } from '../model/event.ts';
import type { Sink } from '../model/sink.ts';
import type { KindId, Subject } from '../model/subject.ts';
import type { TestBinding } from './test-binding.ts';

/** A test that was found; its type is one of the input types of the log. */
type Source = { type: string };

/** A test that is known by its name, as the kinds with names find them. */
export type NamedSource = Source & { name: string; file?: string; path?: string };

/** A value of `-i` that names tests of a kind, perhaps many of them. */
export type TestPattern = {
  type: 'pattern';
  kind: KindId;
  value: string;
  /** If the value is the path of a test file, or matches it. */
  path?: string;
  /** The absolute pattern that matches the path. */
  glob?: string;
};

export type Kind<Found extends Source = Source, Tested extends Subject = Subject> = {
  /** The name in logs and in the definitions of test types. */
  id: Tested['kind'];
  /** The noun that `--dry-run` counts. */
  noun: string;
  /** The limits of a run that sets none. */
  defaults: { timeout_ms: number; parallel: number | 'cores' };
  /** The unit that runs in parallel, if it is not a single test. */
  parallelUnit?: string;
  /** User and team of the context file win over `-u` and `-t`. */
  prefersContextFile?: true;
  /** Cases have an input, which results show and which `--dry-run -o` can save. */
  hasInput?: true;
  /** Which values of `-i` name tests of this kind; a kind without it takes what no other kind recognises. */
  recognises?: {
    file: RegExp;
    name: RegExp;
    /** A pattern of its test files, for the hint about a folder that has only those. */
    files?: string;
    /** How to see all tests of the kind, for someone who names a file that does not exist. */
    hint?: string;
  };
  /** Finds the tests that match a pattern; throws ConfigError if no test matches. */
  find?(pattern: TestPattern, options: FindOptions): Promise<NamedSource[]>;
  /** The application root if only tests of this kind mark it. */
  findRoot?(cwd: string): Promise<string>;
  /** The `test_id` of each source that has no definition, the same on every machine. */
  testIds(sources: readonly Found[], root: string): string[];
  /** Checks sources and makes them ready to run; a source with a problem may have no entry. */
  prepare(
    inputs: readonly PrepareInput<Found>[],
    options: PrepareOptions,
  ): Promise<(PreparedInput | undefined)[]>;
  /** Opens the pool that runs the attempts of the kind. */
  openPool(options: PoolOptions): TestPool<Tested>;
  /** The words of `--dry-run` about an attempt. */
  describe(attempt: Attempt<Tested>): PlannedTest;
  /** The value of `-i` that leads to a logged input again. */
  typedAs(input: LoggedInput): string | undefined;
  /** The changes between a logged input and the same input now, each with its location. */
  changes(before: LoggedInput, now: LoggedInput | undefined): Problem[];
  /** Listens to the events of a run that has tests of the kind. */
  openSink?(root: string): Sink;
};

export type FindOptions = {
  root: string;
  cwd: string;
  settings: { require_tests: boolean };
  warn: (text: string) => void;
};

/** A target before its source is prepared. */
export type TargetBase = Omit<Target, 'base' | 'subject'>;

export type PrepareInput<Found> = { source: Found & TestBinding; target: TargetBase; index: number };

export type PrepareOptions = {
  settings: {
    allow_empty: boolean;
    connector?: string;
    ctx?: string;
    map?: readonly string[];
    name?: string;
    require_tests: boolean;
    runs: number;
    timeout_ms?: number;
  };
  cwd: string;
  root: string;
  env: Record<string, string | undefined>;
  /** `-c` was typed: then it wins over variables, too. */
  isConnectorTyped?: boolean;
  /** The agent of all cases, if a program gives it by value. */
  agent?: GivenAgent;
  /** `-n` was typed: then it wins over the agents that cases name. */
  isNameTyped?: boolean;
  select: (testCase: TestCase, origin: TargetBase) => boolean;
  /** The agent whose recorded answers are judged. No agent is looked for then, and cases may lack an input. */
  recorded?: ResolvedAgent | undefined;
  /** The run has no other inputs, so it is pointless if none of these can be tested. */
  isWholeRun: boolean;
  /** Takes what is wrong. */
  problems: Problem[];
};

/** A source that is ready to run. */
export type PreparedInput = {
  subject: Subject;
  /** Those of cases that name their own, by that name. */
  subjects?: Record<string, Subject>;
  /** Folder that relative file sources start from. */
  base: string;
  logged: InputOrigin;
  /** Its cases, and how many of them are selected. */
  total: number;
  selected: number;
  /** Watch mode runs the source again when one of these changes. */
  files: readonly string[];
  /** Those of them that hold cases and nothing else. */
  caseFiles?: readonly string[];
  /** Those of them that each agent consists of, by its id. */
  agentFiles?: Readonly<Record<string, readonly string[]>>;
  /** Those of them that judge answers, or run around the cases: scripts, hooks, judging agents. */
  judges?: readonly string[];
  /** The place of the first case whose variants are compared after the run. */
  selectsAt?: string;
  secrets?: readonly string[];
  /** The name under which watch mode can run this source alone. */
  name?: string;
  /** A folder in which new tests may turn up. */
  folder?: string;
  /** A note to show before the run. */
  note?: string;
  cases(): AsyncIterable<LoadedCase[]> | Iterable<LoadedCase[]>;
};

/** A test in the plan that `--dry-run` shows. */
export type PlannedTest = {
  /** The subject in words: `agent expense`, a file or a name. */
  what: string;
  file?: string;
  /** Why it does not run. */
  skipped?: string;
};

/** How many attempts of a kind run at the same time. */
export function parallelOf({ defaults }: Pick<Kind, 'defaults'>, parallel: number | undefined): number {
  return parallel ?? (defaults.parallel === 'cores' ? availableParallelism() : defaults.parallel);
}
