// Gates on what a run costs and how long its runs take.

import { isMeasured } from '../../model/outcome.ts';
import { costsOf } from '../../model/spending.ts';
import { percentile } from '../../stats/percentile.ts';
import type { GateWatch } from './gate-watch.ts';
import type { Gate } from './parse-gate.ts';
import { isSatisfied } from './parse-gate.ts';

/** Dollars of agents, judges and simulated users. They only grow, so that a limit that is exceeded stays so. */
export function watchCost(gate: Gate): GateWatch {
  const isLimit = gate.operator.startsWith('<');
  let spent = 0;
  let isKnown = false;
  let isUnpriced = false;
  return {
    heard(_attempt, outcome) {
      for (const cost of costsOf(outcome)) {
        isKnown = true;
        isUnpriced ||= cost === null;
        spent += cost ?? 0;
      }
    },
    answer() {
      if (isSatisfied(gate, spent) === isLimit) return undefined;
      return { status: isLimit ? 'failed' : 'passed', decided: 'certain' };
    },
    measured() {
      if (!isKnown) return { figure: null, message: 'no call has reported a cost' };
      if (isUnpriced) return { figure: null, message: 'the price of a model is not known' };
      return { figure: spent };
    },
  };
}

/** How long measured runs took, over all cases. */
export function watchLatency(gate: Gate): GateWatch {
  const durations: number[] = [];
  return {
    heard(_attempt, outcome) {
      if (isMeasured(outcome) && outcome.duration_ms !== undefined) durations.push(outcome.duration_ms);
    },
    answer: () => undefined,
    measured() {
      if (durations.length === 0) return { figure: null, message: 'no run could be measured' };
      return { figure: latencyFigure(gate.metric, durations) };
    },
  };
}

function latencyFigure(metric: Gate['metric'], durations: readonly number[]): number {
  if (metric === 'latency_mean') return durations.reduce((sum, one) => sum + one, 0) / durations.length;
  const sorted = Float64Array.from(durations).sort();
  return percentile([...sorted], metric === 'latency_p50' ? 0.5 : 0.95);
}
