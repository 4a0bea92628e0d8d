// Mastra agents.

import { toPrompt } from '../../connectors/models/ai-sdk-prompt.ts';
import type { ToolCall } from '../../model/agent.ts';
import type { Fields, Framework } from './framework.ts';
import { callMethod, readField, hasMethods, objectsIn, textIn } from './framework.ts';
import { callsIn, errorText, fromModelMessages } from './model-messages.ts';
import type { ModelCall } from './spending.ts';
import { addUpSpending, tokenCounts } from './spending.ts';

/** Before version 1, a tool that threw had a result with this code. */
const TOOL_FAILED = 'TOOL_EXECUTION_FAILED';

export const mastra: Framework = {
  title: 'Mastra (Agent)',
  isAgent: (value) => hasMethods(value, 'generate', 'getInstructions', 'getModel'),
  open: (agent) => async (messages, signal) => {
    const result = await callMethod(agent, 'generate', toPrompt(messages), { abortSignal: signal });
    const error = readField(result, 'error');
    if (error !== undefined && error !== null) throw error;
    const steps = readField(result, 'steps');
    // Of parallel calls, steps list only the last.
    const said = readField(readField(result, 'response'), 'messages');
    return {
      output: readField(result, 'object') ?? readField(result, 'text') ?? null,
      tool_calls: callsIn(said, readPart),
      messages: [...messages, ...fromModelMessages(said)],
      ...(await addUpSpending(objectsIn(steps).map(toModelCall))),
    };
  },
};

/** The result as the model gets it; its type marks errors. */
function readPart({ type, output }: Fields): Pick<ToolCall, 'error' | 'result'> | undefined {
  if (type !== 'tool-result') return undefined;
  const value = readField(output, 'value');
  const isError =
    textIn(output, 'type')?.startsWith('error') === true || textIn(value, 'code') === TOOL_FAILED;
  if (isError) return { error: errorText(value) };
  return { result: value ?? null };
}

function toModelCall(step: Fields): ModelCall {
  const response = readField(step, 'response');
  const metadata = readField(response, 'modelMetadata');
  const usage = readField(step, 'usage');
  return {
    provider: textIn(metadata, 'modelProvider'),
    model: textIn(metadata, 'modelId') ?? textIn(response, 'modelId'),
    usage: tokenCounts(readField(usage, 'inputTokens'), readField(usage, 'outputTokens'), {
      read: readField(usage, 'cachedInputTokens'),
    }),
  };
}
