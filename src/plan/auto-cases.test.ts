import { expect, test } from 'vitest';
import type { Attempt, Target } from '../model/attempt.ts';
import type { LoadedCase } from '../model/case.ts';
import type { Counted } from '../model/settle.ts';
import { countRun, isSettled, noRuns } from '../model/settle.ts';
import { runsRule } from '../model/runs-rule.ts';
import { autoSettling } from '../stats/pass-rules.ts';
import { AutoCases, runsToDecision } from './auto-cases.ts';

const RULE = runsRule({ runs: 'auto' });
if (RULE === undefined) throw new Error('no rule');
const SETTLING = autoSettling(RULE);
const PASSED: Counted = { status: 'passed' };
const FAILED: Counted = { status: 'failed' };
const UNMEASURED: Counted = { status: 'error', code: 'connection' };

/** Cases that are judged by the rule, and the runs in the order in which they were judged. */
function open(...ids: string[]) {
  const judged: string[] = [];
  const counts = new Map(ids.map((id) => [id, noRuns()]));
  const cases = new AutoCases<Counted>(SETTLING, ({ loaded, isDecided }, { run }, outcome) => {
    const { id } = loaded.case;
    judged.push(`${id}#${String(run)}${isDecided ? ' late' : ''}`);
    const known = counts.get(id) ?? noRuns();
    if (!isDecided) countRun(known, outcome);
    return isSettled(known, SETTLING);
  });
  for (const id of ids) cases.add(id, { case: { id, input: '' } } as LoadedCase, {} as Target, new Map());
  return { cases, judged };
}

function begin(cases: AutoCases<Counted>): string {
  const { first } = cases;
  return first === undefined ? 'none' : `${first.loaded.case.id}#${String(cases.begin(first))}`;
}

function end(cases: AutoCases<Counted>, name: string, outcome: Counted): string[] {
  const [id = '', run = ''] = name.split('#');
  const released = cases.settled(id, { run: Number(run) } as Attempt, outcome);
  return released.map(
    ({ attempt, uncounted }) => `${String(attempt.run)}${uncounted === undefined ? '' : ' late'}`,
  );
}

test('hands out no more runs than may be needed, the case with the fewest first', () => {
  const { cases } = open('a', 'b');
  expect(Array.from({ length: 7 }, () => begin(cases))).toEqual([
    'a#1',
    'b#1',
    'a#2',
    'b#2',
    'a#3',
    'b#3',
    'none',
  ]);
});

test('an outcome that arrives early waits for those before it', () => {
  const { cases, judged } = open('a');
  for (let run = 1; run <= 3; run += 1) begin(cases);
  expect([end(cases, 'a#3', PASSED), end(cases, 'a#2', FAILED), end(cases, 'a#1', FAILED)]).toEqual([
    [],
    [],
    ['1', '2', '3'],
  ]);
  expect(judged).toEqual(['a#1', 'a#2', 'a#3']);
});

test('a decided case leaves memory when its last run is back, and skipped runs leave no trace', () => {
  const { cases } = open('a');
  for (const outcome of [FAILED, UNMEASURED, FAILED]) end(cases, begin(cases), outcome);
  // Two failures of two measured runs: one more decides.
  expect(begin(cases)).toBe('a#4');
  expect(begin(cases)).toBe('none');
  end(cases, 'a#4', PASSED);
  const [next, other] = [begin(cases), begin(cases)];
  expect([end(cases, next, FAILED), other, cases.open]).toEqual([['5'], 'none', 0]);
  expect(cases.first).toBeUndefined();
});

test('what an earlier part of the run has is judged first, and gaps are filled', () => {
  const { cases, judged } = open();
  const kept = (run: number): [Attempt, Counted] => [{ run } as Attempt, PASSED];
  const prior = new Map([
    [1, kept(1)],
    [3, kept(3)],
  ]);
  cases.add('a', { case: { id: 'a', input: '' } } as LoadedCase, {} as Target, prior);
  expect([judged, begin(cases), begin(cases)]).toEqual([['a#1', 'a#3'], 'a#2', 'a#4']);
});

test('the number of runs to the next possible decision', () => {
  const at = (passes: number, measured: number): number => runsToDecision({ passes, measured }, SETTLING);
  expect([at(0, 0), at(3, 3), at(0, 2), at(8, 8), at(16, 19)]).toEqual([3, 3, 1, 1, 1]);
});
