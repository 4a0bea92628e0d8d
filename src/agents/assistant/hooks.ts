// Calls the hooks of an assistant and checks their results.

import { AttemptError } from '../../errors.ts';
import type { Message } from '../../model/case.ts';
import { findFunction } from '../../compile/bundle.ts';
import { isObject } from '../../json/is-object.ts';
import { importScript } from '../../scripts/globals/import-script.ts';
import { raceSignal } from '../../platform/race.ts';
import { MODEL_OPTIONS } from '../../connectors/models/openai-body.ts';
import { explainMissingMember } from '../../scripts/user-context.ts';
import { didYouMean } from '../../text/nearest.ts';

const NEXT_FIELDS = ['data', 'delegate', 'metadata'];

type Hook = (...args: unknown[]) => unknown;

export type Hooks = { create: Hook | undefined; next: Hook | undefined };

/** The agent that takes over. */
export type Delegate = { agent_id: string; messages?: Message[]; options?: Record<string, unknown> };

/** The checked result of Create. */
export type Created = {
  messages?: Message[];
  delegate?: Delegate;
  connector?: string;
  prompt_preset?: string;
  disable_global_prompts?: boolean;
  metadata?: Record<string, unknown>;
  /** The tool servers of this request, instead of those of package.yao. */
  mcp_servers?: unknown[];
  locale?: string;
  theme?: string;
  route?: string;
  /** All other fields: temperature, max_tokens … */
  options: Record<string, unknown>;
};

/** The checked result of Next; without data, the completion is the answer. */
export type Continued = {
  delegate?: Delegate;
  data?: unknown;
  hasData: boolean;
  metadata?: Record<string, unknown>;
  /** The returned field names that have no effect. */
  ignored?: string;
};

/** Imports the hooks; only for processes that may run user code. */
export async function loadHooks(file: string, root: string): Promise<Hooks> {
  const namespace = await importScript(file, { root });
  return { create: findFunction(namespace, 'Create'), next: findFunction(namespace, 'Next') };
}

/** Calls a hook, raced against the signal of the attempt. */
export async function callHook(hook: Hook, args: unknown[], signal: AbortSignal): Promise<unknown> {
  try {
    const answer = hook(...args);
    const isPromise = isObject(answer) && typeof answer['then'] === 'function';
    return isPromise ? await raceSignal(Promise.resolve(answer), signal) : answer;
  } catch (error) {
    throw explainMissingMember(error, args[0]);
  }
}

/** Fields of Create that need services of production. They are fine if they ask for nothing. */
const SERVICES = {
  audio: 'spoken answers',
  force_uses: 'the services of "uses"',
  search: 'a search before the model is called',
  uses: 'services for vision, audio, search and fetch',
};

/** The fields of Create that are no options of a model. */
const CREATE_FIELDS = [
  'connector',
  'delegate',
  'disable_global_prompts',
  'locale',
  'mcp_servers',
  'messages',
  'metadata',
  'prompt_preset',
  'route',
  'theme',
  ...Object.keys(SERVICES),
];

export function readCreated(answer: unknown): Created {
  const given = Object.fromEntries(
    Object.entries(hookResult('Create', answer) ?? {}).filter(([, value]) => isGiven(value)),
  );
  const { messages, delegate, disable_global_prompts, metadata, mcp_servers, ...rest } = given;
  const created: Created = { options: {} };
  if (messages !== undefined) created.messages = readMessages('Create', messages);
  if (delegate !== undefined) created.delegate = readDelegate('Create', delegate);
  if (disable_global_prompts !== undefined) {
    if (typeof disable_global_prompts !== 'boolean') throw wrongField('disable_global_prompts', 'a boolean');
    created.disable_global_prompts = disable_global_prompts;
  }
  if (metadata !== undefined) {
    if (!isObject(metadata)) throw wrongField('metadata', 'an object');
    created.metadata = metadata;
  }
  if (mcp_servers !== undefined) {
    if (!Array.isArray(mcp_servers)) throw wrongField('mcp_servers', 'a list of {server_id, tools}');
    created.mcp_servers = mcp_servers;
  }
  for (const [name, value] of Object.entries(rest)) {
    if (name in SERVICES) refuseService(name as keyof typeof SERVICES, value);
    else if (isTextField(name)) created[name] = readText('Create', name, value);
    else created.options[name] = value;
  }
  return created;
}

/** Refuses fields that neither Create nor a model has. `given` are the options that Create got. */
export function checkOptions(created: Created, given: Record<string, unknown>): void {
  const known = [...CREATE_FIELDS, ...MODEL_OPTIONS, 'extra_body'];
  const name = Object.keys(created.options).find((one) => !known.includes(one) && !Object.hasOwn(given, one));
  if (name === undefined) return;
  const hint =
    didYouMean(name, known) ?? `it may return ${known.slice(0, 10).join(', ')} and options of the model`;
  throw new AttemptError('agent', `Create returned "${name}", which has no meaning; ${hint}`);
}

function refuseService(name: keyof typeof SERVICES, value: unknown): void {
  const isOff = (one: unknown): boolean => one === false || one === 'disabled' || one === '';
  if (isOff(value) || (isObject(value) && Object.values(value).every((one) => isOff(one) || !isGiven(one))))
    return;
  throw new AttemptError(
    'harness',
    `Create returned "${name}", which asks for ${SERVICES[name]}; a test cannot have that. ` +
      'Return it only in production, for example if ctx.client.type is not "test"',
    { isFinal: true },
  );
}

type TextField = 'connector' | 'prompt_preset' | 'locale' | 'theme' | 'route';

function isTextField(name: string): name is TextField {
  return ['connector', 'prompt_preset', 'locale', 'theme', 'route'].includes(name);
}

function wrongField(name: string, expected: string): AttemptError {
  return new AttemptError('agent', `Create returned ${name}, which is not ${expected}`);
}

export function readContinued(answer: unknown): Continued {
  const given = hookResult('Next', answer) ?? {};
  const { data, delegate, metadata } = given;
  const continued: Continued = { hasData: isGiven(data), data };
  const names = Object.keys(given).filter((name) => !NEXT_FIELDS.includes(name));
  if (names.length > 0) continued.ignored = names.join(', ');
  if (isObject(metadata)) continued.metadata = metadata;
  else if (isGiven(metadata)) throw new AttemptError('agent', 'Next returned metadata that is not an object');
  if (isGiven(delegate)) continued.delegate = readDelegate('Next', delegate);
  return continued;
}

function hookResult(hook: string, answer: unknown): Record<string, unknown> | undefined {
  if (!isGiven(answer)) return undefined;
  if (isObject(answer)) return answer;
  const kind = Array.isArray(answer) ? 'an array' : `a ${typeof answer}`;
  throw new AttemptError('agent', `${hook} returned ${kind}; it may return null or an object`);
}

function readDelegate(hook: string, delegate: unknown): Delegate {
  const { agent_id, messages, options, ...others } = isObject(delegate) ? delegate : {};
  if (typeof agent_id !== 'string' || agent_id === '') {
    throw new AttemptError('agent', `${hook} delegates without naming an agent in agent_id`);
  }
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    const known = 'a delegate has agent_id, messages and options';
    throw new AttemptError('agent', `${hook} delegates with "${unknown}", which has no meaning; ${known}`);
  }
  const read: Delegate = { agent_id };
  if (isGiven(messages)) read.messages = readMessages(hook, messages);
  if (isObject(options)) read.options = options;
  return read;
}

function readMessages(hook: string, messages: unknown): Message[] {
  const isList =
    Array.isArray(messages) && messages.every((item) => isObject(item) && typeof item['role'] === 'string');
  if (!isList)
    throw new AttemptError('agent', `${hook} returned messages that are not a list of {role, content}`);
  // The roles are checked above; the model's service checks the rest.
  return messages as Message[];
}

function readText(hook: string, field: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new AttemptError('agent', `${hook} returned a ${field} that is not text`);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
