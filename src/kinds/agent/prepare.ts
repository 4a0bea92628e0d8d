// Sources of cases in, checked inputs out: every agent found, every case file read once as a whole.

import { dirname, relative } from 'node:path';
import { resolveAgent } from '../../agents/resolve/resolve.ts';
import type { ResolvedAgent } from '../../agents/resolve/resolve.ts';
import { collectProblems } from '../../errors.ts';
import type { Problem } from '../../errors.ts';
import type { HttpRun } from '../../model/agent.ts';
import type { InputOrigin } from '../../model/event.ts';
import { quote } from '../../text/quote.ts';
import type { PreparedInput, PrepareInput, PrepareOptions } from '../kind.ts';
import type { TestBinding } from '../test-binding.ts';
import { choosesConnector, fillAgent } from '../test-binding.ts';
import { baseOf, checkInput, inputName, readCases, stampOf } from './cases/cases.ts';
import { checkReferences } from './cases/check-references.ts';
import type { CaseSource } from './source.ts';
import { isStdin } from './source.ts';

/** Checks agents and cases; problems of both go to `options.problems`. */
export async function prepareCases(
  inputs: readonly PrepareInput<CaseSource>[],
  options: PrepareOptions,
): Promise<(PreparedInput | undefined)[]> {
  const agents = new Map<string, ResolvedAgent>();
  const prepared: (PreparedInput | undefined)[] = [];
  for (const { source, ...input } of inputs) {
    const isPiped = source.type === 'file' && isStdin(source, options.root);
    const marked = isPiped ? { ...source, stdin: true as const } : source;
    prepared.push(await prepareSource({ ...input, source: marked }, options, agents));
  }
  return prepared;
}

async function prepareSource(
  { source, target, index }: PrepareInput<CaseSource>,
  options: PrepareOptions,
  agents: Map<string, ResolvedAgent>,
): Promise<PreparedInput | undefined> {
  const { root, cwd, select, problems } = options;
  const { variables } = source;

  const resolved = await collectProblems(problems, () => findAgent(source, options, agents));
  const agent = resolved === undefined ? undefined : await fillVariables(resolved, source, options);
  const base = baseOf(source, cwd);

  const stamp = source.type === 'file' && variables !== undefined ? stampOf(source) : undefined;
  const checked = await checkInput(source, {
    root,
    cwd,
    variables,
    select: (testCase) => select(testCase, target),
  });
  addProblems(problems, checked.problems);
  const named = await checkReferences(checked.references, {
    ...options,
    source: inputName(source, cwd),
    base,
    agent: agent?.definition,
  });
  addProblems(problems, named.problems);

  if (agent === undefined) return undefined;
  const isOwnFile = source.type !== 'message' && !('generated' in source);
  const { test_id } = target;
  const { selection } = checked.references;
  return {
    subject: { kind: 'agent-eval', ...agent.definition },
    base,
    logged: loggedInput(source, checked.sha256, agent, cwd),
    total: checked.total,
    selected: checked.selected,
    files: [...(isOwnFile ? [source.path] : []), ...named.files, ...agent.files],
    judges: named.judges,
    ...(selection !== undefined && { selectsAt: `${inputName(source, cwd)}:${String(selection)}` }),
    secrets: [...named.secrets, ...agent.secrets],
    cases: () => readCases(source, { index, test_id, total: checked.total, stamp }),
  };
}

function loggedInput(
  source: CaseSource,
  sha256: string,
  { definition, sha256: agent_sha256 }: ResolvedAgent,
  cwd: string,
): InputOrigin {
  const agent = { agent_id: definition.id, agent_sha256 };
  if (source.type === 'message') return { type: 'message', message: source.message, ...agent };
  const file = { path: relative(cwd, source.path), sha256, ...agent };
  if (source.type === 'cases') return { type: 'cases', ...file };
  const { generated } = source;
  return { type: 'file', ...file, ...(generated !== undefined && { generated }) };
}

async function findAgent(
  source: CaseSource & TestBinding,
  { settings, cwd, root, env }: PrepareOptions,
  known: Map<string, ResolvedAgent>,
): Promise<ResolvedAgent> {
  const isFile = source.type === 'file' && source.stdin !== true && source.generated === undefined;
  const from = isFile || source.type === 'cases' ? source.path : cwd;
  const name = source.test?.agent ?? settings.name;
  const { connector } = settings;
  const isChosen = source.variables !== undefined && choosesConnector(source.variables);
  const isConnectorChosen = connector !== undefined || isChosen;
  const key = `${String(isConnectorChosen)} ${name ?? dirname(from)}`;
  const agent =
    known.get(key) ?? (await resolveAgent({ from, root, cwd, env, name, connector, isConnectorChosen }));
  known.set(key, agent);
  return agent;
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
