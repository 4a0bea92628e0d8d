// What the runner says about a test file. Each message carries the token of its run, so nothing else is taken for one.

/** What a test file threw, as text. */
export type Thrown = {
  /** Of an error whose name says something. */
  name?: string;
  message: string;
  stack?: string;
  /** The messages of its causes. */
  causes?: string[];
};

/** A count as it was returned; text if it is none. */
export type Count = number | string | undefined;

/** What a test returned, as far as it counts. */
export type Returned =
  | { kind: 'nothing' }
  | { kind: 'other'; shown: string }
  | { kind: 'counts'; passed?: Count; failed?: Count; errors: string[] };

/** The first of these is the result. */
export type Answer =
  | { type: 'returned'; returned: Returned }
  | { type: 'thrown'; during: 'import' | 'test'; thrown: Thrown }
  | { type: 'untestable'; exports: string[] };

export type Message =
  | Answer
  /** An error that nobody caught; it usually ends the process. */
  | { type: 'crashed'; thrown: Thrown }
  /** Nothing is left that could still lead to a result. */
  | { type: 'drained' }
  /** It did not end by itself in time after the result, and this keeps it alive. */
  | { type: 'open'; resources: string[] }
  /** It has ended but for what it printed, which is not read yet. */
  | { type: 'printing' }
  | { type: 'exiting' };

/** The exit code of a runner that could not send its result. */
export const LOST_RESULT_CODE = 113;
/** So many chunks are looked at until it is known whose line it is. */
const HEAD_PARTS = 50;
/** More than a message can have, unless something else writes to its channel. */
const MAX_LINE = 32 * 1024 * 1024;

/** A message as bytes on a channel: a line of its own, whatever was written before it. */
export function toLine(token: string, json: string): string {
  return `\n${token} ${json}\n`;
}

/** Takes chunks of a channel and gives the messages of one run; everything else is ignored. */
export function createMessageReader(token: string, receive: (message: Message) => void) {
  const head = `${token} `;
  /** What came of a line so far; undefined if it is none of ours. */
  let parts: string[] | undefined = [];
  let length = 0;
  const add = (part: string): void => {
    length += part.length;
    parts?.push(part);
    const begun = length > MAX_LINE ? '' : (parts?.join('').slice(0, head.length) ?? '');
    if (parts !== undefined && parts.length < HEAD_PARTS && !head.startsWith(begun)) parts = undefined;
    if (length > MAX_LINE) parts = undefined;
  };
  return (chunk: string): void => {
    const [first = '', ...others] = chunk.split('\n');
    add(first);
    for (const part of others) {
      const line = parts?.join('') ?? '';
      // Only the runner knows the token, and it writes whole messages.
      if (line.startsWith(head)) receive(JSON.parse(line.slice(head.length)) as Message);
      parts = [];
      length = 0;
      add(part);
    }
  };
}
