// Every function against values that were computed twice, independently, to 6 digits.

import { expect, test } from 'vitest';
import { autoRate, autoRule, walk } from './auto-rule.ts';
import type { Counts } from './compare-runs.ts';
import { moreRuns, runEffect } from './compare-runs.ts';
import { confirmedCases, worthConfirming } from './confirm.ts';
import { normalQuantile, tCdf, tQuantile } from './distributions.ts';
import { flakyAt, flipRate, streaksTest } from './flaky.ts';
import { LOOKS, suiteGate } from './gates.ts';
import { judgeNoise, kappa, rectifiedRate, roganGladen } from './judges.ts';
import { likeThese, rankModels } from './models.ts';
import type { PairedCounts } from './paired-cases.ts';
import { caseTest, difference } from './paired-cases.ts';
import { detectableDrop, noiseOf, planTime } from './planning.ts';
import { clopperPearson, jeffreys, passAtK, passHatK, suiteInterval, wilson } from './rates.ts';
import { ratioAgainstRuns, ratioOf } from './ratios.ts';
import known from './reference-values.fixture.json' with { type: 'json' };
import { regressedCases } from './regressed-cases.ts';

/** Cases as people write them: `3/3→0/3`, with `5 ×` before it for five of them. */
function cases(...written: string[]): PairedCounts[] {
  return written.flatMap((text) => {
    const [, times = '1', xa, ra, xb, rb] = /^(?:(\d+) × )?(\d+)\/(\d+)→(\d+)\/(\d+)$/.exec(text) ?? [];
    return Array.from({ length: Number(times) }, () => ({
      xa: Number(xa),
      ra: Number(ra),
      xb: Number(xb),
      rb: Number(rb),
    }));
  });
}

const b50 = cases('5 × 1/1→0/1', '95 × 1/1→1/1');
const b71 = cases('7 × 1/1→0/1', '1 × 0/1→1/1', '92 × 1/1→1/1');
const mix = cases('3/3→2/3', '2/3→0/3', '3/3→1/3', '1/3→2/3', '3/3→0/3', '2/3→2/3').concat(
  cases('12 × 3/3→3/3', '2 × 0/3→0/3'),
);
const uneven = cases('10/10→1/3', '9/10→2/3', '5/5→1/2', '4/5→2/2', '30/30→0/1', '29/30→1/1').concat(
  cases('6 × 10/10→3/3'),
);

type Values = Record<string, number | undefined>;

/** Adds a name before each field. */
function named(name: string, fields: Record<string, unknown> | undefined, ...wanted: string[]): Values {
  return Object.fromEntries(wanted.map((field) => [`${name} ${field}`, Number(fields?.[field])]));
}

const limits = ['low', 'high'];
const ofDifference = ['pWorse', 'pBetter', 'delta', 'se', 'low', 'high'];

function rateValues(): Values {
  const suiteA = [...Array.from({ length: 15 }, () => 1), 0.5, 0.5, 0, 0, 1 / 3];
  const steps = Array.from({ length: 40 }, (_, at) => (40 + at) / 100);
  const clusters = steps.map((_, at) => `cluster ${Math.floor(at / 5)}`);
  const effective = [...limits, 'effective'];
  const spread = 'suiteInterval(0.40, 0.41 … 0.79)';
  const clustered = 'suiteInterval(0.40 … 0.79 in 8 clusters of 5)';
  const ones = Array.from({ length: 20 }, () => 1);
  return {
    'normalQuantile(0.975)': normalQuantile(0.975),
    'tQuantile(0.975, 19)': tQuantile(0.975, 19),
    'tCdf(-2, 9)': tCdf(-2, 9),
    ...named('wilson(9, 10)', wilson(9, 10), ...limits),
    ...named('wilson(10, 10)', wilson(10, 10), ...limits),
    ...named('wilson(0, 1)', wilson(0, 1), ...limits),
    ...named('wilson(49, 50)', wilson(49, 50), ...limits),
    ...named('clopperPearson(9, 10)', clopperPearson(9, 10), ...limits),
    ...named('clopperPearson(20, 20)', clopperPearson(20, 20), ...limits),
    ...named('jeffreys(9, 10)', jeffreys(9, 10), ...limits),
    'passAtK(3, 10, 5)': passAtK(3, 10, 5),
    'passAtK(1, 20, 4)': passAtK(1, 20, 4),
    'passHatK(9, 10, 3)': passHatK(9, 10, 3),
    ...named('suiteInterval(suiteA)', suiteInterval(suiteA), ...effective),
    ...named('suiteInterval(20 × 1)', suiteInterval(ones), ...effective),
    ...named(spread, suiteInterval(steps), ...effective),
    ...named(clustered, suiteInterval(steps, { clusters }), ...effective),
  };
}

function comparisonValues(): Values {
  const four = regressedCases(cases('10/10→1/10', '10/10→4/10', '9/10→6/10', '8/10→8/10', '6 × 10/10→10/10'));
  const ofCase = ['p', 'adjusted', 'falseShare'];
  const single = ['30/30→0/1', '30/30→0/3', '10/10→0/3', '10/10→5/10', '9/10→3/10', '3/3→0/3'];
  const single2 = single.map((text) => [
    `caseTest(${text.replace('→', ' → ')})`,
    cases(text).map((one) => caseTest(one).p)[0],
  ]);
  return {
    ...named('b50', difference(b50), ...ofDifference),
    ...named('b71', difference(b71), ...ofDifference),
    ...named('b00', difference(cases('100 × 1/1→1/1')), ...ofDifference),
    ...named('b33', difference(cases('5 × 3/3→0/3', '95 × 3/3→3/3')), ...ofDifference),
    ...named('mix', difference(mix), ...ofDifference),
    ...named('uneven', difference(uneven), ...ofDifference),
    ...Object.fromEntries(single2),
    ...named('four[0]', four[0], ...ofCase),
    ...named('four[1]', four[1], ...ofCase),
    ...named('four[2]', four[2], ...ofCase),
  };
}

function runValues(): Values {
  const once = (outcomes: string): Counts[] => Array.from(outcomes, (digit) => ({ x: Number(digit), r: 1 }));
  const runs = ['1111111110', '1111111100', '1111111110', '1111110100', '1111111111', '1111111000'].map(once);
  const confirmed = confirmedCases(
    [
      { xa: 10, ra: 10, xb: 0, rb: 3 },
      { xa: 10, ra: 10, xb: 2, rb: 3 },
      { xa: 6, ra: 10 },
    ],
    3,
  );
  const open = moreRuns(cases('10 × 9/10→1/1', '5 × 5/10→0/1', '85 × 10/10→1/1'));
  return {
    'confirmed[0] adjusted': confirmed[0],
    'confirmed[1] adjusted': confirmed[1],
    'worthConfirming(6/10, 3) as 0/1': Number(worthConfirming({ xa: 6, ra: 10 }, 3)),
    'worthConfirming(10/10, 3) as 0/1': Number(worthConfirming({ xa: 10, ra: 10 }, 3)),
    ...named('runEffect', runEffect(runs, once('1111100000')), 'tau', 't', 'df', 'pWorse'),
    'LOOKS.level': LOOKS.level,
    'moreRuns(uneven) noise': moreRuns(uneven).noise,
    'moreRuns(b71) both': moreRuns(b71).both,
    'moreRuns(10×9/10→1/1, 5×5/10→0/1, 85×10/10→1/1) after': open.after,
    'moreRuns(same) both': open.both,
  };
}

/** Wald's test between two rates, to check the walk over the grid with another rule. */
function wald(low: number, high: number, alpha: number) {
  const limit = Math.log((1 - alpha) / alpha);
  return (passes: number, runs: number) => {
    const score = passes * Math.log(high / low) + (runs - passes) * Math.log((1 - high) / (1 - low));
    if (score >= limit - 1e-9) return 'pass';
    return score <= -limit + 1e-9 ? 'fail' : undefined;
  };
}

function gateValues(): Values {
  const rule = autoRule();
  const at = (rate: number): Values =>
    named(`auto at ${rate}`, walk(rule.decide, 20, rate), 'pass', 'fail', 'runs');
  const ends = [
    [16, 17],
    [0, 3],
    [3, 6],
    [7, 11],
    [17, 20],
  ] as const;
  const gate = suiteGate(4, 0.5);
  const states = ['1110', '1111', '1110', '1111', '1110'].map((round) =>
    gate.addRound(Array.from(round, (digit) => digit === '1')),
  );
  return {
    'autoRule passAfter[0]': rule.passAfter[0],
    'autoRule passAfter[1]': rule.passAfter[1],
    ...Object.fromEntries([3, 4, 5, 6].map((f) => [`autoRule failWithin[${f}]`, rule.failWithin[f]])),
    ...Object.fromEntries(ends.map(([x, n]) => [`autoRate(${x}, ${n})`, autoRate(x, n, rule)])),
    ...at(0.98),
    ...at(0.9),
    ...at(0.7),
    ...at(0.5),
    ...named('Wald SPRT(.7, .9), 20 at 0.9', walk(wald(0.7, 0.9, 0.05), 20, 0.9), 'fail', 'runs'),
    'suiteGate wealthUp after 5': states[4]?.wealthUp,
    'suiteGate wealthDown after 5': states[4]?.wealthDown,
  };
}

function historyValues(): Values {
  const streaks = (outcomes: string): number =>
    streaksTest(Array.from(outcomes, (letter) => letter === 'P')).p;
  const designs: [cases: number, ra: number, rb: number, noise: number][] = [
    [100, 1, 1, 0.035],
    [100, 3, 3, 0.035],
    [200, 10, 2, 0.02],
  ];
  const drops = designs.map((design) =>
    named(`detectableDrop(${design.join(', ')})`, detectableDrop(...design), 'spread', 'broken'),
  );
  const histories = [
    { x: 3, r: 3 },
    { x: 2, r: 3 },
    { x: 5, r: 10 },
    { x: 0, r: 4 },
  ];
  return {
    'flipRate(27, 30)': flipRate(27, 30),
    ...Object.fromEntries([10, 30, 50, 100].map((runs) => [`flakyAt(${runs})`, flakyAt(runs)])),
    'streaksTest(PPPPPPPFFF) p': streaks('PPPPPPPFFF'),
    'streaksTest(PPFPPFPPPF) p': streaks('PPFPPFPPPF'),
    ...Object.assign({}, ...drops),
    'noiseOf([3/3, 2/3, 5/10, 0/4])': noiseOf(histories),
    ...named('planTime([1, 2, 9 s], 3 runs, 4 at once)', planTime([1000, 2000, 9000], 3, 4), ...limits),
  };
}

function judgeValues(): Values {
  const agreement = kappa({ both: 40, human: 5, judge: 3, neither: 12 });
  const hits = { passedRight: 57, passed: 60, failedRight: 32, failed: 40 };
  const corrected = roganGladen(0.8, 200, hits);
  const rectified = rectifiedRate(0.8, 200, { both: 70, human: 4, judge: 6, neither: 20 });
  const judgements = ['11 10 11', '00 11 01', '11 11 11', '00 00 10'];
  const scores = judgements.map((one) => one.split(' ').map((answer) => Array.from(answer, Number)));
  return {
    'kappa(40, 5, 3, 12)': agreement.kappa,
    ...named('kappa(40, 5, 3, 12)', agreement, 'se', ...limits),
    'roganGladen(.8, 200, 57/60, 32/40)': corrected?.rate,
    ...named('roganGladen', corrected, ...limits),
    'rectifiedRate(.8, 200, 70, 4, 6, 20)': rectified.rate,
    ...named('rectifiedRate', rectified, ...limits),
    ...named('judgeNoise', judgeNoise(scores), 'judge', 'agent', 'share'),
  };
}

function modelValues(): Values {
  const model = (always: number, sometimes: number): Counts[] =>
    Array.from({ length: 30 }, (_, at) => ({ x: at < always ? 3 : at < sometimes ? 1 : 0, r: 3 }));
  const ranks = rankModels([model(29, 30), model(24, 27), model(20, 22)]);
  const pairs = ranks.pairs.map(({ a, b, p, adjusted }) => [
    [`rankModels ${a}–${b} p`, p],
    [`rankModels ${a}–${b} Holm`, adjusted],
  ]);
  const base = [100, 200, 300, 150, 250, 400, 120];
  const runs = [1, 1.05, 0.97, 1.02, 0.99].map((factor, k) =>
    base.map((one, i) => one * factor * (1 + 0.01 * ((7 * i + 3 * k) % 5))),
  );
  const after = base.map((one, i) => one * 1.2 * (1 + 0.01 * (i % 3)));
  const ofRatio = ['ratio', ...limits];
  const ratios = [1.1, 0.95, 1.3, 1.2, 1.05, 1.4, 0.9, 1.15, 1.25, 1.08];
  return {
    ...named('likeThese(mix)', likeThese(mix), ...limits, 'pTwo'),
    ...Object.fromEntries(pairs.flat()),
    'rankModels clear as 0/1': Number(ranks.clear),
    ...named('ratioOf', ratioOf(ratios), ...ofRatio),
    ...named('ratioAgainstRuns', ratioAgainstRuns(runs, after), ...ofRatio),
  };
}

const subjects = {
  rates: rateValues,
  comparisons: comparisonValues,
  runs: runValues,
  gates: gateValues,
  'histories and plans': historyValues,
  judges: judgeValues,
  'models and ratios': modelValues,
};

test.each(Object.entries(subjects))('agrees with known values of %s', (_, compute) => {
  const digits = (value: number | undefined): string => (value ?? Number.NaN).toPrecision(6);
  for (const [name, value] of Object.entries(compute()))
    expect(`${name} = ${digits(value)}`).toBe(`${name} = ${digits((known as Values)[name])}`);
});

test('checks all known values', () => {
  const checked = Object.values(subjects).flatMap((compute) => Object.keys(compute()));
  expect(checked.toSorted()).toEqual(Object.keys(known).toSorted());
});
