// A value that user code threw, as the problem that ended a test.

import { AttemptError } from '../../../errors.ts';
import type { ErrorCode } from '../../../model/outcome.ts';
import { boundedText } from '../../../text/bounded-text.ts';
import { readText } from './assertions/show.ts';
import { readSafely, thrownText } from './thrown-text.ts';

/** Why a test could not be completed. */
export type Problem = { status: 'error' | 'timeout'; message: string; code?: ErrorCode; stack?: string };

type StackMapper = { mapStack(stack: string): string };

const MAX_CAUSES = 3;

/** Describes a thrown value; `label` names the step that threw, unless it is the test itself. */
export function toProblem(thrown: unknown, host: StackMapper, label = ''): Problem {
  const code = thrown instanceof AttemptError ? thrown.code : 'agent';
  const stack = mappedStack(thrown, host);
  return {
    status: 'error',
    code,
    message: `${label === '' ? '' : `${label}: `}${boundedText(thrownText(thrown))}`,
    ...(stack !== undefined && { stack: boundedText(stack) }),
  };
}

/** The stack with those of its causes, in lines of the user's sources. */
function mappedStack(thrown: unknown, host: StackMapper): string | undefined {
  const stacks: string[] = [];
  let error = thrown;
  while (typeof error === 'object' && error !== null && stacks.length <= MAX_CAUSES) {
    const stack = readText(error, 'stack');
    if (stack === undefined) break;
    stacks.push(host.mapStack(stack));
    error = readSafely(error, 'cause');
  }
  return stacks.length === 0 ? undefined : stacks.join('\n[cause]: ');
}
