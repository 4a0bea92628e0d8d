// Routes as users of the AI SDK, AG-UI and Ollama have them, on loopback. Their models are scripted.

import { EventType } from '@ag-ui/core';
import { RunAgentInputSchema } from '@ag-ui/core/schemas';
import { EventEncoder } from '@ag-ui/encoder';
import * as v6 from 'ai';
import * as v5 from 'ai-v5';
import { MockLanguageModelV2, simulateReadableStream as simulateV5 } from 'ai-v5/test';
import { MockLanguageModelV3, simulateReadableStream as simulateV6 } from 'ai/test';
import { z } from 'zod';

/** Answers a request. */
export type Route = (request: { body: unknown; accept: string }) => Promise<Response> | Response;

const CITY = z.object({ city: z.string() });
const forecast = ({ city }: z.infer<typeof CITY>) => {
  if (city === 'Nowhere') throw new Error('no such place');
  return { city, degrees: 21 };
};

/** The pieces of the model's answers: first a tool call, then a text that names the tool's outcome. */
function pieces(prompt: readonly { role: string; content: unknown }[]) {
  const last = prompt.at(-1);
  const question = JSON.stringify(prompt.findLast(({ role }) => role === 'user')?.content);
  const city = /in (\w+)/.exec(question)?.[1] ?? 'Oslo';
  const text = (delta: string) => [
    { type: 'text-start' as const, id: '0' },
    ...delta.split(/(?<= )/).map((word) => ({ type: 'text-delta' as const, id: '0', delta: word })),
    { type: 'text-end' as const, id: '0' },
  ];
  if (last?.role === 'tool')
    return {
      chunks: text(`After ${String(prompt.length)} messages: it is 21 degrees.`),
      reason: 'stop' as const,
    };
  const input = JSON.stringify({ city });
  const call = [
    { type: 'reasoning-start' as const, id: 'r' },
    { type: 'reasoning-delta' as const, id: 'r', delta: 'The user wants the weather.' },
    { type: 'reasoning-end' as const, id: 'r' },
    ...text('Let me check.'),
    { type: 'tool-input-start' as const, id: 'c1', toolName: 'forecast' },
    { type: 'tool-input-delta' as const, id: 'c1', delta: input.slice(0, 5) },
    { type: 'tool-input-delta' as const, id: 'c1', delta: input.slice(5) },
    { type: 'tool-input-end' as const, id: 'c1' },
    { type: 'tool-call' as const, toolCallId: 'c1', toolName: 'forecast', input },
  ];
  return { chunks: call, reason: 'tool-calls' as const };
}

const modelV6 = new MockLanguageModelV3({
  doStream: ({ prompt }) => {
    const { chunks, reason } = pieces(prompt);
    const usage = {
      inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 5, text: 5, reasoning: 0 },
    };
    const finish = { type: 'finish' as const, finishReason: { unified: reason, raw: reason }, usage };
    return Promise.resolve({ stream: simulateV6({ chunks: [...chunks, finish] }) });
  },
});

const modelV5 = new MockLanguageModelV2({
  doStream: ({ prompt }) => {
    const { chunks, reason } = pieces(prompt);
    const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
    const finish = { type: 'finish' as const, finishReason: reason, usage };
    return Promise.resolve({ stream: simulateV5({ chunks: [...chunks, finish] }) });
  },
});

const brokenModel = new MockLanguageModelV3({
  doStream: () => Promise.reject(new Error('Rate limit reached for the model')),
});

async function messagesV6(body: unknown) {
  const { messages } = body as { messages: unknown };
  return v6.convertToModelMessages(await v6.validateUIMessages({ messages }));
}

export const routes: Record<string, Route> = {
  '/ag-ui': ({ body, accept }) => {
    const { threadId, runId, messages } = RunAgentInputSchema.parse(body);
    const encoder = new EventEncoder({ accept });
    const question = JSON.stringify(messages.at(-1)?.content);
    const events = [
      { type: EventType.RUN_STARTED, threadId, runId },
      { type: EventType.TEXT_MESSAGE_START, messageId: 'm1', role: 'assistant' },
      { type: EventType.TEXT_MESSAGE_CONTENT, messageId: 'm1', delta: 'Let me check.' },
      { type: EventType.TEXT_MESSAGE_END, messageId: 'm1' },
      { type: EventType.TOOL_CALL_START, toolCallId: 'c1', toolCallName: 'forecast', parentMessageId: 'm1' },
      { type: EventType.TOOL_CALL_ARGS, toolCallId: 'c1', delta: '{"city":' },
      { type: EventType.TOOL_CALL_ARGS, toolCallId: 'c1', delta: '"Oslo"}' },
      { type: EventType.TOOL_CALL_END, toolCallId: 'c1' },
      { type: EventType.TOOL_CALL_RESULT, messageId: 'm2', toolCallId: 'c1', content: '{"degrees":21}' },
      { type: EventType.TEXT_MESSAGE_CHUNK, messageId: 'm3', delta: `You asked ${question}` },
      { type: EventType.RUN_FINISHED, threadId, runId },
    ];
    const bytes = Buffer.concat(events.map((event) => encoder.encodeBinary(event)));
    return new Response(bytes, { headers: { 'content-type': encoder.getContentType() } });
  },
  '/ollama': () => {
    const line = (content: string, more: object) =>
      `${JSON.stringify({ model: 'm', created_at: 'now', message: { role: 'assistant', content }, ...more })}\n`;
    const end = { done: true, done_reason: 'stop', prompt_eval_count: 26, eval_count: 298 };
    const body = line('It is ', { done: false }) + line('21.', { done: false }) + line('', end);
    return new Response(body, { headers: { 'content-type': 'application/x-ndjson' } });
  },
  '/v5': ({ body }) => {
    const { messages } = body as { messages: v5.UIMessage[] };
    return v5
      .streamText({
        model: modelV5,
        messages: v5.convertToModelMessages(messages),
        allowSystemInMessages: true,
        stopWhen: v5.stepCountIs(3),
        tools: { forecast: v5.tool({ inputSchema: CITY, execute: forecast }) },
      })
      .toUIMessageStreamResponse();
  },
  '/v6': async ({ body }) =>
    v6
      .streamText({
        model: modelV6,
        messages: await messagesV6(body),
        allowSystemInMessages: true,
        stopWhen: v6.stepCountIs(3),
        tools: { forecast: v6.tool({ inputSchema: CITY, execute: forecast }) },
      })
      .toUIMessageStreamResponse({
        messageMetadata: ({ part }) => (part.type === 'finish' ? { totalUsage: part.totalUsage } : undefined),
      }),
  '/v6/broken': async ({ body }) =>
    v6
      .streamText({
        model: brokenModel,
        messages: await messagesV6(body),
        maxRetries: 0,
        onError: () => undefined,
      })
      .toUIMessageStreamResponse({ onError: (error) => (error as Error).message }),
  '/v6/text': async ({ body }) =>
    v6
      .streamText({
        model: modelV6,
        messages: await messagesV6(body),
        tools: { forecast: v6.tool({ inputSchema: CITY, execute: forecast }) },
      })
      .toTextStreamResponse(),
};
