// all_of, any_of: other assertions hold together, or one of them does.

import type { Verdict } from '../../model/outcome.ts';
import { addSpending } from '../../model/spending.ts';
import type { Spending } from '../../model/spending.ts';
import type { Combinator, Judgement } from '../assertion.ts';
import { JudgeError } from '../assertion.ts';

/** Verdicts beyond these are left out of the log; all of them decide. */
const MAX_KEPT = 50;

/** A proven failure decides, whatever could not be judged. */
export const allOf: Combinator = {
  combine(verdicts) {
    const failed = verdicts.filter(({ status }) => status === 'failed');
    if (failed.length > 0)
      return conclude(verdicts, {
        pass: false,
        message: `${failed.length} of ${verdicts.length} do not hold: ${describe(failed)}`,
      });
    refuseErrors(verdicts);
    return conclude(verdicts, { pass: true });
  },
};

/** A proven pass decides, whatever could not be judged. */
export const anyOf: Combinator = {
  combine(verdicts) {
    if (verdicts.some(({ status }) => status === 'passed')) return conclude(verdicts, { pass: true });
    refuseErrors(verdicts);
    const message = `none of ${verdicts.length} holds: ${describe(verdicts)}`;
    return conclude(verdicts, { pass: false, message });
  },
};

/** Throws if the result depends on an assertion that could not be judged. */
function refuseErrors(verdicts: readonly Verdict[]): void {
  const unclear = verdicts.filter(({ status }) => status === 'error');
  if (unclear.length === 0) return;
  const message = `${unclear.length} of ${verdicts.length} could not be judged: ${describe(unclear)}`;
  throw new JudgeError(message, sumSpending(verdicts), { verdicts: keepVerdicts(verdicts) });
}

function conclude(verdicts: readonly Verdict[], judgement: Judgement): Judgement {
  return { ...judgement, verdicts: keepVerdicts(verdicts), ...sumSpending(verdicts) };
}

function keepVerdicts(verdicts: readonly Verdict[]): Verdict[] {
  return verdicts.slice(0, MAX_KEPT).map(shorten);
}

function describe(verdicts: readonly Verdict[]): string {
  const [first] = verdicts;
  const text = `${first?.type ?? ''}: ${first?.message ?? 'does not hold'}`;
  return verdicts.length > 1 ? `${text} (and ${verdicts.length - 1} more)` : text;
}

/** The verdict without the answer, which the outcome has already, and without its cost, which is part of the sum. */
function shorten({ type, status, message, path, negate, score, reason, verdicts }: Verdict): Verdict {
  return {
    type,
    status,
    ...(message !== undefined && { message }),
    ...(path !== undefined && { path }),
    ...(negate !== undefined && { negate }),
    ...(score !== undefined && { score }),
    ...(reason !== undefined && { reason }),
    ...(verdicts !== undefined && { verdicts }),
  };
}

function sumSpending(verdicts: readonly Verdict[]): Spending {
  return verdicts
    .filter(({ usage, cost_usd }) => usage !== undefined || cost_usd !== undefined)
    .reduce<Spending>((sum, verdict) => addSpending(sum, verdict), {});
}
