// A gate on the pass rate: the mean of the pass rates of cases.

import type { Attempt } from '../../model/attempt.ts';
import { caseKey } from '../../model/case-key.ts';
import { isMeasured } from '../../model/outcome.ts';
import type { Counted } from '../../model/settle.ts';
import { suiteGate } from '../../stats/gates.ts';
import { passRateInterval } from '../../stats/rates.ts';
import type { Heard } from '../decider.ts';
import { MOST_IN_ROUNDS } from '../decider.ts';
import type { EarlyAnswer, GatedRun, GateWatch } from './gate-watch.ts';
import type { Gate } from './parse-gate.ts';
import { isSatisfied } from './parse-gate.ts';

export function watchPassRate(gate: Gate, run: GatedRun): GateWatch {
  const { tag } = gate;
  const bounds = createBounds(gate, run);
  const evidence = createEvidence(gate, run);
  const rates = { count: 0, sum: 0, squares: 0 };
  const isMeant = (attempt: Attempt, { target }: Heard): boolean =>
    tag === undefined || attempt.case.tags?.includes(tag) === true || target.tags?.includes(tag) === true;

  return {
    heard(attempt, outcome, about) {
      if (!isMeant(attempt, about)) return;
      bounds.add(outcome, { run: attempt.run, of: about.target.runs ?? run.runs });
      evidence?.add(attempt, outcome, about);
    },
    caseEnded(attempt, { status, pass_rate }, about) {
      if (status === 'skipped' || pass_rate === null || !isMeant(attempt, about)) return;
      const rate = pass_rate / 100;
      rates.count += 1;
      rates.sum += rate;
      rates.squares += rate * rate;
    },
    roundEnded(round) {
      if (round === 1) bounds.knowAll();
      evidence?.look(round);
    },
    answer: () => bounds.answer() ?? evidence?.answer(),
    measured() {
      if (rates.count === 0)
        return {
          figure: null,
          message:
            tag === undefined ? 'no case could be measured' : `no case with the tag ${tag} could be measured`,
        };
      const interval = passRateInterval(rates);
      return { figure: (100 * rates.sum) / rates.count, ...(interval !== undefined && { interval }) };
    },
  };
}

type Bounds = {
  add(outcome: Counted, attempt: { run: number; of: number }): void;
  /** Every case has been heard of. */
  knowAll(): void;
  answer(): EarlyAnswer | undefined;
};

/**
 * The least and the largest pass rate that the full run can still have. Runs that cannot be measured only narrow what is possible:
 * they are left out of the rate of their case, and a case without any is left out of the mean.
 */
function createBounds(gate: Gate, { total, isAuto }: GatedRun): Bounds {
  let cases = gate.tag === undefined ? total : 0;
  let isKnown = gate.tag === undefined;
  let passed = 0;
  let lost = 0;
  return {
    add(outcome, { run, of }) {
      if (gate.tag !== undefined && run === 1) cases += 1;
      if (outcome.status === 'passed') passed += 1 / of;
      else if (isMeasured(outcome)) lost += 1 / of;
    },
    knowAll() {
      isKnown = true;
    },
    answer() {
      if (isAuto || !isKnown || cases === 0) return undefined;
      const least = isSatisfied(gate, (100 * passed) / cases);
      const most = isSatisfied(gate, 100 * (1 - lost / cases));
      if (least !== most) return undefined;
      return { status: least ? 'passed' : 'failed', decided: 'certain' };
    },
  };
}

type Evidence = {
  add(attempt: Attempt, outcome: Counted, about: Heard): void;
  look(round: number): void;
  answer(): EarlyAnswer | undefined;
};

/** The sequential test, looked at after whole rounds. The last one needs none: the figure itself is the answer then. */
function createEvidence(gate: Gate, { total, leastRuns, isAuto }: GatedRun): Evidence | undefined {
  if (isAuto || leastRuns < 2 || total > MOST_IN_ROUNDS) return undefined;
  const places = new Map<string, number>();
  const rounds = new Map<number, (boolean | undefined)[]>();
  const isUpward = gate.operator.startsWith('>');
  let test: ReturnType<typeof suiteGate> | undefined;
  let answer: EarlyAnswer | undefined;
  return {
    add(attempt, outcome, { target }) {
      if (attempt.run >= leastRuns || answer !== undefined) return;
      const key = caseKey(target.test_id, attempt.case.id, target.variables?.variant);
      const place = places.get(key) ?? places.size;
      places.set(key, place);
      const round = rounds.get(attempt.run) ?? [];
      round[place] = isMeasured(outcome) ? outcome.status === 'passed' : undefined;
      rounds.set(attempt.run, round);
    },
    look(round) {
      const ends = rounds.get(round);
      rounds.delete(round);
      if (ends === undefined || answer !== undefined || !ends.some((end) => end !== undefined)) return;
      test ??= suiteGate(places.size, gate.value / 100);
      // A case of which nothing was heard is a hole in the list.
      const { verdict } = test.addRound(Array.from({ length: places.size }, (_, at) => ends[at]));
      if (verdict === 'undecided') return;
      answer = { status: (verdict === 'pass') === isUpward ? 'passed' : 'failed', decided: 'likely' };
    },
    answer: () => answer,
  };
}
