// The interface of a protocol of streams.

import type { AnswerParts } from './answer-parts.ts';

/** An event, read field by field. */
export type Fields = Record<string, unknown>;

export type Protocol = {
  /** The event that ends a complete stream, for messages. */
  end: string;
  /** True if streams list every tool call, so that a stream without one is an answer without tool calls. */
  reportsAllCalls: boolean;
  /** True only for events of this protocol. */
  recognises(event: unknown): boolean;
  /** Starts reading: the returned function adds one event to the parts. */
  open(parts: AnswerParts): (event: unknown) => void;
};
