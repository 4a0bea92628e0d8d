import type { Target } from '../model/attempt.ts';
import type { ContextData, ContextFile } from '../model/context.ts';
import type { Settings } from '../application/options/options.ts';
import { attemptOf } from '../plan/attempts.ts';

/** The context of user code that belongs to a run and not to a case: the context of a case that sets nothing. */
export function runContext(
  target: Pick<Target, 'prefersContextFile' | 'subject' | 'test_id' | 'variables'>,
  context: ContextFile,
  settings: Settings,
): ContextData {
  const placeholder = { case: { id: '', input: '' }, test_id: target.test_id, input: 0, line: 1 };
  return attemptOf(placeholder, 1, {
    targets: [{ base: '', root: '', timeout_ms: 0, ...target }],
    context,
    settings: { ...settings, runs: 1 },
  }).context;
}
