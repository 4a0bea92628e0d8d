// Reads the body of a response as text, within a limit.

import { AttemptError } from '../../errors.ts';
import { OUTPUT_LIMIT } from '../../platform/bounded-output.ts';
import { excerpt } from '../../text/excerpt.ts';

/** The body as text, at most 10 MB of it. */
export async function readText(response: Response, where: string): Promise<string> {
  let text = '';
  for await (const piece of readPieces(response, where)) text += piece;
  return text;
}

/** The body in pieces of text. A connection error while reading means that the answer was cut off. */
export async function* readPieces(response: Response, where: string): AsyncGenerator<string> {
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
