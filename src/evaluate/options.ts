// The options of `evaluate`, and the flags that they stand for.

import type { RunValues } from '../application/options/options.ts';
import { optionsOf } from '../application/options/options.ts';
import type { Problem } from '../errors.ts';
import { ConfigError } from '../errors.ts';
import { isObject } from '../json/is-object.ts';
import type { ResultEvent } from '../model/event.ts';
import type { Message, TestCase } from '../model/case.ts';
import type { TestVariableValue } from '../model/variables.ts';
import type { UserContext } from '../scripts/user-context.ts';
import type { TestFlags } from '../run/request.ts';
import { didYouMean } from '../text/nearest.ts';
import { quote } from '../text/quote.ts';

/** A function that is an agent: messages in, answer out. */
export type AgentFunction = (messages: Message[], context: UserContext) => unknown;

/** An agent as data, with the fields of a package.yao. */
export type AgentSpec = {
  /** The name in reports. */
  id?: string;
  name?: string;
  description?: string;
  connector?: string;
  options?: Record<string, unknown>;
  run:
    | { http: { url: string; [field: string]: unknown } }
    | { a2a: { url: string; headers?: Record<string, string> } }
    | { module: string }
    | { python: string }
    | { command: string[]; env?: Record<string, string> };
};

/** A case in code; one without `id` is known by its number: `case-1`. */
export type EvaluateCase = Omit<TestCase, 'id' | 'input'> & { id?: string; input?: TestCase['input'] };

/** The cases by value, or a path, a glob or a folder. */
export type EvaluateCases = string | Iterable<EvaluateCase> | AsyncIterable<EvaluateCase>;

/** Options of the command line that mean nothing here, or have another name. */
type LeftOut = 'history' | 'input' | 'name' | 'output' | 'reporter' | 'tag' | 'timeout' | 'verbose';

const LEFT_OUT: ReadonlySet<string> = new Set<LeftOut>([
  'history',
  'input',
  'name',
  'output',
  'reporter',
  'tag',
  'timeout',
  'verbose',
]);

/** All options of `assay test` that say how cases run have the same name here; docs/options.md describes them. */
export type EvaluateOptions = RunValues<LeftOut> & {
  /** A function, an agent of a framework, a definition, or what `-n` takes: path, URL or id. By default as on the command line. */
  agent?: AgentFunction | AgentSpec | object | string;
  cases: EvaluateCases;
  /** The name of cases by value, and that of a function, in reports. */
  name?: string;
  /** Where the agent runs: in a process of its own (default), or in this one, where nothing contains it and it could change verdicts. */
  isolation?: 'none' | 'process';
  /** Milliseconds, or a duration such as `30s`. */
  timeout?: number | string;
  /** Only cases with one of these tags. */
  tags?: string | string[];
  /** Values of variables. */
  variables?: Record<string, TestVariableValue>;
  /** Files to write: the log (`.jsonl`) and reports by their extension. */
  output?: string | string[];
  /** Keep the run in the history; false by default. */
  history?: boolean;
  /** The folder that paths start from; the working directory by default. */
  cwd?: string;
  /** Stops the run when it aborts: what runs is finished, the rest is skipped, and the report has the results so far. */
  signal?: AbortSignal;
  /** Called with every result of a run of a case as it comes. */
  onResult?: (result: ResultEvent) => void;
  /** Called with notes for people; by default they go to stderr. */
  onNote?: (text: string) => void;
};

/** The options as they were checked. */
export type CheckedOptions = {
  flags: TestFlags;
  isolation: 'none' | 'process';
  agent: AgentOption;
  cases: Exclude<EvaluateCases, string> | undefined;
  name: string | undefined;
  cwd: string;
  signal: AbortSignal | undefined;
  onResult: ((result: ResultEvent) => void) | undefined;
  onNote: (text: string) => void;
};

/** What the agent is. A value is a function, or an agent of a framework. */
type AgentOption =
  | { type: 'value'; value: object }
  | { type: 'definition'; value: Record<string, unknown> }
  | { type: 'named' };

type Check = { expected: string; is(value: unknown): boolean };

const TEXT: Check = { expected: 'a text that is not empty', is: isText };
const TEXTS: Check = {
  expected: 'a text or a list of texts',
  is: (value) => isText(value) || (Array.isArray(value) && value.every(isText)),
};
const FUNCTION: Check = { expected: 'a function', is: (value) => typeof value === 'function' };

/** The options that are not in the table of options. */
const OWN: Record<keyof Omit<EvaluateOptions, keyof RunValues<LeftOut>>, Check> = {
  agent: {
    expected: 'a function, an agent of a framework, a definition, a path, a URL or an id',
    is: (value) =>
      isText(value) || typeof value === 'function' || (typeof value === 'object' && value !== null),
  },
  cases: {
    expected: 'a list of cases, a path, or an iterable',
    is: (value) => isText(value) || isIterable(value),
  },
  name: TEXT,
  isolation: { expected: '"process" or "none"', is: (value) => value === 'process' || value === 'none' },
  timeout: {
    expected: 'milliseconds above 0, or a duration such as "30s"',
    is: (value) => isText(value) || (typeof value === 'number' && value > 0 && Number.isFinite(value)),
  },
  tags: TEXTS,
  variables: { expected: 'an object of values', is: isObject },
  output: TEXTS,
  history: { expected: 'true or false', is: (value) => typeof value === 'boolean' },
  cwd: TEXT,
  signal: { expected: 'an AbortSignal', is: (value) => value instanceof AbortSignal },
  onResult: FUNCTION,
  onNote: FUNCTION,
};

/** The rows of the table of options that are options here, by name. */
const ROWS = new Map(
  optionsOf('test')
    .filter(
      ({ attribute, flag, setting }) =>
        flag !== undefined && setting !== undefined && !LEFT_OUT.has(attribute),
    )
    .map((row) => [row.attribute, row]),
);
const NAMES = [...Object.keys(OWN), ...ROWS.keys()];

/** Words of the command line and of other libraries. */
const OTHER_NAMES: Record<string, string> = {
  concurrency: 'parallel',
  data: 'cases',
  input: 'cases',
  outputs: 'output',
  repeat: 'runs',
  tag: 'tags',
  task: 'agent',
  tests: 'cases',
  var: 'variables',
  vars: 'variables',
};

/** Throws ConfigError with everything that is wrong with the options. */
export function checkOptions(options: EvaluateOptions): CheckedOptions {
  if (!isObject(options))
    throw new ConfigError('evaluate takes an object of options', {
      hint: 'write evaluate({ agent, cases })',
    });
  const problems: Problem[] = [];
  const flags: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const own = Object.hasOwn(OWN, name) ? OWN[name as keyof typeof OWN] : undefined;
    const row = ROWS.get(name);
    if (own !== undefined) {
      if (!own.is(value)) problems.push({ message: `${name} must be ${own.expected}, not ${quote(value)}` });
    } else if (row?.setting !== undefined) {
      const parsed = row.setting.parse(value);
      if ('problem' in parsed) problems.push({ message: `${name} ${parsed.problem}` });
      else flags[name] = value;
    } else problems.push(unknownOption(name));
  }
  if (options.cases === undefined)
    problems.push({ message: 'cases is missing', hint: "write cases: 'cases.jsonl', or a list of cases" });
  if ([options.output ?? []].flat().includes('-'))
    problems.push({ message: 'output cannot be "-": stdout belongs to your program' });
  const agent = readAgent(options);
  if (agent.type === 'value' || options.isolation === 'none') problems.push(...tapeProblems(options));
  if (problems.length > 0) throw ConfigError.of(problems);
  return checked(options, agent, flags);
}

function checked(
  options: EvaluateOptions,
  agent: AgentOption,
  flags: Record<string, unknown>,
): CheckedOptions {
  const { cases, name, isolation = 'process', timeout, tags, variables, output = [], signal } = options;
  const { cwd = process.cwd(), history = options.store !== undefined, onResult, onNote = toStderr } = options;
  const all: TestFlags = {
    // The cast is safe: the parsers of the rows, which read text and values alike, have accepted them.
    ...(flags as TestFlags),
    ...(typeof cases === 'string' && { input: [cases] }),
    ...(typeof options.agent === 'string' && { name: options.agent }),
    ...(timeout !== undefined && { timeout: typeof timeout === 'number' ? `${String(timeout)}ms` : timeout }),
    ...(tags !== undefined && { tag: [tags].flat() }),
    output: [output].flat(),
    history,
    program: { ...(variables !== undefined && { values: variables }) },
  };
  const byValue = typeof cases === 'string' ? undefined : cases;
  return { flags: all, isolation, agent, cases: byValue, name, cwd, signal, onResult, onNote };
}

function readAgent({ agent }: EvaluateOptions): AgentOption {
  if (typeof agent === 'function') return { type: 'value', value: agent };
  if (typeof agent !== 'object' || agent === null) return { type: 'named' };
  const prototype: unknown = Object.getPrototypeOf(agent);
  const isPlain = prototype === Object.prototype || prototype === null;
  // Agents of frameworks are objects of classes, or have methods.
  const hasMethods = Object.values(agent).some((field) => typeof field === 'function');
  return isPlain && !hasMethods
    ? { type: 'definition', value: agent as Record<string, unknown> }
    : { type: 'value', value: agent };
}

function tapeProblems(options: EvaluateOptions): Problem[] {
  const names = (['cache', 'record', 'replay'] as const).filter(
    (name) => options[name] !== undefined && options[name] !== false,
  );
  return names.map((name) => ({
    message: `${name} needs an agent in a process of its own: its code must be loaded after recording has begun`,
    hint: 'give the path of a module with the agent as default export, and leave isolation out',
  }));
}

function unknownOption(name: string): Problem {
  const same = Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : undefined;
  const hint = same === undefined ? didYouMean(name, NAMES) : `did you mean "${same}"?`;
  return { message: `unknown option "${name}"`, hint: hint ?? 'docs/from-code.md lists the options' };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function isIterable(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && (Symbol.asyncIterator in value || Symbol.iterator in value)
  );
}

function toStderr(text: string): void {
  process.stderr.write(`${text}\n`);
}
