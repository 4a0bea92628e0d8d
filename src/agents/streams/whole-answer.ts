// Reads a whole answer of a known service: chat completions and responses of OpenAI, messages of Anthropic, answers of Ollama.

import { isObject } from '../../json/is-object.ts';
import type { Transcript } from '../../model/agent.ts';
import { toUsage } from '../../model/spending.ts';
import { AttemptError } from '../../errors.ts';
import { AnswerParts } from './answer-parts.ts';
import { messageUsage, readBlock } from './anthropic-messages.ts';
import { isOllama, readOllama } from './ollama.ts';
import { readItem } from './openai-responses.ts';
import type { Fields } from './protocol.ts';
import { cutOff, streamFailure, unreadableEvent } from './stream-failure.ts';

/** The transcript of an answer; undefined if the value is not an answer of a known service. Throws an error that it reports. */
export function readWholeAnswer(value: unknown, where = 'the agent'): Transcript | undefined {
  if (!isObject(value)) return undefined;
  const read = readerFor(value);
  if (read === undefined) return undefined;
  const parts = new AnswerParts(where);
  read(value, parts);
  return parts.toTranscript(false);
}

function readerFor(value: Fields): ((answer: Fields, parts: AnswerParts) => void) | undefined {
  const { object, type, role, choices, output, content } = value;
  if (object === 'chat.completion' && Array.isArray(choices)) return readCompletion;
  if (object === 'response' && Array.isArray(output)) return readResponse;
  if (type === 'message' && role === 'assistant' && Array.isArray(content)) return readMessage;
  return isOllama(value) ? readWholeOllama : undefined;
}

/** A list of objects; one that is missing is empty. */
function listOf(value: unknown, parts: AnswerParts): Fields[] {
  const list = value ?? [];
  if (!Array.isArray(list) || !list.every(isObject)) throw unreadableEvent(parts.where, value);
  return list;
}

/** Only the first of several choices is the answer. */
function readCompletion(answer: Fields, parts: AnswerParts): void {
  const { choices, usage } = answer;
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const message = isObject(choice) ? choice['message'] : undefined;
  if (!isObject(message))
    throw new AttemptError('protocol', `${parts.where} answered a chat completion without a message`);
  parts.addContent(message['content'] ?? message['refusal'], message);
  listOf(message['tool_calls'], parts).forEach((call, index) => {
    // Calls of custom tools have text as their input.
    const called = [call['function'], call['custom']].find(isObject) ?? {};
    parts.openCall(index, called['name'], message);
    parts.setArguments(index, called['arguments'] ?? called['input']);
  });
  parts.setUsage(answer, toUsage(usage));
}

function readResponse(answer: Fields, parts: AnswerParts): void {
  const { status, error, output, usage } = answer;
  if (status === 'failed') throw streamFailure(parts.where, error ?? answer);
  if (status === 'queued' || status === 'in_progress')
    throw new AttemptError('protocol', `${parts.where} answered before its response was complete: ${status}`);
  for (const item of listOf(output, parts)) {
    if (item['type'] === 'message') parts.nextStep();
    readItem(item, parts, item);
  }
  parts.setUsage(answer, toUsage(usage));
}

function readMessage(answer: Fields, parts: AnswerParts): void {
  const { content, usage } = answer;
  for (const block of listOf(content, parts)) readBlock(block, parts, block);
  parts.setUsage(answer, messageUsage(usage));
}

function readWholeOllama(answer: Fields, parts: AnswerParts): void {
  if (answer['done'] !== true) throw cutOff(parts.where, '"done": true');
  readOllama(answer, parts, 0);
}
