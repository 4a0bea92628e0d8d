// Calls a model in a user's file: its default export is a function or a language model of the AI SDK.

import { AttemptError, messageOf } from '../../errors.ts';
import type { Connector } from '../../model/connector.ts';
import { toUsage } from '../../model/spending.ts';
import { OUTPUT_LIMIT } from '../../platform/bounded-output.ts';
import { importModule } from '../../compile/bundle.ts';
import { isObject } from '../../json/is-object.ts';
import { askTaped } from '../../platform/tape-scope.ts';
import type { AnyLanguageModel } from './ai-sdk-model.ts';
import { askLanguageModel, isLanguageModel } from './ai-sdk-model.ts';
import type { ChatRequest, ChatToolCall } from '../chat.ts';
import { modelError } from '../failure.ts';
import { parseArguments } from './openai-answer.ts';
import type { AskModel, ModelAnswer } from '../provider.ts';
import { argumentsProblem } from '../tool-arguments.ts';
import { raceSignal } from '../../platform/race.ts';

type ModelFunction = (request: ChatRequest & { model: string; signal: AbortSignal }) => unknown;
type ModuleModel = { ask: ModelFunction } | { model: AnyLanguageModel };

const modules = new Map<string, Promise<ModuleModel>>();

let callCount = 0;

/** Calls the module. An error it throws is a failure of the harness, because the module replaces a real model. */
export const askModule: AskModel = (connector, request, deps) =>
  askTaped(
    () => ({
      to: `connector ${connector.id}`,
      method: 'ask',
      params: { model: connector.model, ...request },
    }),
    () => askFile(connector, request, deps),
  );

const askFile: AskModel = async (connector, request, { root, signal, heard }) => {
  const { file = '' } = connector;
  let loading = modules.get(file);
  if (loading === undefined) modules.set(file, (loading = load(connector, file, root)));
  const module = await raceSignal(loading, signal);
  if ('model' in module) return askLanguageModel(connector, module.model, request, signal);
  try {
    return await raceSignal(callFunction(connector, module.ask, request, { signal, heard }), signal);
  } catch (error) {
    if (error instanceof AttemptError || (signal.aborted && error === signal.reason)) throw error;
    throw modelError(connector, 'harness', `${messageOf(error)}${userFrame(error)}`, {
      cause: error,
      isFinal: true,
    });
  }
};

/** The stack frame in the module, for its author. */
function userFrame(error: unknown): string {
  const frames = error instanceof Error && typeof error.stack === 'string' ? error.stack.split('\n') : [];
  const frame = frames.find((line) => /^\s+at /.test(line) && !/node:|node_modules/.test(line));
  const place = /([^\\/()]+:\d+):\d+\)?$/.exec(frame ?? '')?.[1];
  return place === undefined ? '' : ` (${place})`;
}

async function load(connector: Connector, file: string, root: string): Promise<ModuleModel> {
  const namespace = await importModule(file, { root }).catch((error: unknown) => {
    const text = `cannot import ${file}: ${messageOf(error)}`;
    throw modelError(connector, 'harness', text, { cause: error, isFinal: true });
  });
  const exported = namespace['default'];
  // CommonJS compiled from an ES module has its default export one level deeper.
  const value = isObject(exported) && 'default' in exported ? exported['default'] : exported;
  if (isLanguageModel(value)) return { model: value };
  // Its parameters are documented but cannot be checked.
  if (typeof value === 'function') return { ask: value as ModelFunction };
  const text = `the default export of ${file} is neither a function nor a language model`;
  throw modelError(connector, 'harness', text, { isFinal: true });
}

async function callFunction(
  connector: Connector,
  ask: ModelFunction,
  request: ChatRequest,
  { signal, heard }: { signal: AbortSignal; heard: ((text: string) => void) | undefined },
): Promise<ModelAnswer> {
  const startedAt = performance.now();
  const given = await ask({ ...request, model: connector.model, signal });
  if (typeof given === 'string') return { content: given };
  if (typeof given === 'object' && given !== null && Symbol.asyncIterator in given)
    // Checked above; `collect` checks the chunks.
    return collect(connector, given as AsyncIterable<unknown>, startedAt, heard);
  if (isObject(given)) return readObject(connector, given);
  throw modelError(connector, 'protocol', `returned ${typeName(given)}, not an answer`);
}

function typeName(value: unknown): string {
  return value === null ? 'null' : typeof value;
}

async function collect(
  connector: Connector,
  pieces: AsyncIterable<unknown>,
  startedAt: number,
  heard: ((text: string) => void) | undefined,
): Promise<ModelAnswer> {
  const answer: ModelAnswer = { content: '' };
  for await (const piece of pieces) {
    if (typeof piece !== 'string')
      throw modelError(connector, 'protocol', `yielded ${typeName(piece)}, not text`);
    answer.first_token_ms ??= performance.now() - startedAt;
    answer.content += piece;
    heard?.(piece);
    if (answer.content.length > OUTPUT_LIMIT)
      throw modelError(connector, 'protocol', 'answered more than 10 MB', { isFinal: true });
  }
  return answer;
}

function readObject(connector: Connector, given: Record<string, unknown>): ModelAnswer {
  const { content, tool_calls: calls, usage, finish_reason: reason } = given;
  const isAnswer =
    (content === undefined || content === null || typeof content === 'string') &&
    (calls === undefined || (Array.isArray(calls) && calls.every(isObject))) &&
    (content !== undefined || calls !== undefined);
  if (!isAnswer)
    throw modelError(connector, 'protocol', 'returned an object without content (text) or tool_calls');
  const answer: ModelAnswer = { content: content ?? '' };
  if (calls !== undefined && calls.length > 0)
    answer.tool_calls = calls.map((call) => toToolCall(connector, call));
  if (typeof reason === 'string') answer.finish_reason = reason;
  const counts = toUsage(usage);
  if (counts !== undefined) answer.usage = counts;
  return answer;
}

/** Accepts the documented format and that of chat completions. */
function toToolCall(connector: Connector, call: Record<string, unknown>): ChatToolCall {
  const { name, arguments: given = {} } = isObject(call['function']) ? call['function'] : call;
  const problem = argumentsProblem(String(name), given);
  if (problem !== undefined) throw modelError(connector, 'protocol', problem);
  callCount += 1;
  return {
    id: typeof call['id'] === 'string' ? call['id'] : `call_${String(callCount)}`,
    name: String(name),
    arguments: typeof given === 'string' ? parseArguments(given) : given,
  };
}
