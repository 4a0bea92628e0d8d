// Parts of the AI SDK: those of UI message streams (`toUIMessageStreamResponse`) and those of `fullStream`. Both have the same
// events under slightly different names.

import { isObject } from '../../json/is-object.ts';
import type { Usage } from '../../model/agent.ts';
import { AttemptError } from '../../errors.ts';
import type { AnswerParts } from './answer-parts.ts';
import type { Fields, Protocol } from './protocol.ts';
import { errorText, streamFailure, unreadableEvent } from './stream-failure.ts';
import { tokenCounts } from './token-counts.ts';

/** Parts by type; parts of other types are no part of the answer: reasoning, sources, files, data. */
const READERS: Record<string, (part: Fields, parts: AnswerParts) => void> = {
  abort(part, parts) {
    const why = typeof part['reason'] === 'string' ? `: ${part['reason']}` : '';
    throw new AttemptError('agent', `${parts.where} aborted its answer${why}`);
  },
  finish: readFinish,
  'finish-step': (_part, parts) => parts.nextStep(),
  start: (_part, parts) => parts.begin(),
  'start-step': (_part, parts) => parts.nextStep(),
  'step-finish': (_part, parts) => parts.nextStep(),
  'step-start': (_part, parts) => parts.begin(),
  'text-delta': (part, parts) => parts.addText(part['delta'] ?? part['text'] ?? part['textDelta'], part),
  'tool-call': readCall,
  'tool-call-delta': (part, parts) => parts.addArguments(part['toolCallId'], part['argsTextDelta'], part),
  'tool-call-streaming-start': (part, parts) => parts.openCall(part['toolCallId'], part['toolName'], part),
  'tool-error': (part, parts) => parts.settleCall(part['toolCallId'], { error: errorText(part['error']) }),
  'tool-input-available': readCall,
  'tool-input-delta'(part, parts) {
    const { toolCallId, id, inputTextDelta, delta } = part;
    parts.addArguments(toolCallId ?? id, inputTextDelta ?? delta, part);
  },
  'tool-input-error'(part, parts) {
    readCall(part, parts);
    parts.settleCall(part['toolCallId'], { error: errorText(part['errorText']) });
  },
  'tool-input-start': (part, parts) =>
    parts.openCall(part['toolCallId'] ?? part['id'], part['toolName'], part),
  'tool-output-available': (part, parts) => readResult(part['toolCallId'], part['output'], parts),
  'tool-output-denied': (part, parts) =>
    parts.settleCall(part['toolCallId'], { error: 'the call was denied' }),
  'tool-output-error'(part, parts) {
    parts.settleCall(part['toolCallId'], { error: errorText(part['errorText']) });
  },
  'tool-result': ({ toolCallId, output, result }, parts) => readResult(toolCallId, output ?? result, parts),
};

/** Parts without a reader and without a field that other protocols lack. */
const PLAIN_TYPES =
  /^(?:(?:text|reasoning)-(?:start|end)|reasoning-delta|(?:start|finish)-step|step-(?:start|finish)|message-metadata|source-(?:url|document))$/;

/** The fields of the parts at the start and the end, whose types are ordinary words. */
const FRAME_FIELDS = [
  'finishReason',
  'messageId',
  'messageMetadata',
  'reason',
  'totalUsage',
  'type',
  'usage',
];

export const aiSdkParts: Protocol = {
  end: '"finish"',
  reportsAllCalls: true,
  recognises(event) {
    // Mastra has parts of the same types with a `payload`.
    if (!isObject(event) || typeof event['type'] !== 'string' || isObject(event['payload'])) return false;
    const { type, toolCallId, id, delta, text, textDelta } = event;
    if (type === 'start' || type === 'finish' || type === 'abort')
      return Object.keys(event).every((key) => FRAME_FIELDS.includes(key));
    // A field of the wrong type is an error of the reader.
    if (type === 'text-delta') return (delta ?? text ?? textDelta ?? id) !== undefined;
    if (type.startsWith('tool-')) return Object.hasOwn(READERS, type) && (toolCallId ?? id) !== undefined;
    return PLAIN_TYPES.test(type) || (type.startsWith('data-') && Object.hasOwn(event, 'data'));
  },
  open: (parts) => (event) => {
    // Checked by the reader.
    const part = event as Fields;
    const { type } = part;
    if (typeof type !== 'string') throw unreadableEvent(parts.where, event);
    if (Object.hasOwn(READERS, type)) READERS[type]?.(part, parts);
  },
};

function readCall(part: Fields, parts: AnswerParts): void {
  const { toolCallId, toolName, input, args } = part;
  parts.openCall(toolCallId, toolName, part);
  parts.setArguments(toolCallId, input ?? args);
}

function readResult(id: unknown, result: unknown, parts: AnswerParts): void {
  parts.settleCall(id, { result: result ?? null });
}

function readFinish(part: Fields, parts: AnswerParts): void {
  if (part['finishReason'] === 'error') throw streamFailure(parts.where, 'the model call failed');
  const { messageMetadata: metadata, totalUsage, usage } = part;
  // UI message streams have no counts of their own; routes send those of the result as metadata.
  const counts =
    totalUsage ?? usage ?? (isObject(metadata) ? (metadata['totalUsage'] ?? metadata['usage']) : undefined);
  parts.setUsage(parts.step, readUsage(counts));
  parts.end();
}

/** Version 4 has other names. */
export function readUsage(counts: unknown): Usage | undefined {
  return (
    tokenCounts(counts, 'inputTokens', 'outputTokens') ??
    tokenCounts(counts, 'promptTokens', 'completionTokens')
  );
}
