import { AttemptError } from '../../../errors.ts';
import { attemptScope } from '../../../execute/worker/capture.ts';
import { RunningSideCall } from './run-side-call.ts';

/** Whom user code belongs to. */
export type Owner = { fail(error: unknown): void };

/** `process.exit` in user code ends the attempt that called it, not its neighbours. Returns the real one. */
export function containExit(ownerOf: (seq: number) => Owner | undefined): (code: number) => void {
  const exit = process.exit.bind(process);
  const contained = (code?: number | string | null): never => {
    const scope = attemptScope.getStore();
    const owner = scope === undefined ? undefined : ownerOf(scope.seq);
    const who = owner instanceof RunningSideCall ? 'it' : 'the agent';
    const error = new AttemptError('agent', `${who} called process.exit(${String(code ?? 0)})`);
    if (scope === undefined) return exit(code ?? undefined);
    owner?.fail(error);
    throw error;
  };
  process.exit = contained;
  return exit;
}
