// Reads the response of an endpoint as a transcript: JSON, text or a stream of events.

import { AttemptError } from '../../errors.ts';
import type { HttpRun, Transcript } from '../../model/agent.ts';
import { excerpt } from '../../text/excerpt.ts';
import { parseJson } from '../../json/parse-json.ts';
import { readText } from './http-body.ts';
import { readParts, selectPath } from './http-parts.ts';
import { toTranscript } from '../transcript.ts';
import type { StreamForm } from './http-stream.ts';
import { isObject } from '../../json/is-object.ts';

/** JSONPaths of the parts of an answer. */
export type AnswerPaths = Pick<HttpRun, 'output' | 'tool_calls' | 'usage'>;

/** Reads the whole answer. */
export async function readAnswer(
  response: Response,
  where: string,
  paths: AnswerPaths = {},
): Promise<Transcript> {
  const type = (response.headers.get('content-type') ?? '').toLowerCase();
  const form = streamForm(type, response.headers);
  if (form !== undefined) {
    const { readStream } = await import('./http-stream.ts');
    return readStream(form, response, where, paths);
  }
  if (type.startsWith('application/vnd.ag-ui.event+proto'))
    throw new AttemptError(
      'protocol',
      `${where} answered in the binary form of AG-UI, which cannot be read; add "format": "ag-ui" to the agent's package.yao to ask for text`,
      { isFinal: true },
    );
  const { output } = paths;
  const hasPaths = output !== undefined || paths.tool_calls !== undefined || paths.usage !== undefined;
  const text = await readText(response, where);
  const isJson = /^application\/(?:[^;]*\+)?json\b/.test(type);
  if (!isJson && !hasPaths && type !== '') return { output: text };
  const parsed = parseJson(text);
  if (parsed !== undefined) {
    const { value } = parsed;
    const answer =
      output === undefined ? await readWhole(value, where, paths) : { output: pick(value, output, where) };
    return { ...answer, ...readParts(value, paths, where) };
  }
  if (isJson && text === '' && response.status === 204) return { output: null };
  if (!isJson && !hasPaths) return { output: text };
  throw new AttemptError('protocol', `${where} answered something that is not JSON: ${excerpt(text)}`);
}

const LINES = /^application\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines)\b/;

/** The form of a stream; undefined for whole answers. */
function streamForm(type: string, headers: Headers): StreamForm | undefined {
  if (headers.has('x-vercel-ai-ui-message-stream')) return 'ui events';
  if (type.startsWith('text/event-stream')) return 'events';
  if (headers.has('x-vercel-ai-data-stream')) return 'data lines';
  return LINES.test(type) ? 'json lines' : undefined;
}

/** Reads the answer of a known service, or any other JSON. */
async function readWhole(value: unknown, where: string, paths: AnswerPaths): Promise<Transcript> {
  // Saves other agents the time to load the readers.
  const mayBeService =
    isObject(value) && ['choices', 'content', 'done', 'object'].some((key) => key in value);
  if (!mayBeService) return toTranscript(value, paths);
  const { readWholeAnswer } = await import('../streams/whole-answer.ts');
  return readWholeAnswer(value, where) ?? toTranscript(value, paths);
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
