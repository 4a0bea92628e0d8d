// Sources of cases in, checked inputs out: every agent found, every case file read once as a whole.

import { createHash } from 'node:crypto';
import { dirname, relative, resolve } from 'node:path';
import { callsModel } from '../../agents/calls-model.ts';
import { resolveAgent } from '../../agents/resolve/resolve.ts';
import type { ResolvedAgent } from '../../agents/resolve/resolve.ts';
import { collectProblems } from '../../errors.ts';
import type { Problem } from '../../errors.ts';
import type { HttpRun } from '../../model/agent.ts';
import type { InputOrigin } from '../../model/event.ts';
import type { Subject } from '../../model/subject.ts';
import { nearest } from '../../text/nearest.ts';
import { quote } from '../../text/quote.ts';
import type { PreparedInput, PrepareInput, PrepareOptions } from '../kind.ts';
import type { TestBinding } from '../test-binding.ts';
import { choosesConnector, fillAgent } from '../test-binding.ts';
import type { CheckedInput } from './cases/check-input.ts';
import { checkInput } from './cases/check-input.ts';
import { baseOf, inputName } from './cases/objects.ts';
import { readCases, stampOf } from './cases/read-cases.ts';
import type { CheckedReferences } from './cases/check-references.ts';
import { checkReferences } from './cases/check-references.ts';
import type { ColumnMap } from './cases/formats/table.ts';
import { readMap } from './cases/column-map.ts';
import type { CaseReferences } from './cases/references.ts';
import type { CaseSource } from './source.ts';
import { isStdin, ownFile } from './source.ts';
import type { VariedNames } from '../../variables/varied-names.ts';

/** Checks agents and cases; problems of both go to `options.problems`. */
export async function prepareCases(
  inputs: readonly PrepareInput<CaseSource>[],
  options: PrepareOptions,
): Promise<(PreparedInput | undefined)[]> {
  const agents = new Map<string, ResolvedAgent>();
  const prepared: (PreparedInput | undefined)[] = [];
  const declared = new Set<string>();
  const map = readMap(options.settings.map, options.problems);
  const varied = await watchVaried(inputs);
  for (const { source, ...input } of inputs) {
    const isPiped = source.type === 'file' && isStdin(source, options.root);
    const marked = isPiped ? { ...source, stdin: true as const } : source;
    prepared.push(
      await prepareSource({ ...input, source: marked }, options, { agents, declared, map, varied }),
    );
  }
  addProblems(options.problems, undeclaredNames(inputs, declared));
  const unused = varied?.result(declared);
  addProblems(options.problems, unused?.problems ?? []);
  addNotes(prepared, unused?.notes ?? []);
  return prepared;
}

/** What the inputs of a run share while they are prepared. */
type Shared = {
  agents: Map<string, ResolvedAgent>;
  /** The names that cases declare as `vars`. */
  declared: Set<string>;
  map: ColumnMap | undefined;
  varied: VariedNames | undefined;
};

/** Loads nothing for the many runs without a matrix. */
async function watchVaried(inputs: readonly PrepareInput<CaseSource>[]): Promise<VariedNames | undefined> {
  // The type of a definition declares its variables.
  const free = inputs.filter(({ source }) => source.test === undefined);
  const names = free.flatMap(({ source }) => source.variables?.varied ?? []);
  if (names.length === 0) return undefined;
  const { watchVariedNames } = await import('../../variables/varied-names.ts');
  return watchVariedNames(names);
}

/** Hooks may call models, too. */
function isModelCaller({ definition: { run } }: ResolvedAgent): boolean {
  return run.type === 'assistant' && (callsModel(run) || run.hooks !== undefined);
}

/** The notes on the run as a whole stand with those on its first input. */
function addNotes(prepared: readonly (PreparedInput | undefined)[], notes: readonly string[]): void {
  const [first] = prepared;
  if (first === undefined || notes.length === 0) return;
  first.note = [...notes, ...(first.note === undefined ? [] : [first.note])].join('\n');
}

async function prepareSource(
  { source, target, index }: PrepareInput<CaseSource>,
  options: PrepareOptions,
  { agents, declared, map, varied }: Shared,
): Promise<PreparedInput | undefined> {
  const { root, cwd, select, problems } = options;
  const { variables, given } = source;

  const stamp = source.type === 'file' && variables !== undefined ? stampOf(source) : undefined;
  const checked = await checkInput(source, {
    root,
    cwd,
    map,
    variables,
    given,
    onCase: varied === undefined ? undefined : (value) => varied.takeCase(value),
    isInputOptional: options.recorded !== undefined,
    select: (testCase) => select(testCase, target),
  });
  const tested = await findAgents(source, checked, options, agents);
  addProblems(problems, checked.problems);
  for (const agent of tested.values()) varied?.takeAgent({ ...agent, callsModel: isModelCaller(agent) });
  for (const name of checked.declared) declared.add(name);
  const named = await checkNames(source, checked, tested, options);

  const [first] = tested.values();
  if (first === undefined || tested.size < Math.max(1, checked.references.size)) return undefined;
  const { test_id } = target;
  const { total, kept } = checked;
  const file = ownFile(source, cwd);
  const selection = selectionLine([...checked.references.values()]);
  const note = notesOn([...checked.references.values()], inputName(source, cwd));
  return {
    subject: subjectFor(tested.get(undefined) ?? first),
    ...subjectsOf(tested),
    base: baseOf(source, cwd),
    logged: loggedInput(source, checked.sha256, [...tested.values()], cwd),
    total,
    selected: checked.selected,
    files: [
      ...(file === undefined ? [] : [file]),
      ...checked.files,
      ...named.files,
      ...[...tested.values()].flatMap((agent) => agent.files),
    ],
    caseFiles:
      source.type === 'file' && source.generated === undefined ? [source.path, ...checked.files] : [],
    agentFiles: Object.fromEntries(
      [...tested.values()].map(({ definition, files }) => [definition.id, files]),
    ),
    judges: named.judges,
    secrets: [...named.secrets, ...[...tested.values()].flatMap((agent) => agent.secrets)],
    ...(selection !== undefined && { selectsAt: `${inputName(source, cwd)}:${String(selection)}` }),
    ...(note !== undefined && { note }),
    cases: () => readCases(source, { index, test_id, total, stamp, kept, cwd, map }),
  };
}

/** The line of the first case whose variants are compared. */
function selectionLine(all: readonly CaseReferences[]): number | undefined {
  const lines = all.flatMap(({ selection }) => selection ?? []);
  return lines.length === 0 ? undefined : Math.min(...lines);
}

/** What someone may not have meant. */
function notesOn(all: readonly CaseReferences[], name: string): string | undefined {
  const notes = [expectedNote(all, name), unfilledNote(all, name), uncheckedNote(all, name)].filter(
    (note) => note !== undefined,
  );
  return notes.length === 0 ? undefined : notes.join('\n');
}

const TABLE = /\.(?:csv|tsv|parquet)$/;

/** In a table, the right answer is easily in a column that is not called "expected". */
function uncheckedNote(all: readonly CaseReferences[], name: string): string | undefined {
  const count = all.reduce((sum, { unchecked }) => sum + unchecked, 0);
  if (count === 0 || !TABLE.test(name)) return undefined;
  const cases = count === 1 ? '1 case has' : `${count} cases have`;
  return `${name}: ${cases} neither "expected" nor "assert", so any answer passes; if a column has the right answer: --map <column>=expected`;
}

/** A case with `vars` has an error instead. */
function unfilledNote(all: readonly CaseReferences[], name: string): string | undefined {
  const found = all.map(({ unfilled }) => unfilled).filter(({ count }) => count > 0);
  if (found.length === 0) return undefined;
  const count = found.reduce((sum, one) => sum + one.count, 0);
  const others = count === 1 ? '' : `; ${count} cases of the file are like this`;
  const line = Math.min(...found.map((one) => one.line));
  return `${name}:${line}: the input has a {{name}} that is sent as it is, because the case has no "vars"${others}`;
}

/** Says that `assert` takes precedence over `expected`, where someone may rely on both. */
function expectedNote(all: readonly CaseReferences[], name: string): string | undefined {
  const unused = all.map(({ unusedExpected }) => unusedExpected).filter(({ count }) => count > 0);
  if (unused.length === 0) return undefined;
  const count = unused.reduce((sum, one) => sum + one.count, 0);
  const line = Math.min(...unused.map((one) => one.line));
  const others = count === 1 ? '' : `; ${count} cases of the file are like this`;
  return `${name}:${line}: no assertion of the case uses its "expected"; "assert" takes precedence${others}`;
}

/** The agents of an input: the one of `-n` or of its folder, and those that cases name. */
type TestedAgents = Map<string | undefined, ResolvedAgent>;

/** Finds an agent for every name that cases use; one that is typed with `-n` is that of all cases. */
async function findAgents(
  source: CaseSource & TestBinding,
  { references }: CheckedInput,
  options: PrepareOptions,
  known: Map<string, ResolvedAgent>,
): Promise<TestedAgents> {
  const names = [...references.keys()];
  // Without a case that could be read there is still an agent to check.
  const wanted = names.length === 0 ? [undefined] : names;
  const { recorded } = options;
  if (recorded !== undefined) return new Map(wanted.map((name) => [name, recorded]));
  const tested: TestedAgents = new Map();
  for (const name of wanted) {
    const isTyped =
      options.isNameTyped === true || options.agent !== undefined || source.variables?.agent !== undefined;
    const own = isTyped ? undefined : name;
    const found: Problem[] = [];
    const resolved = await collectProblems(found, () => findAgent(source, own, options, known));
    if (own !== undefined)
      for (const problem of found)
        problem.at = `${inputName(source, options.cwd)}:${String(references.get(own)?.line ?? 1)}`;
    addProblems(options.problems, found);
    const agent = resolved === undefined ? undefined : await fillVariables(resolved, source, options);
    if (agent !== undefined) tested.set(name, agent);
  }
  return tested;
}

/** Checks what cases name, for the agent that each of them is for. */
async function checkNames(
  source: CaseSource,
  { references }: CheckedInput,
  tested: TestedAgents,
  options: PrepareOptions,
): Promise<Omit<CheckedReferences, 'problems'>> {
  const { cwd } = options;
  const all = { files: new Set<string>(), judges: new Set<string>(), secrets: new Set<string>() };
  for (const [name, own] of references) {
    const place = { source: inputName(source, cwd), base: baseOf(source, cwd) };
    // Hooks run around an agent, so that those of a recorded one are not needed.
    const agent = options.recorded === undefined ? tested.get(name)?.definition : undefined;
    const checked = await checkReferences(own, { ...options, ...place, agent });
    addProblems(options.problems, checked.problems);
    for (const key of ['files', 'judges', 'secrets'] as const)
      for (const one of checked[key]) all[key].add(one);
  }
  return { files: [...all.files], judges: [...all.judges], secrets: [...all.secrets] };
}

function subjectFor({ definition }: ResolvedAgent): Subject {
  return { kind: 'agent-eval', ...definition };
}

/** Only if there is more than one; most runs have one agent. */
function subjectsOf(tested: TestedAgents): Pick<PreparedInput, 'subjects'> {
  const named = [...tested].filter(([name]) => name !== undefined);
  if (named.length === 0) return {};
  return { subjects: Object.fromEntries(named.map(([name, agent]) => [String(name), subjectFor(agent)])) };
}

/** Values of the run for names that no case declares are typing mistakes. */
function undeclaredNames(
  inputs: readonly PrepareInput<CaseSource>[],
  declared: ReadonlySet<string>,
): Problem[] {
  const names = new Set(
    inputs.flatMap(({ source: { given = {}, variables } }) =>
      Object.keys(given).filter((name) => variables?.varied?.includes(name) !== true),
    ),
  );
  return [...names]
    .filter((name) => !declared.has(name))
    .map((name) => {
      const known = [...declared];
      const near = nearest(name, known);
      const all =
        known.length === 0 ? 'no case has "vars"' : `the cases have ${known.slice(0, 20).join(', ')}`;
      return {
        message: `no case declares the variable ${name}`,
        at: '--var',
        hint: near.length > 0 ? `did you mean ${near.join(', ')}?` : all,
      };
    });
}

function loggedInput(
  source: CaseSource,
  sha256: string,
  agents: readonly ResolvedAgent[],
  cwd: string,
): InputOrigin {
  const agent = agentOrigin(agents);
  if (source.type === 'message') return { type: 'message', message: source.message, ...agent };
  const file = { path: relative(cwd, source.path), sha256, ...agent };
  if (source.type === 'cases') return { type: 'cases', ...file };
  const { generated } = source;
  return { type: 'file', ...file, ...(generated !== undefined && { generated }) };
}

/** Several agents of one file have one hash, which changes if one of theirs does. */
function agentOrigin(agents: readonly ResolvedAgent[]): { agent_id: string; agent_sha256: string } {
  const [only, ...others] = agents;
  if (only !== undefined && others.length === 0)
    return { agent_id: only.definition.id, agent_sha256: only.sha256 };
  const hash = createHash('sha256');
  for (const { sha256 } of agents) hash.update(sha256);
  const ids = [...new Set(agents.map(({ definition }) => definition.id))];
  return { agent_id: ids.join(', '), agent_sha256: hash.digest('hex') };
}

async function findAgent(
  source: CaseSource & TestBinding,
  own: string | undefined,
  { settings, cwd, root, env, agent: byValue }: PrepareOptions,
  known: Map<string, ResolvedAgent>,
): Promise<ResolvedAgent> {
  if (byValue !== undefined) {
    const { resolveGivenAgent } = await import('../../agents/resolve/resolve-given.ts');
    const { connector } = settings;
    return resolveGivenAgent(byValue, { root, cwd, env, connector });
  }
  const from = ownFile(source, cwd) ?? cwd;
  const given = source.variables?.agent ?? source.test?.agent ?? settings.name;
  const name = own === undefined ? given : besideFile(own, baseOf(source, cwd));
  const { connector } = settings;
  const isChosen = source.variables !== undefined && choosesConnector(source.variables);
  const isConnectorChosen = connector !== undefined || isChosen;
  const key = `${String(isConnectorChosen)} ${name ?? dirname(from)}`;
  const agent =
    known.get(key) ?? (await resolveAgent({ from, root, cwd, env, name, connector, isConnectorChosen }));
  known.set(key, agent);
  return agent;
}

/** A path in a case file starts from the folder of that file. */
function besideFile(agent: string, folder: string): string {
  return /^\.{1,2}[/\\]/.test(agent) ? resolve(folder, agent) : agent;
}

/** The agent with its variables filled in; the connector that they choose must exist. */
async function fillVariables(
  agent: ResolvedAgent,
  { variables }: TestBinding,
  { root, cwd, env, problems, isConnectorTyped = false }: PrepareOptions,
): Promise<ResolvedAgent> {
  if (variables === undefined) return agent;
  const filled = fillAgent(agent.definition, variables);
  if (filled.value.chosen?.connector !== undefined && !isConnectorTyped) delete filled.value.forced_connector;
  addProblems(problems, filled.problems);

  const { id: agentId, run, connector, chosen, defaults } = filled.value;
  const request = run.type === 'http' ? run.http : run.type === 'a2a' ? run.a2a : undefined;
  if (request !== undefined)
    for (const message of requestProblems(request))
      problems.push({ message: `agent ${agentId}: ${message}` });

  const found = { files: [...agent.files], secrets: [...agent.secrets] };
  const ids = [chosen?.connector ?? defaults?.connector];
  if (connector !== agent.definition.connector) ids.push(connector);
  if (run.type !== 'assistant') return { ...agent, definition: filled.value, ...found };
  for (const id of ids) {
    if (id === undefined) continue;
    const { findConnector } = await import('../../connectors/find-connector.ts');
    const own: Problem[] = [];
    const checked = await collectProblems(own, () =>
      findConnector(id, { root, env, cwd, folder: run.folder }),
    );
    addProblems(problems, own);
    found.files.push(...(checked?.files ?? []));
    found.secrets.push(...(checked?.secrets ?? []));
  }
  return { ...agent, definition: filled.value, ...found };
}

/** Checks a request after its variables are filled in. */
function requestProblems({ url, headers = {} }: Pick<HttpRun, 'headers' | 'url'>): string[] {
  const problems: string[] = [];
  if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
    problems.push(`${quote(url)} is not an address`);
  for (const [name, value] of Object.entries(headers)) {
    if (!isHeader(name, value)) problems.push(`the header ${name} cannot have this value`);
  }
  return problems;
}

function isHeader(name: string, value: string): boolean {
  try {
    return new Headers([[name, value]]).has(name);
  } catch {
    return false;
  }
}

/** Two inputs may have the same problem, such as an agent that does not exist; it is reported once. */
function addProblems(problems: Problem[], more: readonly Problem[]): void {
  for (const problem of more) {
    const isKnown = problems.some(({ message, at }) => message === problem.message && at === problem.at);
    if (!isKnown) problems.push(problem);
  }
}
