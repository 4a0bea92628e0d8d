import { expect, test } from 'vitest';
import { startEvent } from '../../../test/fixtures/logs/agent-log.ts';
import type { Side, SideCase } from '../../compare/side.ts';
import type { Attempt, Target } from '../../model/attempt.ts';
import type { Counted } from '../../model/settle.ts';
import { looksWithin } from '../../stats/gates.ts';
import { createAgainst } from './decider.ts';

const TARGET = { test_id: 't' } as Target;

function baseline(counts: [passed: number, measured: number][]): Side {
  const cases = counts.map(([passed, measured], at): SideCase => ({
    test_id: 't',
    case_id: `c${at}`,
    variables: null,
    kind: 'agent-eval',
    status: 'passed',
    content: null,
    passed,
    measured,
    unmeasured: 0,
    duration_ms: null,
    cost_usd: null,
    tokens: null,
    flips: false,
  }));
  const run = {
    run_id: 'b',
    started_at: '',
    commit: null,
    agent_id: 'a',
    agent_sha256: null,
    connector: null,
  };
  return { runs: [{ ...run, judge_sha256: null, is_auto: false, replayed_from: null }], cases };
}

/** Runs rounds until the decider stops; `ends` has P, F or U (not measured) for each case of each round. */
function rounds(before: Side, ends: readonly string[], { most = 10, confirm = false, margin = 5 } = {}) {
  const looks = looksWithin(most);
  const decider = createAgainst({
    reference: 'main',
    before,
    start: startEvent(),
    name: String,
    looks,
    margin,
    failOn: [],
    ...(confirm && { confirm: { count: undefined } }),
  });
  const hear = (at: number, run: number, end: string, uncounted?: 'confirm'): void => {
    const attempt = { case: { id: `c${at}` }, run, subject: { kind: 'agent-eval' }, test_id: 't' } as Attempt;
    const status = ({ P: 'passed', F: 'failed' } as const)[end] ?? 'error';
    const outcome: Counted = {
      status,
      ...(status === 'error' && { code: 'connection' }),
      ...(uncounted && { uncounted }),
    };
    decider.heard?.(attempt, outcome, { isPrior: false, target: TARGET });
  };
  let stopped: string | undefined;
  let done = 0;
  for (const [at, line] of ends.entries()) {
    for (const [index, end] of line.split('').entries()) hear(index, at + 1, end);
    done = at + 1;
    stopped = decider.roundEnded?.(done);
    if (stopped !== undefined) break;
  }
  return { decider, hear, stopped, done };
}

const all = (count: number, end: string): string => end.repeat(count);

test('stops at the first look that shows the run to be no worse than the margin', () => {
  const { decider, stopped, done } = rounds(baseline(Array.from({ length: 300 }, () => [10, 10])), [
    all(300, 'P'),
  ]);
  expect([stopped, done]).toEqual(['decided', 1]);
  expect(decider.conclude?.({ stopped: 'decided' })).toMatchObject({
    exitCode: 0,
    fields: {
      comparison: {
        against: 'main',
        verdict: 'not_worse',
        rounds: { done: 1, looks: [1, 2, 4, 7, 10], level: 0.006913 },
      },
    },
  });
});

test('looks only after rounds 1, 2, 4, 7 and 10', () => {
  const few = baseline(Array.from({ length: 6 }, () => [5, 10]));
  const { stopped, done } = rounds(few, ['PPPFFF', 'FFFPPP', 'PPPFFF', 'FFFPPP', 'PPPFFF']);
  expect([stopped, done]).toEqual([undefined, 5]);
});

test('what ends after the answer is known does not change it', () => {
  const { decider, hear } = rounds(baseline(Array.from({ length: 300 }, () => [10, 10])), [all(300, 'F')]);
  const first = decider.conclude?.({ stopped: 'decided' });
  for (let at = 0; at < 300; at += 1) hear(at, 2, 'P');
  expect(decider.conclude?.({ stopped: 'decided' })).toEqual(first);
  expect(first).toMatchObject({ exitCode: 1, fields: { comparison: { verdict: 'worse' } } });
});

test('a run that was cut off between two looks has no answer', () => {
  const { decider } = rounds(baseline([[10, 10]]), []);
  expect(decider.conclude?.({ stopped: 'budget' })).toMatchObject({ exitCode: 3 });
});

test('nothing measured is exit 3', () => {
  const { decider } = rounds(
    baseline([
      [10, 10],
      [10, 10],
    ]),
    ['UU'],
    { most: 1 },
  );
  expect(decider.conclude?.({ stopped: undefined })).toMatchObject({
    exitCode: 3,
    fields: { comparison: { difference: null, verdict: 'undecided' } },
  });
});

test('fresh runs go to failures that they can prove, and prove them alone', () => {
  const before = baseline([
    [10, 10],
    [10, 10],
    [1, 10],
    [10, 10],
  ]);
  const { decider, hear } = rounds(before, ['FPFF'], { most: 1, confirm: true });
  expect(decider.confirms?.()).toEqual(
    new Map([
      ['t\nc0', 5],
      ['t\nc3', 5],
    ]),
  );
  for (let run = 2; run <= 6; run += 1) {
    hear(0, run, 'F', 'confirm');
    hear(3, run, 'P', 'confirm');
  }
  const concluded = decider.conclude?.({ stopped: undefined });
  const { confirmed, cases, counts } = concluded?.fields?.comparison ?? {};
  expect(concluded?.exitCode).toBe(1);
  expect(confirmed?.map(({ case_id, fresh, proven }) => [case_id, fresh.passed, proven])).toEqual([
    ['c0', 0, true],
    ['c3', 5, false],
  ]);
  expect(cases?.[0]).toMatchObject({ case_id: 'c0', verdict: 'regressed', proven: true });
  // The fresh runs do not count for the rates.
  expect(counts).toMatchObject({ regressed: 3, unchanged: 1 });
});

test('says that fresh runs prove nothing with a short baseline', () => {
  const { decider } = rounds(baseline([[2, 2]]), ['F'], { most: 1, confirm: true });
  expect(decider.confirms?.()).toEqual(new Map());
  expect(decider.conclude?.({ stopped: undefined }).fields?.comparison?.notes).toContain(
    'To prove that a case regressed takes about 10 runs of the baseline; it has 2.',
  );
});
