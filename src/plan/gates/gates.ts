// Gates in, a decider out: it stops the run when the answer of all gates is known.

import type { GateResult } from '../../model/gate.ts';
import { EXIT } from '../../model/exit-code.ts';
import type { Conclusion, Decider } from '../decider.ts';
import { watchCost, watchLatency } from './figures.ts';
import type { GatedRun, GateWatch } from './gate-watch.ts';
import type { Gate } from './parse-gate.ts';
import { isSatisfied } from './parse-gate.ts';
import { watchPassRate } from './pass-rate.ts';
import { watchScore } from './score.ts';

type Watched = { gate: Gate; watch: GateWatch };

/**
 * One gate that fails, or all that pass, are the answer of the run. With `isCompared` a comparison decides how many rounds there are:
 * gates that pass wait for it, and are measured on what was run.
 */
export function createGates(gates: readonly Gate[], run: GatedRun & { isCompared?: boolean }): Decider {
  const all = gates.map((gate) => ({ gate, watch: watchOf(gate, run) }));
  const isDecided = (): 'decided' | undefined => {
    const answers = all.map(({ watch }) => watch.answer()?.status);
    const isPassed = run.isCompared !== true && answers.every((answer) => answer === 'passed');
    const isKnown = answers.includes('failed') || isPassed;
    return isKnown ? 'decided' : undefined;
  };
  return {
    heard(attempt, outcome, about) {
      for (const { watch } of all) watch.heard?.(attempt, outcome, about);
      return isDecided();
    },
    caseEnded(attempt, end, about) {
      for (const { watch } of all) watch.caseEnded?.(attempt, end, about);
    },
    ...(all.some(({ watch }) => watch.roundEnded !== undefined) && {
      roundEnded(round: number) {
        for (const { watch } of all) watch.roundEnded?.(round);
        return isDecided();
      },
    }),
    conclude(end): Conclusion {
      const isWhole = end.stopped === undefined || (run.isCompared === true && end.stopped === 'decided');
      const results = all.map((one) => gateResult(one, isWhole));
      return { exitCode: exitCodeOf(results), fields: { gates: results } };
    },
  };
}

function watchOf(gate: Gate, run: GatedRun): GateWatch {
  if (gate.score !== undefined) return watchScore(gate, gate.score);
  if (gate.metric === 'pass_rate') return watchPassRate(gate, run);
  return gate.metric === 'cost' ? watchCost(gate) : watchLatency(gate);
}

function gateResult({ gate, watch }: Watched, isWhole: boolean): GateResult {
  const { figure: exact, isOpen = false, ...about } = watch.measured();
  const figure = exact === null ? null : shownFigure(gate, exact);
  const result = (status: GateResult['status']): GateResult => ({
    gate: gate.text,
    status,
    figure,
    ...about,
  });
  const early = watch.answer();
  if (early !== undefined) return { ...result(early.status), ...(!isWhole && { decided: early.decided }) };
  if (!isWhole) return result('undecided');
  if (exact === null || isOpen) return result('unmeasured');
  return result(isSatisfied(gate, exact) ? 'passed' : 'failed');
}

/** Rounded, unless that would make another answer of it. */
function shownFigure(gate: Gate, exact: number): number {
  const scale = { cost: 1e4, pass_rate: 10, score: 1e4 }[gate.metric as string] ?? 1;
  const rounded = Math.round(exact * scale) / scale;
  return isSatisfied(gate, rounded) === isSatisfied(gate, exact) ? rounded : exact;
}

function exitCodeOf(results: readonly GateResult[]): 0 | 1 | 3 {
  if (results.some(({ status }) => status === 'failed')) return EXIT.failed;
  return results.every(({ status }) => status === 'passed') ? EXIT.passed : EXIT.unmeasured;
}
