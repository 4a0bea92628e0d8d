// Agents of the AI SDK: `ToolLoopAgent`, and everything else with its interface.

import { toPrompt } from '../../connectors/models/ai-sdk-prompt.ts';
import type { ToolCall, Transcript } from '../../model/agent.ts';
import type { Message } from '../../model/case.ts';
import { isObject } from '../../json/is-object.ts';
import type { Fields, Framework } from './framework.ts';
import { callMethod, readField, hasMethods, objectsIn, textIn } from './framework.ts';
import { callsIn, errorText, fromModelMessages } from './model-messages.ts';
import type { ModelCall } from './spending.ts';
import { addUpSpending, tokenCounts } from './spending.ts';

/** Newer agents have a `version`; older ones are recognised by their `settings`. */
export const aiSdk: Framework = {
  title: 'AI SDK (ToolLoopAgent)',
  isAgent: (value) =>
    hasMethods(value, 'generate', 'stream') &&
    (textIn(value, 'version')?.startsWith('agent-v') === true || isObject(readField(value, 'settings'))),
  open: (agent) => async (messages, signal) => {
    const hasSystem = messages.some(({ role }) => role === 'system' || role === 'developer');
    const result = await callMethod(agent, 'generate', {
      messages: toPrompt(messages),
      abortSignal: signal,
      // System messages of the case are trusted.
      ...(hasSystem && { allowSystemInMessages: true }),
    });
    return readGeneration(result, messages);
  },
};

/** Reads what `generateText` returns, or the fields of what `streamText` returns once its promises are resolved. */
export async function readGeneration(result: unknown, given: readonly Message[]): Promise<Transcript> {
  const steps = readField(result, 'steps');
  // Since version 7, `response` has only the messages of the last step.
  const said = readField(result, 'responseMessages') ?? readField(readField(result, 'response'), 'messages');
  return {
    output: await readOutput(result),
    tool_calls: callsIn(steps, readPart),
    messages: [...given, ...fromModelMessages(said)],
    ...(await addUpSpending(objectsIn(steps).map(toModelCall))),
  };
}

/** The structured output of the agent, else its text. The getters throw if there is no structured output. */
async function readOutput(result: unknown): Promise<unknown> {
  const output = readField(result, 'output') ?? readField(result, 'experimental_output');
  return (await output) ?? readField(result, 'text') ?? null;
}

function readPart({ type, output, error }: Fields): Pick<ToolCall, 'error' | 'result'> | undefined {
  if (type === 'tool-result') return { result: output ?? null };
  return type === 'tool-error' ? { error: errorText(error) } : undefined;
}

/** A step, or anything else that has the usage of one call. */
export function toModelCall(step: Fields): ModelCall {
  const model = readField(step, 'model');
  const usage = readField(step, 'usage');
  const details = readField(usage, 'inputTokenDetails');
  return {
    provider: textIn(model, 'provider'),
    model: textIn(model, 'modelId') ?? textIn(readField(step, 'response'), 'modelId'),
    usage: tokenCounts(readField(usage, 'inputTokens'), readField(usage, 'outputTokens'), {
      read: readField(details, 'cacheReadTokens') ?? readField(usage, 'cachedInputTokens'),
      write: readField(details, 'cacheWriteTokens'),
    }),
  };
}
