// An attempt that is over in, its outcome after the `after` hook out.

import { messageOf } from '../../errors.ts';
import type { Attempt } from '../../model/attempt.ts';
import type { Outcome } from '../../model/outcome.ts';
import { testedAgent } from '../../model/subject.ts';
import { hookFolder } from '../../scripts/locate-function.ts';
import type { SideCallResult } from '../../execute/side-calls.ts';
import type { FunctionCall } from '../../execute/process/protocol.ts';

/** The time that hooks have of their own when everything else is over. */
export const AFTER_MS = 30_000;

/** Calls the hook with the result and what `before` returned; never rejects, because a hook is no part of the test. */
export async function runAfterHook(
  call: (call: FunctionCall) => Promise<SideCallResult>,
  attempt: Attempt,
  outcome: Outcome,
  before: unknown,
): Promise<Outcome> {
  const { base, case: testCase, context, root } = attempt;
  const reference = testCase.after;
  if (reference === undefined) return outcome;
  try {
    const { logs } = await call({
      type: 'call',
      reference,
      args: [testCase, resultOf(attempt, outcome), before],
      context_at: 'start',
      context,
      root,
      folder: hookFolder(reference, { agent: testedAgent(attempt.subject), base, root }),
      timeout_ms: AFTER_MS,
    });
    return withLogs(outcome, logs);
  } catch (error) {
    const after_error = `after ${reference}: ${messageOf(error)}`;
    const ended = withLogs({ ...outcome, after_error }, logsOf(error));
    // The hook may have had to clean up or check something, so the pass is not proven.
    return outcome.status === 'passed'
      ? { ...ended, status: 'error', code: 'harness', error: after_error }
      : ended;
  }
}

function resultOf({ case: testCase }: Attempt, outcome: Outcome): Record<string, unknown> {
  const { status, output, error, duration_ms, verdicts } = outcome;
  return { id: testCase.id, status, output, error, duration_ms, verdicts };
}

function withLogs(outcome: Outcome, logs: readonly string[]): Outcome {
  return logs.length === 0 ? outcome : { ...outcome, logs: [...(outcome.logs ?? []), ...logs] };
}

function logsOf(error: unknown): string[] {
  const logs: unknown = error instanceof Error && 'logs' in error ? error.logs : undefined;
  return Array.isArray(logs) ? logs.map(String) : [];
}
