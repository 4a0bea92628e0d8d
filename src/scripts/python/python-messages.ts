// The messages between Assay and python-runner.py: JSON lines on file descriptor 3 of the Python process.

import { isObject } from '../../json/is-object.ts';

export type ToPython =
  | { type: 'call'; id: number; function: string; given: readonly string[]; arguments: unknown[] }
  | { type: 'cancel'; id: number };

/** Why a file cannot be used. */
export type Unloadable = {
  type: 'unloadable';
  message: string;
  file: string;
  line?: number | null;
  stack?: string;
  /** The module that is not installed. */
  missing?: string | null;
  /** The file was imported, but its function cannot be called. */
  is_usage: boolean;
};

export type FromPython =
  | { type: 'alive'; id: number }
  | { type: 'loaded' }
  | { type: 'old'; version: string }
  | { type: 'printed'; id: number; text: string }
  | { type: 'raised'; id: number; message: string; stack?: string }
  | { type: 'returned'; id: number; value: unknown }
  | Unloadable;

/** Far more than the longest answer that the runner sends. */
const MAX_LINE_BYTES = 128 * 1024 * 1024;
const LINE_FEED = 10;

/** Reads the messages of chunks; calls `broken` for anything else, because user code can write to the channel. */
export function createMessageReader(
  receive: (message: FromPython) => void,
  broken: () => void,
): (chunk: Buffer) => void {
  let rest: Buffer[] = [];
  let length = 0;
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      const last = chunk.subarray(start, end);
      const line = rest.length === 0 ? last : Buffer.concat([...rest, last]);
      rest = [];
      length = 0;
      start = end + 1;
      const message = parseMessage(line.toString('utf8'));
      if (message === undefined) return broken();
      receive(message);
    }
    length += chunk.length - start;
    if (length > MAX_LINE_BYTES) return broken();
    if (start < chunk.length) rest.push(chunk.subarray(start));
  };
}

function parseMessage(line: string): FromPython | undefined {
  try {
    const message: unknown = JSON.parse(line);
    return isMessage(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

/** Checks the fields that are used; the value of an answer may be anything. */
function isMessage(message: unknown): message is FromPython {
  if (!isObject(message)) return false;
  const { type, id, message: text, stack, version, file } = message;
  switch (type) {
    case 'loaded':
      return true;
    case 'old':
      return typeof version === 'string';
    case 'unloadable':
      return typeof text === 'string' && typeof file === 'string';
    case 'alive':
    case 'returned':
      return typeof id === 'number';
    case 'printed':
      return typeof id === 'number' && typeof message['text'] === 'string';
    case 'raised':
      return (
        typeof id === 'number' && typeof text === 'string' && ['string', 'undefined'].includes(typeof stack)
      );
    default:
      return false;
  }
}
