// Reads a streamed response: server-sent events, lines of JSON, or lines of the AI SDK's data stream.

import type { Transcript } from '../../model/agent.ts';
import { ServerEvents } from '../../platform/server-events.ts';
import type { AnswerPaths } from './http-answer.ts';
import { readPieces } from './http-body.ts';
import { JoinedEvents } from './http-events.ts';

/** `ui events` are those of a response that says to be a UI message stream of the AI SDK. */
export type StreamForm = 'events' | 'ui events' | 'json lines' | 'data lines';

/** Feeds on pieces of text. `end` handles an event whose end is missing. */
type Splitter = { push(piece: string): void; end(): void };

/** Reads the stream to its end. */
export async function readStream(
  form: StreamForm,
  response: Response,
  where: string,
  paths: AnswerPaths,
): Promise<Transcript> {
  const joined = new JoinedEvents(where, paths, form === 'ui events');
  const splitter = openSplitter(form, joined);
  for await (const piece of readPieces(response, where)) {
    splitter.push(piece);
    if (joined.isDone) return joined.transcript();
  }
  splitter.end();
  return joined.transcript();
}

function openSplitter(form: StreamForm, joined: JoinedEvents): Splitter {
  if (form === 'json lines' || form === 'data lines')
    return splitLines((line, isWhole) => {
      if (form === 'json lines') joined.addJsonLine(line, isWhole);
      else joined.addDataLine(line, isWhole);
    });
  let isWhole = true;
  const events = new ServerEvents((data, name) => joined.addEvent(name, data, isWhole));
  return {
    push: (piece) => events.push(piece),
    end() {
      isWhole = false;
      events.end();
    },
  };
}

/** Splits text into lines without empty ones. The last line is not whole if its line break is missing. */
function splitLines(emit: (line: string, isWhole: boolean) => void): Splitter {
  let rest = '';
  const emitLine = (line: string, isWhole: boolean): void => {
    if (line.trim() !== '') emit(line.trim(), isWhole);
  };
  return {
    push(piece) {
      const lines = piece.split('\n');
      const last = lines.pop() ?? '';
      for (const line of lines) {
        emitLine(rest + line, true);
        rest = '';
      }
      rest += last;
    },
    end: () => emitLine(rest, false),
  };
}
