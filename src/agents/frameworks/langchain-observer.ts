// Observes a LangChain run through callbacks: every model and tool call, also those that leave no message in the state.

import type { ToolCall } from '../../model/agent.ts';
import { jsonOrText } from '../../json/parse-json.ts';
import { noteModelError } from './failure.ts';
import type { Fields } from './framework.ts';
import { readField, objectsIn, textIn } from './framework.ts';
import { isLangChainMessage } from '../plain-answer.ts';
import { errorText } from './model-messages.ts';
import type { ModelCall } from './spending.ts';
import { tokenCounts } from './spending.ts';

export type RunObserver = {
  /** The callback handler to pass to the call. */
  handler: Fields;
  modelCalls: ModelCall[];
  toolCalls: ToolCall[];
};

/** Observes one run. Tool calls that a model requests but the agent never makes are recorded too. */
export function observeRun(): RunObserver {
  const modelCalls: ModelCall[] = [];
  const toolCalls: ToolCall[] = [];
  const wanted = new Map<unknown, ToolCall>();
  const running = new Map<unknown, ToolCall>();
  const add = (name: unknown, args: unknown): ToolCall => {
    const call = { name: String(name), arguments: args };
    toolCalls.push(call);
    return call;
  };
  const handler = {
    name: 'assay',
    // Otherwise the last callbacks run after the result is returned.
    awaitHandlers: true,
    handleLLMEnd(result: unknown) {
      const generations = readField(result, 'generations');
      for (const [first] of (Array.isArray(generations) ? generations : []).map(objectsIn)) {
        const message = readField(first, 'message');
        modelCalls.push(toModelCall(message, readField(result, 'llmOutput')));
        for (const { id, name, args } of objectsIn(readField(message, 'tool_calls')))
          wanted.set(id, add(name, args));
      }
    },
    handleLLMError: noteModelError,
    handleToolStart(_tool: unknown, input: unknown, runId: unknown, ...rest: unknown[]) {
      const [, , , name, id] = rest;
      const known = id === undefined ? undefined : wanted.get(id);
      running.set(runId, known ?? add(name ?? 'tool', jsonOrText(input)));
    },
    handleToolEnd(output: unknown, runId: unknown) {
      const call = running.get(runId);
      if (call !== undefined) Object.assign(call, toolResult(output));
    },
    handleToolError(error: unknown, runId: unknown) {
      const call = running.get(runId);
      if (call !== undefined) call.error = errorText(error);
    },
  };
  return { handler, modelCalls, toolCalls };
}

function toModelCall(message: unknown, llmOutput: unknown): ModelCall {
  const usage = readField(message, 'usage_metadata');
  const details = readField(usage, 'input_token_details');
  const metadata = readField(message, 'response_metadata');
  const total = readField(llmOutput, 'tokenUsage');
  return {
    provider: textIn(metadata, 'model_provider'),
    model: textIn(metadata, 'model_name') ?? textIn(metadata, 'model'),
    usage: tokenCounts(
      readField(usage, 'input_tokens') ?? readField(total, 'promptTokens'),
      readField(usage, 'output_tokens') ?? readField(total, 'completionTokens'),
      { read: readField(details, 'cache_read'), write: readField(details, 'cache_creation') },
    ),
  };
}

/** A tool's output is a message, a command that routes to another node, or a plain value. */
function toolResult(output: unknown): Pick<ToolCall, 'error' | 'result'> {
  if (isLangChainMessage(output)) {
    const content = readField(output, 'content') ?? null;
    return textIn(output, 'status') === 'error' ? { error: errorText(content) } : { result: content };
  }
  if (textIn(output, 'lg_name') === 'Command') return { result: { goto: readField(output, 'goto') } };
  return { result: output ?? null };
}
