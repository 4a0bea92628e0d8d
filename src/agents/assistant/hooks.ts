// Calls the hooks of an assistant and checks their results.

import { AttemptError } from '../../errors.ts';
import type { Message } from '../../model/case.ts';
import { findFunction } from '../../compile/bundle.ts';
import { isObject } from '../../json/is-object.ts';
import { importScript } from '../../scripts/globals/import-script.ts';
import { raceSignal } from '../../platform/race.ts';

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
  /** All other fields: temperature, max_tokens … */
  options: Record<string, unknown>;
};

/** The checked result of Next; without data, the completion is the answer. */
export type Continued = {
  delegate?: Delegate;
  data?: unknown;
  hasData: boolean;
  /** The returned field names, if none of them has an effect. */
  ignored?: string;
};

/** Imports the hooks; only for processes that may run user code. */
export async function loadHooks(file: string, root: string): Promise<Hooks> {
  const namespace = await importScript(file, { root });
  return { create: findFunction(namespace, 'Create'), next: findFunction(namespace, 'Next') };
}

/** Calls a hook, raced against the signal of the attempt. */
export async function callHook(hook: Hook, args: unknown[], signal: AbortSignal): Promise<unknown> {
  const answer = hook(...args);
  const isPromise = isObject(answer) && typeof answer['then'] === 'function';
  return isPromise ? raceSignal(Promise.resolve(answer), signal) : answer;
}

export function readCreated(answer: unknown): Created {
  const created: Created = { options: {} };
  const { messages, delegate, connector, prompt_preset, disable_global_prompts, metadata, ...options } =
    hookResult('Create', answer) ?? {};
  if (isGiven(messages)) created.messages = readMessages('Create', messages);
  if (isGiven(delegate)) created.delegate = readDelegate('Create', delegate);
  if (isGiven(connector)) created.connector = readText('Create', 'connector', connector);
  if (isGiven(prompt_preset)) created.prompt_preset = readText('Create', 'prompt_preset', prompt_preset);
  if (disable_global_prompts === true) created.disable_global_prompts = true;
  if (isObject(metadata)) created.metadata = metadata;
  for (const [key, value] of Object.entries(options)) if (isGiven(value)) created.options[key] = value;
  return created;
}

export function readContinued(answer: unknown): Continued {
  const given = hookResult('Next', answer) ?? {};
  const { data, delegate } = given;
  const continued: Continued = { hasData: isGiven(data), data };
  const names = Object.keys(given);
  if (names.length > 0 && !('data' in given) && !('delegate' in given)) continued.ignored = names.join(', ');
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
  const { agent_id, messages, options } = isObject(delegate) ? delegate : {};
  if (typeof agent_id !== 'string' || agent_id === '') {
    throw new AttemptError('agent', `${hook} delegates without naming an agent in agent_id`);
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
