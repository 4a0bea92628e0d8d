// Errors of answers that cannot be read. They say nothing about the quality of the agent, so the attempt is not measured.

import { AttemptError } from '../../errors.ts';
import { OUTPUT_LIMIT } from '../../platform/bounded-output.ts';
import { quote } from '../../text/quote.ts';

export { OUTPUT_LIMIT } from '../../platform/bounded-output.ts';

const READABLE =
  'return text, a plain object or list, a transcript {output, tool_calls, usage}, a Response, ' +
  'or an answer or stream of the AI SDK, OpenAI, Anthropic, Google Gen AI or LangChain';

/** The function returned a value that Assay does not know. */
export function unreadable(what: string, remedy = READABLE): AttemptError {
  return new AttemptError('protocol', `the agent returned ${what}, which cannot be judged; ${remedy}`, {
    isFinal: true,
  });
}

/** An answer of a known format that is not whole. */
export function incompleteAnswer(what: string, problem: string): AttemptError {
  return new AttemptError('protocol', `the agent returned a ${what} that cannot be read: ${problem}`);
}

/** A tool ran that the calls of the answer lack, so nothing can be said about the calls. */
export function unknownCall(what: string, id: unknown): AttemptError {
  const name = typeof id === 'string' ? ` ${quote(id)}` : '';
  return incompleteAnswer(what, `it has the result of a tool call${name}, but not the call`);
}

export function answerTooLong(): AttemptError {
  const limit = `${String(OUTPUT_LIMIT / 1024 / 1024)} MB`;
  return new AttemptError('agent', `answered more than ${limit}; at most ${limit} of an answer is read`);
}
