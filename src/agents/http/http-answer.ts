// Reads the response of an endpoint as a transcript: JSON, text or a stream of events.

import { AttemptError } from '../../errors.ts';
import type { HttpRun, Transcript } from '../../model/agent.ts';
import { OUTPUT_LIMIT } from '../../platform/bounded-output.ts';
import { ServerEvents } from '../../platform/server-events.ts';
import { excerpt } from '../../text/excerpt.ts';
import { parseJson } from '../../json/parse-json.ts';
import { readParts, selectPath } from './http-parts.ts';
import { JoinedEvents } from './http-events.ts';
import { toTranscript } from '../transcript.ts';

/** JSONPaths of the parts of an answer. */
export type AnswerPaths = Pick<HttpRun, 'output' | 'tool_calls' | 'usage'>;

/** Reads the whole body. A connection error while reading means that the answer was cut off. */
export async function readAnswer(
  response: Response,
  where: string,
  paths: AnswerPaths = {},
): Promise<Transcript> {
  const type = (response.headers.get('content-type') ?? '').toLowerCase();
  if (type.startsWith('text/event-stream')) return readEvents(response, where, paths);
  const { output } = paths;
  const hasPaths = output !== undefined || paths.tool_calls !== undefined || paths.usage !== undefined;
  const text = await readText(response, where);
  const isJson = /^application\/(?:[^;]*\+)?json\b/.test(type);
  if (!isJson && !hasPaths && type !== '') return { output: text };
  const parsed = parseJson(text);
  if (parsed !== undefined) {
    const { value } = parsed;
    const answer = output === undefined ? toTranscript(value, paths) : { output: pick(value, output, where) };
    return { ...answer, ...readParts(value, paths, where) };
  }
  if (isJson && text === '' && response.status === 204) return { output: null };
  if (!isJson && !hasPaths) return { output: text };
  throw new AttemptError('protocol', `${where} answered something that is not JSON: ${excerpt(text)}`);
}

/** The body as text, at most 10 MB of it. */
export async function readText(response: Response, where: string): Promise<string> {
  let text = '';
  for await (const piece of pieces(response, where)) text += piece;
  return text;
}

async function readEvents(response: Response, where: string, paths: AnswerPaths): Promise<Transcript> {
  const joined = new JoinedEvents(where, paths);
  let isDone = false;
  let isWhole = true;
  const events = new ServerEvents((data, event) => {
    isDone ||= joined.add(event, data, isWhole);
  });
  for await (const piece of pieces(response, where)) {
    events.push(piece);
    if (isDone) return joined.transcript();
  }
  isWhole = false;
  events.end();
  return joined.transcript();
}

async function* pieces(response: Response, where: string): AsyncGenerator<string> {
  if (response.body === null) return;
  const decoder = decoderFor(response, where);
  const reader = response.body.getReader();
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw new AttemptError('protocol', `${where} cut its answer off after ${String(length)} bytes`, {
          cause,
        });
      });
      if (done) break;
      length += value.length;
      if (length > OUTPUT_LIMIT) {
        throw new AttemptError(
          'agent',
          `${where} answered more than 10 MB; at most 10 MB of an answer is read`,
        );
      }
      yield decoder.decode(value, { stream: true });
    }
    yield decoder.decode();
  } finally {
    // Frees the connection if the answer was not read completely.
    reader.cancel().catch(() => undefined);
  }
}

/** Decodes with the charset that the answer names; UTF-8 without one. */
function decoderFor(response: Response, where: string): InstanceType<typeof TextDecoder> {
  const [, charset = 'utf-8'] =
    /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(response.headers.get('content-type') ?? '') ?? [];
  try {
    return new TextDecoder(charset);
  } catch (cause) {
    throw new AttemptError('protocol', `${where} answered in the unknown charset ${excerpt(charset)}`, {
      cause,
    });
  }
}

function pick(value: unknown, path: string, where: string): unknown {
  const found = selectPath(value, path);
  if (found.length === 0) {
    throw new AttemptError(
      'protocol',
      `nothing at ${path} in the answer of ${where}: ${excerpt(JSON.stringify(value))}`,
    );
  }
  return found.length === 1 ? found[0] : found;
}
