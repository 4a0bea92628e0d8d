// Collects the references of cases: files, scripts, agents, connectors, hooks.

import type { FilePlace } from '../messages.ts';
import { findSource, messagesOf, namesFile, partsOf } from '../messages.ts';
import { usesExpected } from '../../../judge/expected.ts';
import { collectReferences } from '../../../judge/references.ts';
import { listSelections } from '../list-selections.ts';
import { transformFunction } from '../../../judge/transform.ts';
import type { Assertion, CaseInput, ContentPart, TestCase } from '../../../model/case.ts';
import { isConversation } from '../../../model/case.ts';

const NONE: readonly string[] = [];
const MAX_KNOWN = 10_000;

/** Checks that the files which inputs name can be used. */
export type FileCheck = { check(input: CaseInput): readonly string[] };

/** Everything that the cases of an input name, with the line that names it first. */
export type CaseReferences = {
  /** The line of the first of these cases. */
  line?: number;
  scripts: Map<string, number>;
  /** Programs that judge, with their arguments as JSON. */
  commands: Map<string, number>;
  /** Judges and simulators. */
  agents: Map<string, number>;
  /** For the agent under test, which may have connectors of its own. */
  ownConnectors: Map<string, number>;
  /** For judges and simulators. */
  connectors: Map<string, number>;
  /** For vectors of texts. */
  embedders: Map<string, number>;
  /** Functions of `before` and `after`. */
  hooks: Map<string, number>;
  /** The line of the first case whose variants are compared. */
  selection?: number;
  /** True as soon as one case does not say which connector to use. */
  needsConnector: boolean;
  /** Cases with a `{{name}}` that nothing fills in, and the line of the first. */
  unfilled: { count: number; line: number };
  /** Cases whose assertions do not use their `expected`, and the line of the first. */
  unusedExpected: { count: number; line: number };
  /** Cases that say nothing about the right answer. */
  unchecked: number;
};

export function createReferences(): CaseReferences {
  return {
    scripts: new Map(),
    commands: new Map(),
    agents: new Map(),
    ownConnectors: new Map(),
    connectors: new Map(),
    embedders: new Map(),
    hooks: new Map(),
    needsConnector: false,
    unfilled: { count: 0, line: 0 },
    unusedExpected: { count: 0, line: 0 },
    unchecked: 0,
  };
}

/** Creates the check for the cases of one file; every source is looked at once. */
export function createFileCheck(place: FilePlace): FileCheck {
  const known = new Map<string, string | undefined>();

  return {
    check(input) {
      if (typeof input === 'string') return NONE;
      return messagesOf(input).flatMap((message) => partsOf(message).flatMap(problemsOf));
    },
  };

  function problemsOf(part: ContentPart): readonly string[] {
    if (!namesFile(part)) return NONE;
    if (!known.has(part.source)) {
      if (known.size >= MAX_KNOWN) known.clear();
      const found = findSource(part.source, place);
      known.set(part.source, 'problem' in found ? found.problem : undefined);
    }
    const problem = known.get(part.source);
    return problem === undefined ? NONE : [problem];
  }
}

/** Adds what a case names. A million cases go through here: most name nothing. */
export function addReferences(all: CaseReferences, testCase: TestCase, line: number): void {
  const { assert, expected, options, before, after, simulator } = testCase;
  all.line ??= line;
  const { input, vars } = testCase;
  if (typeof input === 'string' && input.includes('{{') && vars === undefined && PLACEHOLDER.test(input)) {
    all.unfilled.count += 1;
    all.unfilled.line ||= line;
  }
  if (
    expected !== undefined &&
    assert !== undefined &&
    !usesExpected(assert) &&
    !isStated(assert, expected)
  ) {
    all.unusedExpected.count += 1;
    all.unusedExpected.line ||= line;
  }
  if (expected === undefined && assert === undefined && !isConversation(testCase)) all.unchecked += 1;
  if (before !== undefined) add(all.hooks, before, line);
  if (after !== undefined) add(all.hooks, after, line);
  const connector = options?.['connector'];
  if (typeof connector === 'string') add(all.ownConnectors, connector, line);
  else all.needsConnector = true;
  if (simulator !== undefined) {
    add(all.agents, simulator.use, line);
    const { connector: chosen } = simulator.options ?? {};
    if (typeof chosen === 'string') add(all.connectors, chosen, line);
  }
  const transform = transformFunction(testCase.transform);
  if (transform !== undefined) add(all.scripts, transform, line);
  addAssertions(all, assert, line);
  if (all.selection === undefined && listSelections(testCase).length > 0) all.selection = line;
  for (const checkpoint of testCase.checkpoints ?? NOTHING) addAssertions(all, checkpoint.assert, line);
  for (const turn of testCase.turns ?? NOTHING) addAssertions(all, turn.assert, line);
}

/** True if an assertion compares with the same value. */
function isStated(assert: Assertion | Assertion[], expected: unknown): boolean {
  const wanted = JSON.stringify(expected);
  return [assert].flat().some(({ type, value }) => type === 'equals' && JSON.stringify(value) === wanted);
}

/** As `vars` and `--var` fill it in. */
const PLACEHOLDER = /(?<!\\)\{\{\s*[A-Za-z_]\w*\s*\}\}/;

const NOTHING: readonly never[] = [];
const POINTING = new Set(['agent', 'all_of', 'any_of', 'command', 'script', 'select_best', 'similar']);

function addAssertions(all: CaseReferences, assert: Assertion | Assertion[] | undefined, line: number): void {
  if (assert === undefined) return;
  const assertions = Array.isArray(assert) ? assert : [assert];
  if (!assertions.some(({ type, transform }) => transform !== undefined || POINTING.has(type))) return;
  const { agents, commands, connectors, embedders, scripts } = collectReferences(assertions);
  for (const agent of agents) add(all.agents, agent, line);
  for (const connector of connectors) add(all.connectors, connector, line);
  for (const embedder of embedders) add(all.embedders, embedder, line);
  for (const script of scripts) add(all.scripts, script, line);
  for (const command of commands) add(all.commands, command, line);
}

function add(known: Map<string, number>, name: string, line: number): void {
  if (!known.has(name)) known.set(name, line);
}
