// Inputs in, a checked run out: every agent found, every case file read once as a whole, every problem reported together.

import { dirname, join, relative, sep } from 'node:path';
import { resolveAgent } from '../../agents/resolve.ts';
import type { ResolvedAgent } from '../../agents/resolve.ts';
import { collectProblems, ConfigError } from '../../errors.ts';
import type { Problem } from '../../errors.ts';
import type { HttpRun } from '../../model/agent.ts';
import type { Target } from '../../model/attempt.ts';
import type { LoadedCase, TestCase } from '../../model/case.ts';
import type { ContextFile } from '../../model/context.ts';
import type { LoggedInput } from '../../model/event.ts';
import type { Settings } from '../../application/options/options.ts';
import { quote } from '../../text/quote.ts';
import { baseOf, checkInput, inputName, readCases, stampOf } from '../../kinds/agent/cases/cases.ts';
import type { PreparedSkill } from '../../kinds/skill/skill-tests.ts';
import { prepareScripts } from '../../kinds/script/script-tests.ts';
import { checkReferences } from '../../kinds/agent/cases/check-references.ts';
import { fillAgent, targetVariables } from '../../kinds/test-binding.ts';
import type { SourceTest } from '../../kinds/test-binding.ts';
import { readContextFile } from './context-file.ts';
import type { CaseSource, InputSource } from './inputs.ts';

export type PrepareOptions = {
  settings: Pick<Settings, 'allow_empty' | 'connector' | 'ctx' | 'name' | 'require_tests' | 'runs'>;
  sources: readonly InputSource[];
  cwd: string;
  root: string;
  env: Record<string, string | undefined>;
  /** `-c` was typed: then it wins over variables, too. */
  isConnectorTyped?: boolean;
  select: (testCase: TestCase, origin: Omit<Target, 'agent' | 'base'>) => boolean;
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
  /** What a change of should make watch mode run again. */
  files: string[];
  /** The files that script tests are made of, by the test's name. */
  reach: ReadonlyMap<string, readonly string[]>;
  /** Folders in which new files of tests may turn up. */
  folders: string[];
  /** What a person should know before the run. */
  notes: string[];
  cases(): AsyncGenerator<LoadedCase[]>;
};

/** Checks everything before anything runs; throws one ConfigError with all problems. */
export async function prepareRun(options: PrepareOptions): Promise<Prepared> {
  const { settings, cwd, root, select } = options;
  const problems: Problem[] = [];
  const targets: Target[] = [];
  const inputs: LoggedInput[] = [];
  const secrets = new Set<string>();
  const files = new Set<string>();
  const agents = new Map<string, ResolvedAgent>();
  const sources = options.sources.map((source) => markStdin(source, root));
  const testIds = testIdsOf(sources, root);
  const totals: number[] = [];
  const stamps: string[] = [];
  const reach = new Map<string, readonly string[]>();
  const folders = new Set<string>();
  const notes: string[] = [];
  let total = 0;
  let attempts = 0;
  let found = 0;

  const scripts = await prepareScripts(sources, { root, cwd, problems });
  const skills = await prepareSkills(sources, options);
  for (const [index, source] of sources.entries()) {
    const { test } = source;
    const test_id = testIds[index] ?? '';
    const shared = { test_id, root, ...wishesOf(test), ...targetVariables(source.variables) };
    const count = (selected: number): void => {
      total += selected;
      attempts += selected * (test?.runs ?? settings.runs);
    };
    if (source.type === 'script') {
      const script = scripts.get(source.file);
      if (script === undefined) continue;
      count(script.cases.filter((testCase) => select(testCase, shared)).length);
      found += script.cases.length;
      targets[index] = { ...shared, agent: script.definition, base: dirname(source.file) };
      inputs.push({ ...script.logged, ...loggedTest(source) });
      for (const file of script.files) files.add(file);
      reach.set(source.name, script.files);
      folders.add(dirname(source.file));
      if (script.note !== undefined) notes.push(script.note);
      continue;
    }
    if (source.type === 'skill') {
      const skill = skills.get(source);
      if (skill === undefined) continue;
      count(select(skill.case, shared) ? 1 : 0);
      found += 1;
      const base = source.file === undefined ? root : dirname(source.file);
      targets[index] = { ...shared, agent: skill.definition, base };
      inputs.push({ ...skill.logged, ...loggedTest(source) });
      for (const file of skill.files) files.add(file);
      reach.set(source.name, skill.files);
      if (source.file !== undefined) folders.add(dirname(source.file));
      continue;
    }
    const resolved = await collectProblems(problems, () => agentOf(source, options, agents));
    const agent = resolved === undefined ? undefined : await agentFor(resolved, source, options, problems);
    const base = baseOf(source, cwd);
    const { variables } = source;
    if (source.type === 'file' && variables !== undefined) stamps[index] = stampOf(source);
    const checked = await checkInput(source, {
      root,
      cwd,
      variables,
      select: (testCase) => select(testCase, shared),
    });
    for (const problem of checked.problems) if (!isKnown(problems, problem)) problems.push(problem);
    count(checked.selected);
    found += checked.total;
    totals[index] = checked.total;
    if (source.type !== 'message' && !('generated' in source)) files.add(source.path);
    const named = await checkReferences(checked.references, {
      ...options,
      source: inputName(source, cwd),
      base,
      agent: agent?.definition,
    });
    for (const problem of named.problems) if (!isKnown(problems, problem)) problems.push(problem);
    for (const file of named.files) files.add(file);
    for (const secret of named.secrets) secrets.add(secret);
    if (agent === undefined) continue;
    for (const file of agent.files) files.add(file);
    for (const secret of agent.secrets) secrets.add(secret);
    targets[index] = { ...shared, agent: agent.definition, base };
    const of = { agent_id: agent.definition.id, agent_sha256: agent.sha256, ...loggedTest(source) };
    if (source.type === 'message') inputs.push({ type: 'message', message: source.message, ...of });
    else if (source.type === 'cases')
      inputs.push({ type: 'cases', path: relative(cwd, source.path), sha256: checked.sha256, ...of });
    else
      inputs.push({
        type: 'file',
        path: relative(cwd, source.path),
        sha256: checked.sha256,
        ...of,
        ...generatedBy(source),
      });
  }
  const ctx = settings.ctx;
  const context =
    ctx === undefined ? {} : await collectProblems(problems, () => readContextFile(ctx, { cwd }));

  if (problems.length > 0) throw ConfigError.of(problems);
  if (total === 0)
    throw new ConfigError(`none of the ${String(found)} cases is selected`, {
      hint: sources.some(({ variables }) => variables !== undefined) ? OTHER_VALUES : NOTHING_SELECTED,
    });
  return {
    targets,
    inputs,
    context: context ?? {},
    total,
    attempts,
    secrets: [...secrets],
    files: [...files],
    reach,
    folders: [...folders],
    notes,
    async *cases() {
      for (const [index, source] of sources.entries()) {
        if (source.type === 'script') {
          const cases = scripts.get(source.file)?.cases ?? [];
          const test_id = testIds[index] ?? '';
          yield cases.map((testCase) => ({ case: testCase, test_id, input: index, line: testCase.line }));
        } else if (source.type === 'skill') {
          const skill = skills.get(source);
          const test_id = testIds[index] ?? '';
          if (skill !== undefined) yield [{ case: skill.case, test_id, input: index, line: 1 }];
        } else
          yield* readCases(source, {
            index,
            test_id: testIds[index] ?? '',
            total: totals[index] ?? 0,
            stamp: stamps[index],
          });
      }
    },
  };
}

async function prepareSkills(
  sources: readonly InputSource[],
  options: PrepareOptions,
): Promise<Map<InputSource, PreparedSkill>> {
  const skills = sources.filter((source) => source.type === 'skill');
  if (skills.length === 0) return new Map();
  const { prepareSkill } = await import('../../kinds/skill/skill-tests.ts');
  return new Map(skills.map((source) => [source, prepareSkill(source, options)]));
}

const NOTHING_SELECTED = 'check --run, --tag and --failed; --dry-run lists what would run';
const OTHER_VALUES = 'check --run, --tag and --failed, which means the same values of variables';

/** What the definition of a test wishes, for its target. */
function wishesOf({ id, runs, timeout_ms, parallel, tags }: Partial<SourceTest> = {}): Partial<Target> {
  return {
    ...(id !== undefined && { test: id }),
    ...(runs !== undefined && { runs }),
    ...(timeout_ms !== undefined && { timeout_ms }),
    ...(parallel !== undefined && { parallel }),
    ...(tags !== undefined && { tags }),
  };
}

/** What the log keeps of the definition. */
function loggedTest({
  test,
  variables,
}: InputSource): Pick<LoggedInput, 'resolved_variables' | 'runs' | 'test' | 'test_id'> {
  return {
    ...(test !== undefined && { test: test.id, test_id: test.test_id }),
    ...(test?.runs !== undefined && { runs: test.runs }),
    ...(variables !== undefined && { resolved_variables: variables.resolved }),
  };
}

/** The agent with its variables filled in; the connector that they choose must be there. */
async function agentFor(
  agent: ResolvedAgent,
  { variables }: InputSource,
  { root, cwd, env, isConnectorTyped = false }: PrepareOptions,
  problems: Problem[],
): Promise<ResolvedAgent> {
  if (variables === undefined) return agent;
  const filled = fillAgent(agent.definition, variables);
  if (filled.value.chosen?.connector !== undefined && !isConnectorTyped) delete filled.value.forced_connector;
  for (const problem of filled.problems) if (!isKnown(problems, problem)) problems.push(problem);
  const { id: agentId, run, connector, chosen, defaults } = filled.value;
  const request = run.type === 'http' ? run.http : run.type === 'a2a' ? run.a2a : undefined;
  if (request !== undefined)
    for (const message of requestProblems(request))
      problems.push({ message: `agent ${agentId}: ${message}` });
  const ids = [chosen?.connector ?? defaults?.connector];
  if (connector !== agent.definition.connector) ids.push(connector);
  const found = { files: [...agent.files], secrets: [...agent.secrets] };
  for (const id of run.type === 'assistant' ? ids : []) {
    if (id === undefined) continue;
    const { findConnector } = await import('../../connectors/find-connector.ts');
    const own: Problem[] = [];
    const place = { root, env, cwd, ...(run.type === 'assistant' && { folder: run.folder }) };
    const checked = await collectProblems(own, () => findConnector(id, place));
    for (const problem of own) if (!isKnown(problems, problem)) problems.push(problem);
    found.files.push(...(checked?.files ?? []));
    found.secrets.push(...(checked?.secrets ?? []));
  }
  return { ...agent, definition: filled.value, ...found };
}

/** What is wrong with a request now that its variables are filled in. */
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

async function agentOf(
  source: CaseSource & { test?: SourceTest },
  { settings, cwd, root, env }: PrepareOptions,
  known: Map<string, ResolvedAgent>,
): Promise<ResolvedAgent> {
  const isFile = source.type === 'file' && !isStdin(source) && source.generated === undefined;
  const from = isFile || source.type === 'cases' ? source.path : cwd;
  const name = source.test?.agent ?? settings.name;
  const key = name ?? dirname(from);
  const agent =
    known.get(key) ??
    (await resolveAgent({
      from,
      root,
      cwd,
      env,
      ...(name === undefined ? {} : { name }),
      ...(settings.connector === undefined ? {} : { connector: settings.connector }),
    }));
  known.set(key, agent);
  return agent;
}

/** Two inputs may name the same thing that is not there. */
function isKnown(problems: readonly Problem[], { message, at }: Problem): boolean {
  return problems.some((known) => known.message === message && known.at === at);
}

/** Names the test each input belongs to, the same on every machine. */
function testIdsOf(sources: readonly InputSource[], root: string): string[] {
  let messages = 0;
  return sources.map((source) => {
    if (source.test !== undefined) return source.test.test_id;
    if (source.type === 'cases') return relative(root, source.path).split(sep).join('/');
    if (source.type === 'file')
      return isStdin(source)
        ? 'stdin'
        : (source.generated ?? relative(root, source.path).split(sep).join('/'));
    if (source.type === 'script' || source.type === 'skill') return source.name;
    messages += 1;
    return messages === 1 ? 'message' : `message-${String(messages)}`;
  });
}

/** Standard input is kept as a file, which a resumed run names as a file. */
function markStdin(source: InputSource, root: string): InputSource {
  if (source.type !== 'file' || dirname(source.path) !== join(root, '.assay', 'stdin')) return source;
  return { ...source, stdin: true };
}

function generatedBy({ generated }: InputSource & { type: 'file' }): { generated?: string } {
  return generated === undefined ? {} : { generated };
}

function isStdin(source: InputSource): boolean {
  return source.type === 'file' && source.stdin === true;
}
