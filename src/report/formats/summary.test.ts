import { expect, test } from 'vitest';
import {
  mixedRun,
  repeatedRun,
  resultEvent,
  sourceOf,
  startEvent,
  textOfReport,
  twoInputsRun,
} from '../../../test/fixtures/logs/agent-log.ts';
import { summaryReport } from './summary.ts';

test('says how it went and what did not pass', async () => {
  expect(await textOfReport(summaryReport(sourceOf(mixedRun())))).toBe(`Agent Test: keyword
Summary: 1 passed, 2 failed, 1 skipped, 1 could not be measured (12.3s)
Errors: 1
Timeouts: 1
Pass rate: 33.3% (cases like these: 6.1% to 79.2%)

Not passed:
  T002 (failed): expected "cloud" but got "fog"
  T003 (timeout): timeout after 30s
  T004 (error): connect ECONNREFUSED
`);
});

test('adds stability when cases ran several times', async () => {
  expect(await textOfReport(summaryReport(sourceOf(repeatedRun())))).toBe(`Agent Test: keyword
Summary: 1 passed, 1 failed, 0 skipped (12.3s)
Pass rate: 83.4% (cases like these: 24.1% to 98.7%)
Stability: 1 stable, 1 unstable (6 runs, 3 per case)

Not passed:
  T002 (failed): expected "a" but got "b"
`);
});

test('stays brief, and says that a killed run is unfinished', async () => {
  const failed = Array.from({ length: 25 }, (_, at) =>
    resultEvent(`T${at}`, { status: 'failed', error: 'a\nb' }),
  );
  const text = await textOfReport(summaryReport(sourceOf([startEvent({ total_cases: 30 }), ...failed])));
  expect(text).toBe(`Agent Test: keyword
Summary: 0 passed, 25 failed, 0 skipped
Unfinished: the run stopped early; 25 of 30 cases have a result
Pass rate: 0% (cases like these: 0% to 13.3%)

Not passed:
${Array.from({ length: 20 }, (_, at) => `  T${at} (failed): a b\n`).join('')}  … and 5 more
`);
});

test('names the input of a case if there are several', async () => {
  expect(await textOfReport(summaryReport(sourceOf(twoInputsRun())))).toBe(`Agent Test: keyword
Summary: 1 passed, 1 failed, 1 skipped (12.3s)
Pass rate: 50% (cases like these: 9.5% to 90.5%)

Not passed:
  tests/b.jsonl › T001 (failed): no answer
`);
});
