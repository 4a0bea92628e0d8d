// Runs the generators among the inputs and replaces each with the cases it generates.

import { resolveAgent } from '../../agents/resolve/resolve.ts';
import { collectProblems, ConfigError, RuntimeError } from '../../errors.ts';
import type { Problem } from '../../errors.ts';
import { bundleModule } from '../../compile/bundle.ts';
import { cacheDirectory } from '../../compile/bundle-cache.ts';
import { checkFunction } from '../../scripts/check-function.ts';
import type { AgentQuestion, CaseLoading, FunctionCall } from '../../execute/process/protocol.ts';
import type { LoadedModule } from '../../kinds/agent/cases/load-cases.ts';
import { generate, MODULE_FORMS } from './generate.ts';
import type { InputSource } from '../../kinds/registry.ts';
import type { CaseGenerator } from '../inputs/inputs.ts';
import type { PrepareRunOptions } from '../inputs/prepare.ts';
import { prepareRun } from '../inputs/prepare.ts';
import type { AgentDefinition } from '../../model/agent.ts';
import type { Target } from '../../model/attempt.ts';
import type { Settings } from '../../application/options/options.ts';
import { DEFAULTS } from '../../model/settings.ts';
import { testedAgent } from '../../model/subject.ts';
import type { Redactor } from '../../secrets/redact.ts';
import { lazySideCalls } from '../lazy-side-calls.ts';
import { logsOf, printed } from './user-output.ts';
import { runContext } from '../context.ts';
import { writableState } from '../../platform/writable-state.ts';

export type GeneratedOptions = Omit<PrepareRunOptions, 'select' | 'sources'> & {
  settings: Settings;
  /** Environment that workers get besides this process's. */
  dotenv: Record<string, string>;
  redactor: Redactor;
};

/** Checks everything that can be checked without the cases, then runs the generators one after the other. */
export async function generateInputs(
  sources: readonly (CaseGenerator | InputSource)[],
  options: GeneratedOptions,
): Promise<InputSource[]> {
  const { settings, cwd, root, redactor, dotenv: env } = options;
  // 1. check everything else before anything runs
  const known = sources.filter((source) => source.type !== 'generator');
  const problems: Problem[] = [];
  // A message belongs to the agent that generated cases belong to.
  const placeholder: InputSource = { type: 'message', message: '' };
  // The cases of a module may name their agents, so no agent is known yet.
  const isForAgent = sources.some((source) => source.type === 'generator' && source.file === undefined);
  const prepared = isForAgent
    ? await collectProblems(problems, () =>
        prepareRun({ ...options, sources: [...known, placeholder], select: () => true }),
      )
    : undefined;
  const agents = new Map<string, AgentDefinition>();
  for (const source of sources) {
    if (source.type !== 'generator') continue;
    const agent = await collectProblems(problems, () => findGenerator(source, options));
    if (agent !== undefined) agents.set(source.reference, agent);
  }
  const target = prepared?.targets.at(-1);
  if (problems.length > 0) throw ConfigError.of(problems);
  redactor.learn(prepared?.secrets ?? []);

  // 2. run the generators
  const { retries } = settings;
  const sideCalls = lazySideCalls({ cwd, env, retries, learn: (secrets) => redactor.learn(secrets) });
  let logs: string[] = [];
  const callOf = (generator: CaseGenerator): GeneratorCall => {
    const { file, reference } = generator;
    if (file !== undefined) return { type: 'load-cases', file };
    // Unless all are modules, the agent was checked above.
    if (target === undefined || prepared === undefined) throw new Error(`no agent for ${reference}`);
    const context = runContext(target, prepared.context, settings);
    return { ...generatorCall(generator, target, agents.get(reference)), context };
  };
  const run = async (generator: CaseGenerator): Promise<unknown> => {
    const timeout_ms = settings.timeout_ms ?? DEFAULTS.timeout_ms;
    logs = [];
    const { value, ...told } = await sideCalls.run({ ...callOf(generator), root, timeout_ms });
    logs = told.logs;
    // Generated cases are kept in a file, and quoted in what is wrong with them.
    return redactor.data(
      generator.file === undefined ? value : casesOf(value as LoadedModule, generator.value),
    );
  };
  const folder = (): string => writableState(root, 'generated').folder;
  try {
    const all: InputSource[] = [];
    for (const source of sources) {
      all.push(source.type === 'generator' ? await generate(source, { run, folder }) : source);
    }
    return all;
  } catch (error) {
    throw withWords(error, logs, redactor);
  } finally {
    await sideCalls.close();
  }
}

/** An error of a generator with its own words, masked. */
function withWords(error: unknown, logs: readonly string[], redactor: Redactor): unknown {
  const tell = (message: string, lines: readonly string[]): string =>
    `${redactor.text(message)}${printed(lines, redactor.text)}`;
  if (error instanceof ConfigError)
    return ConfigError.of(error.problems.map((one) => ({ ...one, message: tell(one.message, logs) })));
  if (!(error instanceof RuntimeError)) return error;
  const { message, hint, cause } = error;
  // As a cause, the error would repeat the generator's words with secrets.
  return new RuntimeError(tell(message, [...logs, ...logsOf(cause)]), hint === undefined ? {} : { hint });
}

/** The agent that a generator is; nothing for a script, which must exist all the same. */
async function findGenerator(
  generator: CaseGenerator,
  { cwd, root, env, redactor }: GeneratedOptions,
): Promise<AgentDefinition | undefined> {
  const { file } = generator;
  if (file !== undefined) {
    // Finds mistakes in the module before anything runs.
    const { exports } = await bundleModule(file, { cacheDir: cacheDirectory(root), cwd });
    if (exports !== undefined && !exports.includes('default'))
      throw new ConfigError('the module has no default export', { at: generator.value, hint: MODULE_FORMS });
    return undefined;
  }
  const { reference } = generator;
  if (reference.startsWith('agents:')) {
    const agent = await resolveAgent({ name: reference, from: cwd, root, cwd, env });
    redactor.learn(agent.secrets);
    return agent.definition;
  }
  await checkFunction(scriptOf(reference), { root, cwd });
  return undefined;
}

function generatorCall(
  { reference, params }: CaseGenerator,
  target: Target,
  agent: AgentDefinition | undefined,
): DistributiveOmit<AgentQuestion | FunctionCall, 'context' | 'root' | 'timeout_ms'> {
  if (agent === undefined)
    return { type: 'call', reference: scriptOf(reference), args: [params], context_at: 'end' };
  const { id, description } = testedAgent(target.subject) ?? { id: target.subject.id };
  const request = { ...params, target_agent: { id, ...(description !== undefined && { description }) } };
  return { type: 'ask', agent, messages: [{ role: 'user', content: JSON.stringify(request) }] };
}

/** The cases of a module; throws ConfigError for those that JSON would change. */
function casesOf({ value, problems }: LoadedModule, at: string): unknown {
  if (problems.length > 0) throw ConfigError.of(problems.map((message) => ({ message, at })));
  return value;
}

/** A call without the fields that all calls of generators share. */
type GeneratorCall = DistributiveOmit<AgentQuestion | CaseLoading | FunctionCall, 'root' | 'timeout_ms'>;

/** Leaves fields out of each member of a union. */
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

function scriptOf(reference: string): string {
  return reference.replace(':', '.');
}
