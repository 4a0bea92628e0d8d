// What an agent hands back, as plain JSON of bounded size.

import { AttemptError, messageOf } from '../errors.ts';
import type { Transcript } from '../model/agent.ts';
import { BoundedOutput, OUTPUT_LIMIT } from '../platform/bounded-output.ts';
import { isWellFormed, toWellFormed, toWellFormedJson } from '../platform/well-formed.ts';

/** An answer longer than this as JSON is not judged. */
const MAX_ANSWER_LENGTH = 10 * 1024 * 1024;
/** An answer nested deeper than this could not be written to every report. */
const MAX_ANSWER_DEPTH = 500;

/** What user code hands back may hold anything; from here on it is plain JSON of bounded size. */
export function plainTranscript(transcript: Transcript): Transcript {
  if (typeof transcript.output === 'string' && Object.keys(transcript).length === 1) {
    if (transcript.output.length > MAX_ANSWER_LENGTH) throw tooLong(transcript.output.length);
    return isWellFormed(transcript.output) ? transcript : { output: toWellFormed(transcript.output) };
  }
  const { logs, ...answer } = transcript;
  const text = toJsonText(answer);
  if (text.length > MAX_ANSWER_LENGTH) throw tooLong(text.length);
  // Written by JSON.stringify above, from a transcript.
  const plain: Transcript = { output: null, ...(JSON.parse(toWellFormedJson(text)) as object) };
  // Each level takes two characters, so that short answers need no look; the transcript itself is a level.
  if (text.length > MAX_ANSWER_DEPTH * 2 && isDeeper(plain, MAX_ANSWER_DEPTH + 1)) {
    throw new AttemptError('agent', `the answer is nested deeper than ${MAX_ANSWER_DEPTH} levels`);
  }
  if (logs !== undefined) plain.logs = boundedLogs(logs);
  return plain;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((field) => isDeeper(field, levels - 1));
}

/** What an agent logs is no part of its answer: too much of it is cut in the middle. */
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
    // Where that was found is of no use: the answer was made elsewhere.
    throw new AttemptError('agent', `the answer cannot be written as JSON: ${messageOf(error)}`);
  }
}

function tooLong(length: number): AttemptError {
  const size = (length / 1024 / 1024).toFixed(1);
  return new AttemptError('agent', `the answer is ${size} MB long; at most 10 MB can be judged`);
}
