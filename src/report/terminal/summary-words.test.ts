import { expect, test } from 'vitest';
import type { RunEvent, SummaryEvent } from '../../model/event.ts';
import {
  batchOf,
  repeatedRun,
  resultEvent,
  startEvent,
  summaryEvent,
} from '../../../test/fixtures/logs/agent-log.ts';
import { createTerminal } from './terminal.ts';

function shown(events: readonly RunEvent[]): string {
  let text = '';
  const stream = { write: (part: string) => (text += part) };
  const terminal = createTerminal({
    stream,
    color: false,
    interactive: false,
    verbose: false,
    unicode: true,
  });
  terminal.write(batchOf(events));
  return text;
}

test('says what to expect of cases like these', () => {
  const line = (fields: Partial<SummaryEvent>): string | undefined =>
    shown([startEvent(), summaryEvent({ pass_rate_interval: { low: 69.9, high: 97.2 }, ...fields })])
      .split('\n')
      .find((one) => one.includes('Pass rate'));
  const twenty = { total: 20, passed: 18, failed: 2, total_runs: 20, overall_pass_rate: 90 };
  expect(line(twenty)).toBe('  Pass rate: 90% (mean of 20 cases); cases like these: 69.9% to 97.2%');
  expect(line({ ...twenty, total_runs: 60, runs_per_case: 3 })).toBe(
    '  Pass rate: 90% (mean of 20 cases, 60 runs); cases like these: 69.9% to 97.2%',
  );
  expect(line({ total: 1, passed: 1 })).toBe(undefined);
});

test('says that a case always fails, and how many runs could not be measured', () => {
  const refused = { status: 'error' as const, code: 'connection' as const, error: 'refused' };
  const failed = { status: 'failed' as const, error: 'no' };
  const events = [
    startEvent({ runs_per_case: 2, total_cases: 4 }),
    ...[1, 2].map((run) => resultEvent('never', { run, ...failed })),
    ...[1, 2].map((run) => resultEvent('once', { run, ...(run === 1 ? failed : refused) })),
    ...[1, 2].map((run) => resultEvent('half', { run, ...(run === 1 ? {} : refused) })),
    ...[1, 2].map((run) => resultEvent('down', { run, ...refused })),
  ];
  const lines = shown(events).split('\n');
  expect(lines.filter((line) => line.endsWith(']'))).toEqual([
    '✗ never (12ms) [0/2 runs, always fails]',
    '✗ once (12ms) [0/2 runs, always fails, 1 not measured]',
    '! half (12ms) [1/2 runs, Stable, 1 not measured]',
    '! down (12ms) [0/2 runs, not measured]',
  ]);
});

test('says pass@k and pass^k, and for which numbers no case has enough runs', () => {
  const [, ...others] = repeatedRun();
  const lines = shown([startEvent({ total_cases: 2, runs_per_case: 3, flags: { k: [3, 5] } }), ...others]);
  expect(lines.split('\n').filter((line) => line.includes('pass@') || line.includes('pass^'))).toEqual([
    '  pass@3: 100% (mean of 2 cases with at least 3 measured runs; cases like these: 34.2% to 100%)',
    '  pass^3: 50% (mean of 2 cases with at least 3 measured runs; cases like these: 9.5% to 90.5%)',
    '  pass@5, pass^5: no case has 5 measured runs',
  ]);
});
