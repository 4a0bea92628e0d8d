// Turns an agent's answer into plain JSON of bounded size.

import { AttemptError, messageOf } from '../../../errors.ts';
import type { ToolCall, Transcript } from '../../../model/agent.ts';
import { BoundedOutput, OUTPUT_LIMIT } from '../../../platform/bounded-output.ts';
import { isDeeper } from '../../../json/is-deeper.ts';
import { quote } from '../../../text/quote.ts';
import { isWellFormed, toWellFormed, toWellFormedJson } from '../../../json/well-formed.ts';

/** An answer longer than this as JSON is not judged. */
const MAX_ANSWER_LENGTH = 10 * 1024 * 1024;
/** Some report formats cannot hold a deeper answer. */
const MAX_ANSWER_DEPTH = 500;

/** User code may return any value; the result is plain JSON of bounded size. */
export function plainTranscript(transcript: Transcript): Transcript {
  if (typeof transcript.output === 'string' && Object.keys(transcript).length === 1) {
    if (transcript.output.length > MAX_ANSWER_LENGTH)
      throw tooLong(`the answer is ${megabytes(transcript.output.length)} long`);
    return isWellFormed(transcript.output) ? transcript : { output: toWellFormed(transcript.output) };
  }
  const { logs, ...answer } = transcript;
  const text = toJsonText(answer);
  if (text.length > MAX_ANSWER_LENGTH) throw tooLong(describeLongPart(answer, text.length));
  // Safe: JSON.stringify wrote it above, from a transcript.
  const plain: Transcript = { output: null, ...(JSON.parse(toWellFormedJson(text)) as object) };
  // Each level takes two characters, so short answers need no check; the transcript itself is a level.
  if (text.length > MAX_ANSWER_DEPTH * 2 && isDeeper(plain, MAX_ANSWER_DEPTH + 1)) {
    throw new AttemptError('agent', `the answer is nested deeper than ${MAX_ANSWER_DEPTH} levels`);
  }
  if (logs !== undefined) plain.logs = boundedLogs(logs);
  return plain;
}

/** Logs are not part of the answer: cuts them in the middle if they are too long. */
function boundedLogs(logs: string[]): string[] {
  if (logs.reduce((sum, line) => sum + line.length, 0) <= OUTPUT_LIMIT) return logs;
  const kept = new BoundedOutput();
  for (const line of logs) kept.push(Buffer.from(`${line}\n`));
  return kept.text().trimEnd().split('\n');
}

function toJsonText(transcript: Transcript): string {
  try {
    return JSON.stringify(transcript);
  } catch (error) {
    // Without a cause: its stack does not show where the answer was created.
    throw new AttemptError('agent', `the answer cannot be written as JSON: ${messageOf(error)}`);
  }
}

function tooLong(description: string): AttemptError {
  return new AttemptError('agent', `${description}; at most 10 MB can be judged`);
}

/** Names the part that alone is too long, if there is one. */
function describeLongPart({ output, tool_calls: calls = [], messages }: Transcript, length: number): string {
  const sizes = { output: jsonLength(output), calls: jsonLength(calls), messages: jsonLength(messages) };
  if (sizes.output > MAX_ANSWER_LENGTH) return `the answer is ${megabytes(sizes.output)} long`;
  if (sizes.messages > MAX_ANSWER_LENGTH)
    return `the messages of the answer are ${megabytes(sizes.messages)} long`;
  if (sizes.calls <= MAX_ANSWER_LENGTH)
    return `the answer with its tool calls and messages is ${megabytes(length)} long`;
  const measured = calls.map((call) => ({ call, size: jsonLength(call) }));
  const longest = measured.reduce((one, other) => (other.size > one.size ? other : one));
  // The list may hold anything: user code made it.
  const name = quote((longest.call as Partial<ToolCall> | null)?.name);
  const share = `the longest is ${name} with ${megabytes(longest.size)}`;
  return `the tool calls of the answer are ${megabytes(sizes.calls)} long (${share})`;
}

function jsonLength(value: unknown): number {
  return (JSON.stringify(value) as string | undefined)?.length ?? 0;
}

function megabytes(length: number): string {
  return `${(length / 1024 / 1024).toFixed(1)} MB`;
}
