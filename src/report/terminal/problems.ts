// Errors as text: what, where, what to do.

import { ConfigError, RuntimeError, messageOf } from '../../errors.ts';
import type { Problem } from '../../errors.ts';
import { escapeControls } from '../../text/untrusted.ts';

/** Describes any thrown value; a configuration error shows all of its problems. */
export function describeProblem(error: unknown): string {
  if (error instanceof ConfigError) return error.problems.map(describe).join('\n');
  if (!(error instanceof RuntimeError)) return escapeControls(messageOf(error));
  const cause = error.cause === undefined ? '' : messageOf(error.cause);
  const addsInformation = cause !== '' && !error.message.includes(cause);
  const message = addsInformation ? `${error.message}: ${cause}` : error.message;
  return describe(error.hint === undefined ? { message } : { message, hint: error.hint });
}

function describe({ message, at, hint }: Problem): string {
  const headline = at === undefined ? message : `${at}: ${message}`;
  return escapeControls(hint === undefined ? headline : `${headline}\n  hint:${indented(hint)}`);
}

/** Indents all lines alike, so that code and the caret below it stay aligned. */
function indented(hint: string): string {
  return hint.includes('\n') ? `\n${hint}`.replaceAll('\n', '\n    ') : ` ${hint}`;
}
