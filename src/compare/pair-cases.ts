// Two sides in, pairs of cases with the plain fact of each out.

import { isDeterministic } from '../model/subject.ts';
import type { Change, Ground } from '../model/comparison.ts';
import type { Side, SideCase } from './side.ts';
import { sideCaseKey } from './side.ts';

export type CasePair = {
  before: SideCase | null;
  after: SideCase | null;
  change: Change;
  ground: Ground | undefined;
};

/** A pair whose rates are compared. */
export type MeasuredPair = CasePair & { before: SideCase; after: SideCase };

/** Pairs cases with equal test, id and variables, in the order of the new side; removed ones come last. */
export function pairCases(before: Side, after: Side): CasePair[] {
  const earlier = new Map(before.cases.map((one) => [sideCaseKey(one), one]));
  const isReplayed = isSameReplay(before, after);
  const isJudgedAgain = areSameAnswers(before, after);
  const pairs = after.cases.map((now): CasePair => {
    const key = sideCaseKey(now);
    const then = earlier.get(key) ?? null;
    earlier.delete(key);
    if (then === null) return { before: null, after: now, change: 'new', ground: undefined };
    return {
      before: then,
      after: now,
      change: changeOf(then, now, isJudgedAgain),
      ground: isJudgedAgain ? 'graded' : findGround(then, now, isReplayed),
    };
  });
  for (const then of earlier.values())
    pairs.push({ before: then, after: null, change: 'removed', ground: undefined });
  return pairs;
}

/** True if the rates of the two are compared. */
export function isCompared(pair: CasePair): pair is MeasuredPair {
  return pair.change === 'improved' || pair.change === 'regressed' || isUnchangedRate(pair);
}

function isUnchangedRate({ before, after, change }: CasePair): boolean {
  return change === 'unchanged' && (before?.measured ?? 0) > 0 && (after?.measured ?? 0) > 0;
}

function changeOf(before: SideCase, after: SideCase, isJudgedAgain: boolean): Change {
  // Other assertions on the same answers are what such a comparison is about.
  if (!isJudgedAgain && before.content !== null && after.content !== null && before.content !== after.content)
    return 'changed';
  if (before.measured === 0 && after.measured === 0) return 'unchanged';
  if (before.measured === 0 || after.measured === 0) return 'unmeasured';
  // Without a division: equal rates are equal.
  const [then, now] = [before.passed * after.measured, after.passed * before.measured];
  if (then === now) return 'unchanged';
  return now > then ? 'improved' : 'regressed';
}

/** Why the case has no noise; undefined if it has, or has flipped although nothing changed. */
function findGround(before: SideCase, after: SideCase, isReplayed: boolean): Ground | undefined {
  if (before.flips || after.flips) return undefined;
  if (isDeterministic(after.kind)) return after.kind;
  return isReplayed ? 'replay' : undefined;
}

/** True if all answers of both sides came from the same folder of recordings. */
function isSameReplay(before: Side, after: Side): boolean {
  const folders = new Set([...before.runs, ...after.runs].map(({ replayed_from: folder }) => folder));
  return folders.size === 1 && !folders.has(null);
}

/** True if both sides judged the answers of the same run, at least one of them afterwards. */
function areSameAnswers(before: Side, after: Side): boolean {
  const all = [...before.runs, ...after.runs];
  const origins = new Set(all.map(({ graded_from, run_id }) => graded_from ?? run_id));
  return origins.size === 1 && !origins.has('') && all.some(({ graded_from }) => graded_from !== undefined);
}
