// Errors as text: what, where, what to do.

import { ConfigError, RuntimeError, messageOf } from '../../errors.ts';
import type { Problem } from '../../errors.ts';
import { boundedText } from '../../text/bounded-text.ts';
import { groupDigits } from '../../text/group-digits.ts';
import { escapeControls } from '../../text/untrusted.ts';

/** Maximum length of one problem, and of all together. */
const MAX_PROBLEM = 4000;
const MAX_PROBLEMS = 64 * 1024;

/** Describes any thrown value; a configuration error shows all of its problems. */
export function describeProblem(error: unknown): string {
  if (error instanceof ConfigError) return describeAll(error.problems);
  if (!(error instanceof RuntimeError)) return escapeControls(messageOf(error));
  const cause = error.cause === undefined ? '' : messageOf(error.cause);
  const addsInformation = cause !== '' && !error.message.includes(cause);
  const message = addsInformation ? `${error.message}: ${cause}` : error.message;
  return describe(error.hint === undefined ? { message } : { message, hint: error.hint });
}

function describeAll(problems: readonly Problem[]): string {
  const texts: string[] = [];
  let length = 0;
  for (const problem of problems) {
    const { message, ...rest } = problem;
    const text = describe({ message: boundedText(message, MAX_PROBLEM), ...rest });
    length += text.length;
    if (length > MAX_PROBLEMS) break;
    texts.push(text);
  }
  const more = problems.length - texts.length;
  if (more > 0) texts.push(`${groupDigits(more)} more ${more === 1 ? 'problem' : 'problems'}`);
  return texts.join('\n');
}

function describe({ message, at, hint }: Problem): string {
  const headline = at === undefined ? message : `${at}: ${message}`;
  return escapeControls(hint === undefined ? headline : `${headline}\n  hint:${indented(hint)}`);
}

/** Indents all lines alike, so that code and the caret below it stay aligned. */
function indented(hint: string): string {
  return hint.includes('\n') ? `\n${hint}`.replaceAll('\n', '\n    ') : ` ${hint}`;
}
