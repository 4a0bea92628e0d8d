// The page counts what the program counts, whatever came of the runs.

import { array, assert, asyncProperty, constantFrom, integer, record } from 'fast-check';
import { expect, test } from 'vitest';
import type { ResultEvent, RunEvent } from '../../src/model/event.ts';
import { createTally } from '../../src/model/tally.ts';
import { caseKeyOf } from '../../src/report/fold/fold.ts';
import { readOverview } from '../../src/report/fold/overview.ts';
import { packRun } from '../../src/report/formats/packets.ts';
import { resultEvent, sourceOf, startEvent, summaryEvent } from '../../test/fixtures/logs/agent-log.ts';
import { computeFigures } from './figures.ts';
import { RunData } from './run-data.ts';

const END = constantFrom<Partial<ResultEvent>>(
  { status: 'passed' },
  { status: 'failed', error: 'wrong' },
  { status: 'timeout', error: 'timeout after 1s' },
  { status: 'error', code: 'agent', error: 'it threw' },
  { status: 'error', code: 'connection', error: 'refused' },
  { status: 'skipped', reason: 'fail_fast' },
);

const RUN = record({
  runs: integer({ min: 1, max: 4 }),
  minPassRate: constantFrom(undefined, 50, 80),
  cases: array(array(END, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
});

async function loadPage(events: readonly RunEvent[]): Promise<RunData> {
  const data = new RunData();
  for await (const packet of packRun(sourceOf(events))) await data.addPacket(packet);
  data.settle();
  return data;
}

test('cases, rates and what could not be measured are the same as those of the program', async () => {
  await assert(
    asyncProperty(RUN, async ({ runs, minPassRate, cases }) => {
      const flags = minPassRate === undefined ? {} : { min_pass_rate: minPassRate };
      const results = cases.flatMap((ends, at) =>
        ends.slice(0, runs).map((end, run) => resultEvent(`T${String(at)}`, { ...end, run: run + 1 })),
      );
      const events = [startEvent({ runs_per_case: runs, total_cases: cases.length, flags }), ...results];
      const { counts } = await readOverview(sourceOf(events));
      const tally = createTally({ runs, minPassRate });
      for (const event of results) tally.add(caseKeyOf(event), event);
      for (const [at, ends] of cases.entries()) {
        const missing = runs - Math.min(runs, ends.length);
        const key = caseKeyOf(resultEvent(`T${String(at)}`));
        for (let left = missing; left > 0; left -= 1) tally.add(key, { status: 'skipped' });
      }
      const { total, ended, unmeasured, rate } = computeFigures(await loadPage(events));
      expect({
        total,
        passed: ended.passed,
        failed: ended.failed + ended.error + ended.timeout,
        skipped: ended.skipped,
        errors: ended.error,
        timeouts: ended.timeout,
        unmeasured,
        rate,
      }).toEqual({
        total: counts.total,
        passed: counts.passed,
        failed: counts.failed,
        skipped: counts.skipped,
        errors: counts.errors,
        timeouts: counts.timeouts,
        unmeasured: tally.failures().unmeasured,
        rate: counts.overall_pass_rate,
      });
    }),
  );
});

test('an agent that crashed in one of its runs is proven wrong, whatever the others were', async () => {
  const runs = [
    resultEvent('T001', { run: 1, status: 'error', code: 'connection', error: 'refused' }),
    resultEvent('T001', { run: 2, status: 'error', code: 'agent', error: 'it threw' }),
  ];
  const { unmeasured, ended, rate } = computeFigures(
    await loadPage([startEvent({ runs_per_case: 2 }), ...runs]),
  );
  expect({ unmeasured, errors: ended.error, rate }).toEqual({ unmeasured: 0, errors: 1, rate: 0 });
});

test('has every event again, and those that came live', async () => {
  const events = [startEvent({ total_cases: 2 }), resultEvent('T001', { output: 'a', logs: ['x'] })];
  const data = await loadPage(events);
  const late = [resultEvent('T002', { status: 'failed', error: 'no' }), summaryEvent({ exit_code: 1 })];
  data.addEvents(late);
  data.settle();
  const found: RunEvent[] = [];
  for await (const event of data.source().events()) found.push(event);
  expect(found).toEqual([...events, ...late]);
  const [first] = data.cases[0]?.attempts ?? [];
  expect(first === undefined ? undefined : await data.readEvent(first)).toEqual(events[1]);
});

test('cases are listed by test and line, runs in their order', async () => {
  const result = (id: string, line: number, run: number) => resultEvent(id, { line, run });
  const data = await loadPage([
    startEvent({ runs_per_case: 2, total_cases: 2 }),
    result('b', 2, 2),
    result('a', 1, 1),
    result('b', 2, 1),
    result('a', 1, 2),
  ]);
  expect(
    data.listed.map(({ attempts }) => attempts.map(({ light }) => `${light.id}${String(light.run)}`)),
  ).toEqual([
    ['a1', 'a2'],
    ['b1', 'b2'],
  ]);
});
