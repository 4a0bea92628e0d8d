import type { Target } from '../model/attempt.ts';
import type { ContextData, ContextFile } from '../model/context.ts';
import type { Settings } from '../application/options/options.ts';
import { attemptOf } from '../plan/attempts.ts';

/** The context of user code that belongs to a run and to none of its cases: that of a case which says nothing itself. */
export function runContext(target: Target, context: ContextFile, settings: Settings): ContextData {
  const nobody = { case: { id: '', input: '' }, test_id: target.test_id, input: 0, line: 1 };
  return attemptOf(nobody, 1, { targets: [target], context, settings }).context;
}
