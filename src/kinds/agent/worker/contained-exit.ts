import { AttemptError } from '../../../errors.ts';
import { attemptScope } from '../../../execute/worker/capture.ts';
import { RunningSideCall } from './run-side-call.ts';

/** Whom user code belongs to. */
export type Owner = { fail(error: unknown): void };

type Exit = typeof process.exit;

/** An `exit` for user code: it ends the attempt that calls it, not its neighbours. */
export function containedExit(exit: Exit, ownerOf: (seq: number) => Owner | undefined): Exit {
  return (code) => {
    const scope = attemptScope.getStore();
    const owner = scope === undefined ? undefined : ownerOf(scope.seq);
    const who = owner instanceof RunningSideCall ? 'it' : 'the agent';
    const error = new AttemptError('agent', `${who} called process.exit(${String(code ?? 0)})`);
    if (scope === undefined) return exit(code ?? undefined);
    owner?.fail(error);
    throw error;
  };
}
