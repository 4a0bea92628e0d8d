// The messages of the runner about a test file. Each carries the token of its run, which only the runner knows.

/** A value that a test file threw, as text. */
export type Thrown = {
  /** The name of the error, unless it is just "Error". */
  name?: string;
  message: string;
  stack?: string;
  /** The messages of its causes. */
  causes?: string[];
};

/** A returned count; text if it is not a valid count. */
export type Count = number | string | undefined;

/** The relevant parts of the value that a test returned. */
export type Returned =
  | { kind: 'nothing' }
  | { kind: 'other'; shown: string }
  | { kind: 'counts'; passed?: Count; failed?: Count; errors: string[] };

/** A failed test of a framework. */
export type TestFailure = { test: string; thrown: Thrown };

/** The first answer is the result. */
export type Answer =
  /** The tests of node:test or vitest; of very many failures only the first. */
  | { type: 'tested'; passed: number; failed: number; skipped: number; failures: TestFailure[] }
  | { type: 'returned'; returned: Returned }
  | { type: 'thrown'; during: 'import' | 'test'; thrown: Thrown }
  | { type: 'untestable'; exports: string[] };

export type Message =
  | Answer
  /** An uncaught error, which usually ends the process. */
  | { type: 'crashed'; thrown: Thrown }
  /** The event loop is empty before a result. */
  | { type: 'drained' }
  /** It did not exit in time after the result: these resources keep it alive. */
  | { type: 'open'; resources: string[] }
  /** It only waits until its output is read. */
  | { type: 'printing' }
  | { type: 'exiting' };

/** The exit code of a runner that could not send its result. */
export const LOST_RESULT_CODE = 113;
/** Check the beginning of a line for this many chunks. */
const HEAD_PARTS = 50;
/** No message is longer; something else must have written to the channel. */
const MAX_LINE = 32 * 1024 * 1024;

/** A message as a line of its own, even after other output on the channel. */
export function toLine(token: string, json: string): string {
  return `\n${token} ${json}\n`;
}

/** Reads the messages of one run from chunks of a channel, and ignores everything else. */
export function createMessageReader(token: string, receive: (message: Message) => void) {
  const head = `${token} `;
  /** The chunks of the current line; undefined if it is not a message. */
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
