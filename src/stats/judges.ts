// How far a judge can be trusted, and pass rates corrected for its errors. All rates are shares.

import { normalQuantile, tQuantile } from './distributions.ts';
import { mean } from './moments.ts';
import type { Interval } from './rates.ts';

/** Answers that a person and the judge both passed, only one of them passed, and neither passed. */
export type Agreement = { both: number; human: number; judge: number; neither: number };

/** Cohen's kappa of the judge and people, with its interval on Fisher's scale (half a case added to every cell). */
export function kappa(
  labels: Agreement,
  { level = 0.95 }: { level?: number } = {},
): Interval & { kappa: number; agreement: number; se: number } {
  const { both, human, judge, neither } = labels;
  const plain = plainKappa(labels);
  const soft = plainKappa({
    both: both + 0.5,
    human: human + 0.5,
    judge: judge + 0.5,
    neither: neither + 0.5,
  });
  const centre = Math.atanh(soft.kappa);
  const half = (normalQuantile(0.5 + level / 2) * soft.se) / (1 - soft.kappa ** 2);
  return { ...plain, low: Math.tanh(centre - half), high: Math.tanh(centre + half) };
}

/** Kappa with the large-sample variance of Fleiss, Cohen and Everitt. */
function plainKappa({ both, human, judge, neither }: Agreement) {
  const count = both + human + judge + neither;
  const agreement = (both + neither) / count;
  const humanRate = (both + human) / count;
  const judgeRate = (both + judge) / count;
  const byChance = humanRate * judgeRate + (1 - humanRate) * (1 - judgeRate);
  const beyond = 1 - byChance;
  const apart = 1 - agreement;
  const onDiagonal =
    (both / count) * (beyond - (humanRate + judgeRate) * apart) ** 2 +
    (neither / count) * (beyond - (2 - humanRate - judgeRate) * apart) ** 2;
  const offDiagonal =
    apart ** 2 *
    ((human / count) * (judgeRate + 1 - humanRate) ** 2 + (judge / count) * (humanRate + 1 - judgeRate) ** 2);
  const centre = (agreement * byChance - 2 * byChance + agreement) ** 2;
  const se = Math.sqrt(Math.max(0, onDiagonal + offDiagonal - centre) / count) / beyond ** 2;
  return { kappa: (agreement - byChance) / beyond, agreement, se };
}

/** Labelled answers: the judge is right on `passedRight` of `passed` that people passed, and on `failedRight` of `failed`. */
export type JudgeHits = { passedRight: number; passed: number; failedRight: number; failed: number };

/**
 * The pass rate behind a judge that errs (Rogan and Gladen), from its rate over `count` cases and labels from elsewhere;
 * interval by Lang and Reiczigel. Nothing if the judge is no better than chance.
 */
export function roganGladen(
  rate: number,
  count: number,
  { passedRight, passed, failedRight, failed }: JudgeHits,
  { level = 0.95 }: { level?: number } = {},
): (Interval & { rate: number }) | undefined {
  const better = passedRight / passed + failedRight / failed - 1;
  if (!(better > 0)) return undefined;
  const z = normalQuantile(0.5 + level / 2);
  const square = z * z;
  const sensitivity = (passedRight + 1) / (passed + 2);
  const specificity = (failedRight + 1) / (failed + 2);
  const shown = (count * rate + square / 2) / (count + square);
  const scale = sensitivity + specificity - 1;
  const centre = (shown + specificity - 1) / scale;
  const passNoise = (sensitivity * (1 - sensitivity)) / (passed + 2);
  const failNoise = (specificity * (1 - specificity)) / (failed + 2);
  const shift = 2 * square * (centre * passNoise - (1 - centre) * failNoise);
  const spread =
    (shown * (1 - shown)) / (count + square) + (1 - centre) ** 2 * failNoise + centre ** 2 * passNoise;
  const half = z * Math.sqrt(spread / (scale * scale));
  return {
    rate: clip((rate + failedRight / failed - 1) / better),
    low: clip(centre + shift - half),
    high: clip(centre + shift + half),
  };
}

/**
 * The pass rate if people labelled a random part of these very cases: the judge's rate over all `count` cases plus the mean of
 * human − judge on the labelled ones. One imagined error each way keeps the interval honest when none was seen.
 */
export function rectifiedRate(
  judged: number,
  count: number,
  { both, human, judge, neither }: Agreement,
  { level = 0.95 }: { level?: number } = {},
): Interval & { rate: number } {
  const labels = both + human + judge + neither;
  const error = (human - judge) / labels;
  const errorSpread = ((human + judge + 2) / (labels + 2) - error * error) / labels;
  const judgedSpread = (judged * (1 - judged)) / count;
  const shared = -judge / labels - ((both + judge) / labels) * error;
  const se = Math.sqrt(Math.max(errorSpread / 2, errorSpread + judgedSpread + (2 * shared) / count));
  const half = tQuantile(0.5 + level / 2, labels - 1) * se;
  const rate = judged + error;
  return { rate: clip(rate), low: clip(rate - half), high: clip(rate + half) };
}

/**
 * Where noise comes from: `scores[case][answer][judgement]`, at least two answers a case and two judgements an answer.
 * `share` is the judge's part of the noise within a case.
 */
export function judgeNoise(scores: readonly (readonly (readonly number[])[])[]): {
  judge: number;
  agent: number;
  share: number;
} {
  let within = 0;
  let between = 0;
  let judgements = 0;
  let answers = 0;
  for (const one of scores) {
    const centre = mean(one.map(mean));
    for (const answer of one) {
      const answerMean = mean(answer);
      for (const score of answer) within += (score - answerMean) ** 2;
      between += answer.length * (answerMean - centre) ** 2;
      judgements += answer.length;
    }
    answers += one.length;
  }
  const judge = within / (judgements - answers);
  const agent = Math.max(0, (between / (answers - scores.length) - judge) / (judgements / answers));
  return { judge, agent, share: judge + agent === 0 ? 0 : judge / (judge + agent) };
}

function clip(share: number): number {
  return Math.min(1, Math.max(0, share));
}
