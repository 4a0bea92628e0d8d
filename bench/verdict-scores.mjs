// Scores whose truth is known: how often a metric is called changed although it is not, and how often a drop is seen.

import { createRandom } from './verdict-worlds.mjs';

const ALPHA = 0.05 + 1e-9;

/**
 * Invented metrics: the true mean of a case, and one score of it. `judge` gives tenths around it, `strict` is nearly always 1 and
 * sometimes far below, so that differences are not symmetric; `steady` is a similarity that hardly varies.
 */
const METRICS = {
  judge: {
    truth: (random) => random.beta(6, 2),
    score: (random, truth) => Math.round(10 * random.beta(8 * truth + 0.05, 8 * (1 - truth) + 0.05)) / 10,
  },
  strict: {
    truth: (random) => random.beta(60, 3),
    score: (random, truth) => (random.uniform() < truth ? 1 : Math.round(10 * random.uniform()) / 20),
  },
  steady: {
    truth: (random) => random.beta(4, 2),
    score: (random, truth) => random.beta(200 * truth + 0.05, 200 * (1 - truth) + 0.05),
  },
};

const DESIGNS = [
  [100, 1, 1],
  [100, 3, 3],
  [100, 30, 3],
  [20, 10, 10],
  [8, 3, 3],
];

/** Case means of `runs` scores; each is missing with chance 0.05, as attempts that could not be measured are. */
function caseMean({ score }, random, truth, runs) {
  let sum = 0;
  let count = 0;
  for (let run = 0; run < runs; run += 1) {
    if (random.uniform() < 0.05) continue;
    sum += score(random, truth);
    count += 1;
  }
  return count === 0 ? undefined : sum / count;
}

/** The differences of cases that have a score on both sides; `change` makes the true mean after of that before. */
function differences(name, random, [cases, ra, rb], change = (truth) => truth) {
  const metric = METRICS[name];
  return Array.from({ length: cases }, () => {
    const truth = metric.truth(random);
    const before = caseMean(metric, random, truth, ra);
    const after = caseMean(metric, random, change(truth), rb);
    return before === undefined || after === undefined ? undefined : after - before;
  }).filter((one) => one !== undefined);
}

/** (11) Scores: the words for a metric, alone and beside others. */
export function checkScores({ stats, draws: all, chance, check }) {
  // A test of a hundred cases flips a million signs.
  const draws = all / 10;
  // Its own, so that lines above change nothing here.
  const random = createRandom(21);
  const percent = (share) => `${(100 * share).toFixed(1)} %`;
  const share = (isSo) => {
    let count = 0;
    for (let draw = 0; draw < draws; draw += 1) if (isSo()) count += 1;
    return count / draws;
  };
  const upTo = (most) => most + 3 * Math.sqrt((most * (1 - most)) / draws);
  const limit = upTo(ALPHA);
  let isFine = true;
  const line = (name, value, isHeld, wanted) => {
    isFine = check(name, percent(value), isHeld, wanted) && isFine;
  };
  const test = (...drawn) => stats.scoreDifference(differences(...drawn));

  for (const name of Object.keys(METRICS))
    for (const design of DESIGNS) {
      const [cases, ra, rb] = design;
      // Flipping signs supposes symmetric differences, which unequal numbers of runs do not give here: a known limit.
      const most = name === 'strict' && ra !== rb ? 0.08 : ALPHA;
      const wrong = share(() => test(name, random, design).pTwo <= ALPHA);
      line(
        `scores, nothing changed, ${name}, ${cases} cases, ${ra}→${rb}`,
        wrong,
        wrong <= upTo(most),
        `at most ${Math.round(100 * most)} % and chance`,
      );
    }
  const any = share(() => {
    const tests = Array.from({ length: 6 }, () => {
      const { pTwo } = test('judge', random, [30, 1, 1]);
      return { p: pTwo, adjusted: 1 };
    });
    return stats.holm(tests).some(({ adjusted }) => adjusted <= ALPHA);
  });
  line(
    'scores, nothing changed, any of 6 metrics, 30 cases, 1→1',
    any,
    any <= limit,
    'at most 5 % and chance',
  );

  const power = (design, drop) =>
    share(() => {
      const { pTwo, delta } = test('judge', random, design, (truth) => truth * (1 - drop));
      return pTwo <= ALPHA && delta < 0;
    });
  for (const [design, drop, least] of [
    [[100, 1, 1], 0.1, 0.85],
    [[100, 3, 3], 0.05, 0.7],
    [[20, 10, 10], 0.1, 0.9],
  ]) {
    const [cases, ra, rb] = design;
    const seen = power(design, drop);
    const name = `scores, all fall by ${100 * drop} %, judge, ${cases} cases, ${ra}→${rb}, seen`;
    line(name, seen, seen >= least - chance(least, draws), `at least ${percent(least)}`);
  }

  const covered = share(() => {
    const { low, high } = test('judge', random, [40, 3, 3], (truth) => truth * 0.9);
    // The mean true difference: a tenth of the mean of beta(6, 2).
    return low <= -0.075 && -0.075 <= high;
  });
  line(
    'scores, interval contains the truth, judge, 40 cases, 3→3',
    covered,
    covered >= 0.93 - chance(0.07, draws),
    'at least 93 %',
  );
  return isFine;
}
