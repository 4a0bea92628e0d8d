import { expect, test } from 'vitest';
import type { Attempt } from '../model/attempt.ts';
import type { QuarantineCounts } from '../model/quarantine.ts';
import type { Counted } from '../model/settle.ts';
import { settleCase } from '../model/settle.ts';
import { entryFinder } from './find-entry.ts';
import type { PastRun } from './hold-cases.ts';
import { holdCases } from './hold-cases.ts';
import { parseQuarantine } from './read-quarantine.ts';

const FILE = `
- { case: shop › a, reason: flips, expires: 2026-03-10 }
- { case: shop › b, reason: flips, expires: 2026-03-10 }
- { case: shop › old, reason: flips, expires: 2026-03-09 }
- { case: shop › m, reason: flips, expires: 2026-03-10, variables: { Model: small } }
`;

/** A part of an attempt that is enough here. */
const attemptOf = (id: string, variables?: Record<string, unknown>): Attempt =>
  ({ test_id: 'shop', case: { id }, case_sha: `sha-${id}`, variables }) as Attempt;

const pastRun = (id: string, passed: number, measured: number, more: Partial<PastRun> = {}): PastRun => ({
  test_id: 'shop',
  case_id: id,
  variables: null,
  case_sha: `sha-${id}`,
  version: 'v1',
  passed,
  measured,
  ...more,
});

async function countsOf(
  outcomes: readonly [attempt: Attempt, runs: Counted[]][],
  past: PastRun[] = [],
): Promise<QuarantineCounts> {
  const now = new Date('2026-03-10T00:00:00Z');
  const quarantine = holdCases(entryFinder(await parseQuarantine(FILE, { name: 'q.yml', now })), past);
  for (const [attempt, runs] of outcomes)
    for (const [index, run] of runs.entries()) {
      const isLast = index === runs.length - 1;
      quarantine.heard(attempt, run, isLast ? { end: settleCase(runs), complete: true } : undefined);
    }
  return quarantine.counts();
}

const PASSED: Counted = { status: 'passed' };
const FAILED: Counted = { status: 'failed' };
const UNMEASURED: Counted = { status: 'error', code: 'connection' };

test('failures of cases in quarantine are excused; errors, other cases and expired entries are not', async () => {
  const ends: [Attempt, Counted[]][] = [
    [attemptOf('a'), [FAILED]],
    [attemptOf('b'), [UNMEASURED]],
    [attemptOf('old'), [FAILED]],
    [attemptOf('other'), [FAILED]],
    [attemptOf('m', { Model: 'small', Size: 1 }), [{ status: 'timeout' }]],
    [attemptOf('m', { Model: 'large', Size: 1 }), [FAILED]],
  ];
  expect(await countsOf(ends)).toEqual({ cases: 3, failed: 2 });
});

test('a case that is proven worse than its history is not excused', async () => {
  const past = [pastRun('a', 1, 1), pastRun('a', 25, 29), pastRun('b', 5, 10)];
  const three = [FAILED, FAILED, FAILED];
  expect(
    await countsOf(
      [
        [attemptOf('a'), three],
        [attemptOf('b'), three],
      ],
      past,
    ),
  ).toEqual({
    cases: 2,
    failed: 1,
    worse: [
      {
        test_id: 'shop',
        id: 'a',
        before: { passed: 26, runs: 30 },
        now: { passed: 0, runs: 3 },
        p: expect.closeTo(0.0064, 4) as number,
      },
    ],
  });
});

test('only runs of the same content count, of the newest version that has enough of them', async () => {
  const three: [Attempt, Counted[]][] = [[attemptOf('a'), [FAILED, FAILED, PASSED]]];
  const good = pastRun('a', 40, 40);
  const isWorse = async (past: PastRun[]): Promise<boolean> =>
    (await countsOf(three, past)).worse !== undefined;
  expect([
    await isWorse([good]),
    await isWorse([{ ...good, case_sha: 'another' }]),
    await isWorse([{ ...good, case_sha: null }]),
    await isWorse([{ ...good, variables: { Model: 'small' } }]),
    await isWorse([pastRun('a', 0, 2, { version: 'v2' }), good]),
    await isWorse([pastRun('a', 1, 5, { version: 'v2' }), good]),
    await isWorse([{ ...good, passed: 4, measured: 4 }]),
  ]).toEqual([true, false, true, false, true, false, false]);
});
