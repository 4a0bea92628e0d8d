import type { Settings } from '../application/options/options.ts';
import type { LoadedCase } from '../model/case.ts';
import { MOST_ORDERED } from '../model/case-order.ts';
import { groupDigits } from '../text/group-digits.ts';
import type { RunPlan } from './plan.ts';
import type { TestFlags } from './request.ts';

/** The settings with the order of a run that does not say: what failed comes first where the first failure matters. */
export function withOrder(settings: Settings, { watch }: TestFlags): Settings {
  if (settings.order !== undefined || (!settings.fail_fast && watch !== true)) return settings;
  return { ...settings, order: 'failed-first' };
}

/** The cases of a run in the order of its settings. Loads nothing if that is as written. */
export async function orderedCases(
  plan: RunPlan,
  warn: (text: string) => void,
): Promise<AsyncIterable<LoadedCase[]>> {
  const { prepared, inputs, application } = plan;
  const { order = 'as-written', store } = inputs.settings;
  if (order === 'as-written') return prepared.cases();
  if (prepared.total > MOST_ORDERED) {
    warn(`--order: more than ${groupDigits(MOST_ORDERED)} cases run as they are written`);
    return prepared.cases();
  }
  const { orderCases } = await import('./optional/order-cases.ts');
  const { root, cwd } = application;
  return orderCases(prepared, { order, select: inputs.select, root, cwd, store, warn });
}
