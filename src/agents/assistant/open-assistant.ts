// An assistant folder as an agent: Create → model and tools → Next.

import { isThenable } from '../../platform/thenable.ts';
import { AttemptError, ConfigError, describeProblem } from '../../errors.ts';
import type { AgentDefinition, AssistantRun, Prompt, Transcript } from '../../model/agent.ts';
import type { Message } from '../../model/case.ts';
import type { Connector } from '../../model/connector.ts';
import type { ContextData } from '../../model/context.ts';
import { isObject } from '../../json/is-object.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { Agent, AgentAdapter, AgentDeps, Directory } from '../adapter.ts';
import { forwardWaiting } from '../adapter.ts';
import { explainMissingGlobal } from '../../scripts/globals/missing-global.ts';
import { raceSignal } from '../../platform/race.ts';
import { cloneJson } from '../../json/clone-json.ts';
import { memoizeAsync } from '../../platform/memoize-async.ts';
import { findLost } from '../plain-answer.ts';
import { openToolbox } from '../tools/toolbox.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import { agentFailure } from '../transcript.ts';
import { learnSecrets } from '../../secrets/learned.ts';
import {
  beginRequest,
  causeOf,
  shareSession,
  takeCalls,
  withRequest,
} from '../../scripts/context/session.ts';
import type { UserContext } from '../../scripts/user-context.ts';
import { currentContext, userContext } from '../../scripts/user-context.ts';
import { delegateTo, mergeTranscripts } from './delegate.ts';
import type { Created, Hooks } from './hooks.ts';
import { callHook, checkOptions, loadHooks, readContinued, readCreated } from './hooks.ts';
import type { LoopResult } from './model-loop.ts';
import { listTools, runModelLoop } from './model-loop.ts';
import { modelOptions } from './model-options.ts';
import { fillPrompts } from './prompt-variables.ts';

/** The state that all attempts of an assistant share in this process. */
type Assistant = {
  definition: AgentDefinition;
  run: AssistantRun;
  root: string;
  directory: Directory;
  /** A promise only until they are loaded: this path handles thousands of calls per second. */
  hooks(): Hooks | Promise<Hooks>;
  connector(id: string): Connector | Promise<Connector>;
  toolbox: Toolbox | undefined;
  /** The tools of the servers that Create names. */
  otherToolbox(servers: string): Toolbox | Promise<Toolbox>;
};

const NO_HOOKS: Hooks = { create: undefined, next: undefined };

/** Opens an assistant. The first attempt imports hooks and starts tool servers, within its own deadline. */
export const openAssistant: AgentAdapter = (definition, { root, directory }): Agent => {
  const { run } = definition;
  if (run.type !== 'assistant') throw new AttemptError('harness', `not an assistant: ${run.type}`);
  const { hooks: file, folder } = run;
  const hooks = memoizeAsync((path: string) => loadHooks(path, root));
  const assistant: Assistant = {
    definition,
    run,
    root,
    directory,
    hooks: () => (file === undefined ? NO_HOOKS : hooks(file)),
    connector: memoizeAsync((id: string) => findConnector(id, folder, directory)),
    toolbox: run.servers === undefined ? undefined : openToolbox(run.servers),
    otherToolbox: memoizeAsync((servers: string) => openServers(servers, { definition, folder, root })),
  };
  let isPrepared = file === undefined && assistant.toolbox === undefined;
  const prepare = async (deps: AgentDeps): Promise<void> => {
    const loading = assistant.hooks();
    if (isThenable(loading)) await raceSignal(loading, deps.signal);
    if (assistant.toolbox !== undefined) await listTools(assistant.toolbox, deps);
    isPrepared = true;
  };
  return {
    // A failure to load is reported by the attempt, which loads again.
    prepare: (deps) => (isPrepared ? undefined : prepare(deps).catch(() => undefined)),
    async run(messages, context, deps) {
      const { signal } = deps;
      try {
        // A delegate continues the request of the agent that called it.
        if (deps.chain !== undefined) return await answer(assistant, messages, context, deps);
        beginRequest(context);
        return withRequest(await answer(assistant, messages, context, deps), context);
      } catch (error) {
        if (signal.aborted && error === signal.reason) throw error;
        throw agentFailure(explainMissingGlobal(causeOf(error, context)));
      }
    },
  };
};

async function answer(
  assistant: Assistant,
  messages: Message[],
  context: ContextData,
  deps: AgentDeps,
): Promise<Transcript> {
  const { definition, directory, root, run } = assistant;
  const { signal, retries, chain } = deps;
  const loaded = assistant.hooks();
  const hooks = isThenable(loaded) ? await raceSignal(loaded, signal) : loaded;
  const host = {
    root,
    folder: run.folder,
    agentId: definition.id,
    hasSandbox: run.has_sandbox,
    search: run.search,
    retries,
    chain,
  };
  const ctx = userContext(context, deps, host);
  const hasHooks = hooks.create !== undefined || hooks.next !== undefined;
  const given = { ...definition.options, ...definition.chosen?.options };
  // Hooks may modify their arguments, which must not affect other attempts.
  const options = { ...(hasHooks ? cloneJson(given) : given), ...deps.options };

  // 1. Create may change everything that follows, or hand over to another agent.
  const created =
    hooks.create === undefined
      ? { options: {} }
      : readCreated(await callHook(hooks.create, [ctx, messages, options], signal));
  const sent = created.messages ?? messages;
  applyCreated(created, ctx);
  const before: Transcript = { output: null, tool_calls: takeCalls(context) };
  const surroundings = { definition, directory, context, ctx, deps };
  if (created.delegate !== undefined)
    return mergeTranscripts(before, await delegateTo(created.delegate, sent, surroundings));

  // 2. The model answers, if the assistant has prompts or tools.
  const loop = await askModel(assistant, created, { messages: sent, ctx, context, given: options }, deps);
  const own = mergeTranscripts(before, toTranscript(loop));
  if (hooks.next === undefined) return own;

  // 3. Next may replace the answer or delegate.
  const payload = {
    messages: loop?.messages.slice(0, -1) ?? sent,
    completion: loop === undefined ? null : toCompletion(loop),
    tools: loop?.tools ?? [],
    error: toolErrors(loop),
  };
  const nextOptions = { ...options, ...created.options };
  const answered = await callHook(hooks.next, [ctx, payload, nextOptions], signal);
  const next = readContinued(await withData(answered, signal));
  if (next.ignored !== undefined) log(`Next returned ${next.ignored}, which has no effect`);
  if (next.metadata !== undefined) own.answer_metadata = next.metadata;
  if (next.delegate !== undefined) {
    own.tool_calls?.push(...takeCalls(context));
    return mergeTranscripts(own, await delegateTo(next.delegate, sent, surroundings));
  }
  if (!next.hasData) return own;
  const lost = findLost({ data: next.data });
  if (lost !== undefined) throw (await import('../returned/unreadable.ts')).lostValue(lost, 'Next');
  return { ...own, output: next.data };
}

/** Next, tools and delegates see what Create changed. */
function applyCreated({ metadata, locale, theme, route }: Created, ctx: UserContext): void {
  Object.assign(ctx.metadata, metadata);
  if (locale !== undefined) ctx.Locale = ctx.locale = locale;
  if (theme !== undefined) ctx.theme = theme;
  if (route !== undefined) ctx.route = route;
}

/** Awaits `data` if it is a promise. */
async function withData(answered: unknown, signal: AbortSignal): Promise<unknown> {
  if (!isObject(answered)) return answered;
  const { data } = answered;
  const isPromise = isObject(data) && typeof data['then'] === 'function';
  return isPromise ? { ...answered, data: await raceSignal(Promise.resolve(data), signal) } : answered;
}

type Question = {
  messages: Message[];
  ctx: UserContext;
  context: ContextData;
  /** The options that Create got. */
  given: Record<string, unknown>;
};

async function askModel(
  assistant: Assistant,
  created: Created,
  { messages, ctx, context, given }: Question,
  deps: AgentDeps,
): Promise<LoopResult | undefined> {
  const { definition, run, root } = assistant;
  const own = selectPrompts(run, created);
  const servers = created.mcp_servers;
  const toolbox =
    servers === undefined
      ? assistant.toolbox
      : servers.length === 0
        ? undefined
        : await assistant.otherToolbox(JSON.stringify(servers));
  // An empty list in prompts.yml calls the model with the messages alone.
  const hasPrompts = own.length > 0 || (created.prompt_preset === undefined && run.prompts !== undefined);
  if (!hasPrompts && toolbox === undefined) {
    checkOptions(created, given);
    noteUnused(created);
    return undefined;
  }
  const found = assistant.connector(connectorId(definition, created, deps));
  const connector = isThenable(found) ? await found : found;
  // A model in a file may take options of its own.
  if (connector.type !== 'module') checkOptions(created, given);
  const shared = created.disable_global_prompts === true ? [] : (run.global_prompts ?? []);
  const facts = { ...context, metadata: ctx.metadata, locale: ctx.Locale };
  const system = fillPrompts([...shared, ...own], facts, new Date());
  const loop = {
    connector,
    messages: [...system, ...messages],
    // The call adds the connector's own options.
    options: modelOptions(definition, connector, { ...deps.options, ...created.options }),
    toolbox,
    tool_loop: run.tool_loop,
    max_turn: run.max_turn,
    // Only tools read it; skip the copy on this hot path.
    context: toolbox === undefined ? context : toolContext(context, ctx),
  };
  const { signal, retries = 0, heard } = deps;
  const heardDeps = heard === undefined ? {} : { heard };
  return runModelLoop(loop, { root, signal, retries, log, ...forwardWaiting(deps), ...heardDeps });
}

/** Says which fields of Create mean nothing without a model. */
function noteUnused({ connector, options }: Created): void {
  const names = [...(connector === undefined ? [] : ['connector']), ...Object.keys(options)];
  if (names.length > 0)
    log(
      `Create returned ${names.join(', ')}, but the assistant has neither prompts nor tools and calls no model`,
    );
}

/** Tools see what Create changed and the memory of the attempt. */
function toolContext(context: ContextData, ctx: UserContext): ContextData {
  const seen = currentContext(context, ctx);
  shareSession(context, seen);
  return seen;
}

/** The tools of servers that Create names. A wrong name is the agent's mistake. */
async function openServers(
  servers: string,
  { definition, folder, root }: { definition: AgentDefinition; folder: string; root: string },
): Promise<Toolbox> {
  const { readTools } = await import('../tools/read-tools.ts');
  const place = { folder, agentId: definition.id, root, cwd: process.cwd(), env: process.env };
  const read = await readTools({ servers: JSON.parse(servers) as unknown }, { ...place, at: () => 'Create' });
  learnSecrets(read.secrets);
  const [problem] = read.problems;
  if (problem !== undefined) {
    const { message, hint } = problem;
    const text = message.replace(/^mcp\.servers/, 'mcp_servers');
    throw new AttemptError('agent', `Create: ${text}${hint === undefined ? '' : `; ${hint}`}`);
  }
  return openToolbox(read.servers);
}

function log(line: string): void {
  console.log(line);
}

function selectPrompts(run: AssistantRun, { prompt_preset: name }: Created): Prompt[] {
  if (name === undefined) return run.prompts ?? [];
  const presets = run.presets ?? {};
  const preset = Object.hasOwn(presets, name) ? presets[name] : undefined;
  const unset = preset?.find((prompt) => prompt.unset !== undefined)?.unset;
  if (unset !== undefined) throw new AttemptError('harness', unset, { isFinal: true });
  if (preset !== undefined) return preset;
  const names = Object.keys(presets);
  const hint =
    didYouMean(name, names) ?? (names.length === 0 ? 'there are none' : `there is ${names.join(', ')}`);
  throw new AttemptError(
    'agent',
    `Create asks for the prompt preset "${name}", which does not exist; ${hint}`,
  );
}

/** Create hook > `-c` > the case > variables > package.yao > the default of the kind of test. */
function connectorId(definition: AgentDefinition, created: Created, deps: AgentDeps): string {
  const ofCase = deps.options?.['connector'];
  const chosen =
    created.connector ??
    definition.forced_connector ??
    (typeof ofCase === 'string' ? ofCase : undefined) ??
    definition.chosen?.connector ??
    definition.connector ??
    definition.defaults?.connector;
  if (chosen !== undefined) return chosen;
  const hint = 'add "connector": "<id>" to its package.yao, choose one with -c, or let Create return one';
  throw new AttemptError('harness', `assistant ${definition.id} has no connector to a model; ${hint}`, {
    isFinal: true,
  });
}

/** A connector that a hook names is looked up during the attempt, so a missing one fails the attempt. */
async function findConnector(id: string, folder: string, directory: Directory): Promise<Connector> {
  try {
    return await directory.connector(id, folder);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new AttemptError('harness', describeProblem(error), { cause: error, isFinal: true });
  }
}

/** The output is the model's answer, else the results of the tools. */
function toTranscript(loop: LoopResult | undefined): Transcript {
  // Without a model the list of tool calls is empty, not unreported.
  if (loop === undefined) return { output: null, tool_calls: [] };
  const { answer, calls, tools, usage, cost_usd, first_token_ms } = loop;
  const results = tools.map((tool) => tool.result);
  const returned = results.length === 1 ? results[0] : results.length === 0 ? null : results;
  const transcript: Transcript = { output: answer.content === '' ? returned : answer.content };
  transcript.tool_calls = calls;
  if (usage !== undefined) transcript.usage = usage;
  transcript.cost_usd = cost_usd;
  if (first_token_ms !== undefined) transcript.first_token_ms = Math.round(first_token_ms);
  return transcript;
}

function toCompletion({ answer }: LoopResult): Record<string, unknown> {
  const { content, tool_calls, finish_reason, usage, model } = answer;
  return {
    role: 'assistant',
    content,
    ...(tool_calls !== undefined && { tool_calls }),
    ...(finish_reason !== undefined && { finish_reason }),
    ...(usage !== undefined && { usage }),
    ...(model !== undefined && { model }),
  };
}

/** Errors of the last round of tool calls, for the `error` field of the hook payload. */
function toolErrors(loop: LoopResult | undefined): string | undefined {
  const failed = (loop?.tools ?? []).flatMap(({ tool, error }) =>
    error === undefined ? [] : [`${tool}: ${error}`],
  );
  return failed.length === 0 ? undefined : failed.join('; ');
}
