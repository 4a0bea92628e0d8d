import { expect, test } from 'vitest';
import { compareSides } from './compare-sides.ts';
import { poolSides } from './pool-sides.ts';
import type { SideRun } from '../model/comparison.ts';
import type { Side, SideCase } from './side.ts';
import { closingSentences, moreRunsSentence, noiseSentence, verdictSentence } from './words.ts';

const RUN: SideRun = {
  run_id: 'r',
  started_at: '2026-01-01T00:00:00.000Z',
  commit: null,
  agent_id: 'shop',
  agent_sha256: 'a',
  connector: null,
  judge_sha256: null,
  is_auto: false,
  replayed_from: null,
};

function sideCase(case_id: string, passed: number, measured: number, more: Partial<SideCase> = {}): SideCase {
  return {
    test_id: 't',
    case_id,
    variables: null,
    kind: 'agent-eval',
    status: passed === measured ? 'passed' : 'failed',
    content: 'c',
    passed,
    measured,
    unmeasured: 0,
    duration_ms: null,
    cost_usd: null,
    tokens: null,
    flips: passed > 0 && passed < measured,
    ...more,
  };
}

/** `count` cases with the same counts. */
function side(groups: [count: number, passed: number, measured: number][], run: Partial<SideRun> = {}): Side {
  let at = 0;
  const cases = groups.flatMap(([count, passed, measured]) =>
    Array.from({ length: count }, () => sideCase(`c${at++}`, passed, measured)),
  );
  return { runs: [{ ...RUN, ...run }], cases };
}

test('five of a hundred that break are worse, and the reference figures are in points', () => {
  const found = compareSides(
    side([[100, 1, 1]]),
    side([
      [5, 0, 1],
      [95, 1, 1],
    ]),
  );
  expect({ ...found, cases: found.cases.length }).toEqual({
    verdict: 'worse',
    fails: true,
    margin: 5,
    alpha: 0.05,
    difference: {
      value: -5,
      low: -11.705758,
      high: -0.617387,
      level: 95,
      p_worse: 0.015625,
      p_better: 0.984375,
      cases: 100,
      interval_like_these: [-9.346287, -0.653713],
    },
    rates: { before: 100, after: 95 },
    baseline: { runs: 1, run_sd: null },
    more_runs: null,
    within_run_differences: false,
    counts: { changed: 0, improved: 0, new: 0, regressed: 5, removed: 0, unchanged: 95, unmeasured: 0 },
    verdicts: { improved: 0, proven: 0, regressed: 0, suspect: 5, unproven: 0 },
    deterministic: 0,
    durations: null,
    cost: null,
    tokens: null,
    notes: [],
    runs: { before: [RUN], after: [RUN] },
    cases: 100,
  });
  expect(verdictSentence(found)).toBe(
    'Worse. The pass rate fell by 5 points, from 100% to 95%. With 95% certainty the drop is between 0.6 and 11.7 points (p 0.016).',
  );
  expect(closingSentences(found)).toEqual([
    'The drop is spread over the cases: no single one is proven to have regressed.',
    'A suspect passed more often before, but that may be chance. To find out, run suspects again: assay test --against … --confirm',
  ]);
});

test('a case that fell from 10 of 10 to 0 of 3 is proven, and fails the comparison on its own', () => {
  const found = compareSides(
    side([
      [1, 10, 10],
      [99, 10, 10],
    ]),
    side([
      [1, 0, 3],
      [99, 3, 3],
    ]),
  );
  expect(found.cases[0]).toEqual({
    test_id: 't',
    case_id: 'c0',
    variables: null,
    change: 'regressed',
    verdict: 'regressed',
    proven: true,
    p: expect.closeTo(0.0034965, 7),
    p_adjusted: expect.closeTo(0.0034965, 7),
    false_share: expect.closeTo(0.0034965, 7),
    before: {
      status: 'passed',
      passed: 10,
      measured: 10,
      runs: 10,
      pass_rate: 100,
      avg_duration_ms: null,
      cost_usd: null,
    },
    after: {
      status: 'failed',
      passed: 0,
      measured: 3,
      runs: 3,
      pass_rate: 0,
      avg_duration_ms: null,
      cost_usd: null,
    },
  });
  expect([found.verdict, found.fails]).toEqual(['slightly_worse', true]);
  expect(verdictSentence(found)).toMatch(/^Slightly worse as a whole, but 1 case regressed\. /);
});

test('one failure is a suspect; what more runs would settle is said', () => {
  const found = compareSides(
    side([
      [10, 9, 10],
      [5, 5, 10],
      [85, 10, 10],
    ]),
    side([
      [10, 1, 1],
      [5, 0, 1],
      [85, 1, 1],
    ]),
  );
  expect([found.verdict, found.fails, found.more_runs]).toEqual(['undecided', false, { after: 3, both: 5 }]);
  expect(moreRunsSentence(found)).toBe(
    '3 more runs of every case with the new version would decide, 4 times in 5.',
  );
  expect(noiseSentence(found)).toBe('Other cases: 5 lower, 10 higher; each alone may be noise.');
});

test('script tests have no noise: one that fails now is a regression', () => {
  const script = (passed: number): Side => ({
    runs: [RUN],
    cases: [sideCase('a', passed, 1, { kind: 'script' }), sideCase('b', 1, 1, { kind: 'script' })],
  });
  const found = compareSides(script(1), script(0));
  expect([found.verdict, found.fails, found.cases[0]?.ground, found.difference]).toEqual([
    'worse',
    true,
    'script',
    expect.objectContaining({ value: -50, low: -50, high: -50, p_worse: 0, p_better: 1 }),
  ]);
  expect(verdictSentence(found)).toBe(
    'Worse. 1 case of 2 regressed. Pass rate 100% before, 50% after; these cases have no noise: they call no model.',
  );
  expect(compareSides(script(0), script(1)).verdict).toBe('better');
  expect(compareSides(script(1), script(1)).verdict).toBe('not_worse');
});

test('a script test that has flipped before is noisy', () => {
  const flipped = { kind: 'script' as const, flips: true };
  const one = (passed: number): Side => ({ runs: [RUN], cases: [sideCase('a', passed, 1, flipped)] });
  expect(compareSides(one(1), one(0))).toMatchObject({
    verdict: 'undecided',
    fails: false,
    deterministic: 0,
  });
});

test('a replay has no noise if both sides replay the same folder', () => {
  const run = (passed: number, replayed_from: string | null): Side =>
    side([[1, passed, 1]], { replayed_from });
  expect(compareSides(run(1, 'tapes'), run(0, 'tapes')).cases[0]).toMatchObject({
    ground: 'replay',
    proven: true,
  });
  expect(compareSides(run(1, null), run(0, 'tapes')).cases[0]).toMatchObject({
    verdict: 'suspect',
    proven: false,
  });
  expect(compareSides(run(1, 'a'), run(0, 'tapes')).notes).toEqual([
    'Only one side is a replay, or they replay different recordings: a change may be that of the recorded answers.',
  ]);
});

test('tells new, removed, changed and unmeasured cases apart', () => {
  const before: Side = {
    runs: [RUN],
    cases: [
      sideCase('same', 1, 1),
      sideCase('gone', 1, 1),
      sideCase('edited', 1, 1, { content: 'old' }),
      sideCase('lost', 1, 1),
      sideCase('never', 0, 0),
    ],
  };
  const after: Side = {
    runs: [{ ...RUN, agent_id: 'other', judge_sha256: 'j' }],
    cases: [
      sideCase('same', 1, 1),
      sideCase('added', 1, 1),
      sideCase('edited', 0, 1),
      sideCase('lost', 0, 0, { unmeasured: 1 }),
      sideCase('never', 0, 0),
    ],
  };
  const found = compareSides(before, after);
  expect(found.counts).toEqual({
    changed: 1,
    improved: 0,
    new: 1,
    regressed: 0,
    removed: 1,
    unchanged: 2,
    unmeasured: 1,
  });
  expect(found.cases.map(({ case_id, change, verdict }) => [case_id, change, verdict])).toEqual([
    ['edited', 'changed', null],
    ['added', 'new', null],
    ['gone', 'removed', null],
    ['lost', 'unmeasured', null],
    ['never', 'unchanged', null],
    ['same', 'unchanged', null],
  ]);
  expect(closingSentences(found)).toEqual([
    'Not compared: 1 case has no measurement on one side, 1 case changed, 1 is new, 1 was removed.',
    'Different agents: "shop" before, "other" after.',
    'The scripts or agents that judge differ, so a change may be theirs.',
  ]);
});

test('nothing measured on both sides is undecided, never better or not worse', () => {
  const found = compareSides(side([[2, 1, 1]]), side([[2, 0, 0]]));
  expect([found.verdict, found.difference, found.rates, verdictSentence(found)]).toEqual([
    'undecided',
    null,
    null,
    'Undecided. No case was measured on both sides.',
  ]);
});

test('pools runs of one version, and leaves out other contents', () => {
  const run = (passed: number, content = 'c'): Side => ({
    runs: [RUN],
    cases: [sideCase('a', passed, 1, { content })],
  });
  const { runs, cases } = poolSides([run(1), run(0), run(1, 'old'), run(1), run(1)]);
  expect([runs.length, cases]).toEqual([
    5,
    [
      {
        ...sideCase('a', 3, 4),
        status: 'passed',
        flips: false,
        by_run: [sideCase('a', 1, 1), sideCase('a', 0, 1), null, sideCase('a', 1, 1), sideCase('a', 1, 1)],
      },
    ],
  ]);
});

test('five runs that differ among themselves explain a drop that one run would not', () => {
  const run = (failures: number, run_id: string): Side =>
    side(
      [
        [failures, 0, 1],
        [100 - failures, 1, 1],
      ],
      { run_id },
    );
  const steady = poolSides([run(1, 'a'), run(1, 'b'), run(1, 'c'), run(1, 'd'), run(1, 'e')]);
  const moody = poolSides([run(1, 'a'), run(16, 'b'), run(2, 'c'), run(18, 'd'), run(3, 'e')]);
  const now = run(15, 'now');
  expect(compareSides(steady, now)).toMatchObject({ verdict: 'worse', within_run_differences: false });
  const found = compareSides(moody, now);
  expect([found.verdict, found.within_run_differences]).toEqual(['undecided', true]);
  expect(closingSentences(found)[0]).toMatch(
    /^Whole runs of the baseline scatter by ±16 points among themselves, so this drop may be a bad hour\. /,
  );
});

test('durations and cost are a verdict with five runs before, and a note with fewer', () => {
  const run = (factor: number): Side => ({
    runs: [RUN],
    cases: Array.from({ length: 10 }, (_, at) =>
      sideCase(`c${at}`, 1, 1, { duration_ms: (100 + 7 * at) * factor, cost_usd: 0.01 * factor, tokens: 50 }),
    ),
  });
  const five = poolSides([1, 1.02, 0.99, 1.01, 1].map(run));
  expect(compareSides(five, run(1.5))).toMatchObject({
    durations: { ratio: expect.closeTo(1.49, 1), cases: 10, verdict: 'more' },
    cost: { verdict: 'more' },
    tokens: { ratio: 1, verdict: 'not_more' },
    fails: false,
  });
  const one = compareSides(run(1), run(1.5));
  expect(one.durations).toEqual({ ratio: 1.5, low: 1.5, high: 1.5, cases: 10, verdict: null });
  expect(closingSentences(one)[0]).toBe(
    'Durations: ×1.50 (1.50 to 1.50); 1 run before cannot tell a slow hour from a slow version (5 can).',
  );
});
