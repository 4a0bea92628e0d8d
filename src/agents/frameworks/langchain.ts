// Compiled graphs of LangGraph, agents of LangChain, and every other runnable.

import { randomUUID } from 'node:crypto';
import { AttemptError } from '../../errors.ts';
import type { Message } from '../../model/case.ts';
import { isObject } from '../../json/is-object.ts';
import { isLangChainMessage } from '../plain-answer.ts';
import { lastInput } from '../transcript.ts';
import type { Fields, Framework } from './framework.ts';
import { callMethod, readField, hasMethods } from './framework.ts';
import { packageCopies } from './import-package.ts';
import { contentText, fromLangChain, toLangChain } from './langchain-messages.ts';
import { observeRun } from './langchain-observer.ts';
import { addUpSpending } from './spending.ts';

type Answer = { output: unknown; messages: Message[] };

/** Converts a message in chat-completions format to a LangChain message. */
type Coerce = (message: unknown) => unknown;

/** An agent of `createAgent` is not a runnable but contains one. */
export const langChain: Framework = {
  title: 'LangGraph or LangChain (a compiled graph, createAgent, a runnable)',
  isAgent: (value) =>
    hasMethods(value, 'invoke') && (isRunnable(value) || isRunnable(readField(value, 'graph'))),
  async open(agent, file) {
    const coerce = await findCoerce(file);
    const graph = isRunnable(agent) ? agent : readField(agent, 'graph');
    const channels = readField(graph, 'channels');
    return async (messages, signal) => {
      const list = messages.map((message) => coerce(toLangChain(message)));
      const input = isObject(channels) ? graphInput(channels, list) : chainInput(agent, list, messages);
      const run = observeRun();
      // Every call passes the whole conversation: a fresh thread id prevents the graph from remembering earlier calls.
      const config = { signal, callbacks: [run.handler], configurable: { thread_id: randomUUID() } };
      const result = await callMethod(agent, 'invoke', input, config);
      const answer = isObject(channels) ? readState(result, messages) : readResult(result, messages);
      return { ...answer, tool_calls: run.toolCalls, ...(await addUpSpending(run.modelCalls)) };
    };
  },
};

function isRunnable(value: unknown): boolean {
  return readField(value, 'lc_runnable') === true;
}

/** Falls back to messages in chat-completions format, which nearly all runnables accept. */
async function findCoerce(file: string): Promise<Coerce> {
  for await (const { coerceMessageLikeToMessage: coerce } of packageCopies(
    file,
    '@langchain/core/messages',
  )) {
    if (typeof coerce === 'function') return coerce as Coerce;
  }
  return (message) => message;
}

function graphInput(channels: Fields, messages: unknown[]): Fields {
  if ('messages' in channels) return { messages };
  const names = Object.keys(channels).filter((name) => !/^__|^branch:/.test(name));
  throw new AttemptError(
    'agent',
    `the state of the graph has no "messages" (it has ${names.join(', ')}); export a function that calls graph.invoke`,
  );
}

/** The input depends on the first step of the chain: variables for a prompt, messages for anything else. */
function chainInput(agent: Fields, list: unknown[], messages: Message[]): unknown {
  let first: unknown = agent;
  while (isRunnable(readField(first, 'first') ?? readField(first, 'bound')))
    first = readField(first, 'first') ?? readField(first, 'bound');
  const names = readField(first, 'inputVariables');
  if (!Array.isArray(names)) return list;
  const known: Fields = { messages: list, chat_history: list.slice(0, -1), history: list.slice(0, -1) };
  const others = names.filter((name) => !(String(name) in known));
  if (others.length > 1) {
    throw new AttemptError(
      'agent',
      `the prompt has the variables ${others.join(', ')}; export a function that calls chain.invoke`,
    );
  }
  return { ...known, ...Object.fromEntries(others.map((name) => [name, lastInput(messages)])) };
}

/** The answer in the state of a graph, and the conversation with it. */
export function readState(result: unknown, given: readonly Message[]): Answer {
  const waiting = readField(result, '__interrupt__');
  if (Array.isArray(waiting) && waiting.length > 0) {
    const values = waiting.map((interrupt) => readField(interrupt, 'value'));
    throw new AttemptError('agent', `the graph was interrupted and waits: ${JSON.stringify(values)}`);
  }
  const list = readField(result, 'messages');
  if (!Array.isArray(list)) return { output: result ?? null, messages: [...given] };
  const messages = list.map(fromLangChain);
  const isLonger = given.every(({ role }, index) => isSameRole(role, messages[index]?.role));
  return {
    output: readField(result, 'structuredResponse') ?? contentText(list.at(-1)),
    messages: isLonger ? [...given, ...messages.slice(given.length)] : messages,
  };
}

function isSameRole(given: string, role: string | undefined): boolean {
  return (given === 'developer' ? 'system' : given) === role;
}

function readResult(result: unknown, given: Message[]): Answer {
  if (!isLangChainMessage(result)) {
    const said = typeof result === 'string' ? [{ role: 'assistant', content: result }] : [];
    return { output: result ?? null, messages: [...given, ...said] };
  }
  return { output: contentText(result), messages: [...given, fromLangChain(result)] };
}
