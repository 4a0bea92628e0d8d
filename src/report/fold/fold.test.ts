import { expect, test } from 'vitest';
import type { RunEvent } from '../../model/event.ts';
import type { SettledCase } from './case-result.ts';
import { createCaseFold, foldCases } from './fold.ts';
import {
  mixedRun,
  repeatedRun,
  resultEvent,
  sourceOf,
  startEvent,
} from '../../../test/fixtures/logs/agent-log.ts';
import { readOverview } from './overview.ts';

async function fold(events: readonly RunEvent[]): Promise<SettledCase[]> {
  const cases: SettledCase[] = [];
  for await (const settled of foldCases(sourceOf(events))) cases.push(settled);
  return cases;
}

const once = {
  consistency: 1,
  avg_duration_ms: 12,
  min_duration_ms: 12,
  max_duration_ms: 12,
  std_deviation_ms: 0,
};

test('makes a case of a single run with every field it has', async () => {
  const result = resultEvent('T001', {
    input: 'hello',
    output: 'hi',
    expected: 'hi',
    description: 'greets',
    tags: ['smoke'],
    line: 4,
    agent_id: 'other',
    variables: { Name: 'x' },
    tool_calls: [{ name: 'search' }],
    usage: { input_tokens: 1, output_tokens: 2 },
    cost_usd: 0.5,
    logs: ['line'],
    retries: 1,
  });
  expect(await fold([startEvent(), result])).toEqual([
    {
      ran: true,
      kind: 'agent-eval',
      result: {
        id: 'T001',
        status: 'passed',
        input: 'hello',
        output: 'hi',
        expected: 'hi',
        duration_ms: 12,
        error: null,
        test_id: 'tests/inputs.jsonl',
        agent_id: 'other',
        description: 'greets',
        tags: ['smoke'],
        line: 4,
        variables: { Name: 'x' },
        tool_calls: [{ name: 'search' }],
        usage: { input_tokens: 1, output_tokens: 2 },
        cost_usd: 0.5,
        logs: ['line'],
        retries: 1,
        runs: 1,
        passed: 1,
        failed: 0,
        pass_rate: 100,
        stable: true,
        stability_class: 'Stable',
        ...once,
      },
    },
  ]);
});

test('joins runs that come mixed, and shows the run that decided', async () => {
  const [first, second] = await fold(repeatedRun());
  const verdicts = [
    { type: 'equals', status: 'failed', message: 'expected "a" but got "b"', diff: '- a\n+ b' },
  ];
  const error = 'expected "a" but got "b"';
  expect(first?.ran === true && first.result.std_deviation_ms).toBe(18.8);
  expect(second).toEqual({
    ran: true,
    kind: 'agent-eval',
    result: {
      id: 'T002',
      status: 'failed',
      input: null,
      output: 'b',
      expected: null,
      duration_ms: 20,
      error,
      test_id: 'tests/inputs.jsonl',
      verdicts,
      runs: 3,
      passed: 2,
      failed: 1,
      pass_rate: 66.7,
      consistency: 0.67,
      stable: false,
      stability_class: 'Unstable',
      avg_duration_ms: 20,
      min_duration_ms: 10,
      max_duration_ms: 30,
      std_deviation_ms: 8.2,
      run_details: [
        { run: 1, status: 'passed', duration_ms: 10, output: 'a' },
        { run: 2, status: 'failed', duration_ms: 20, output: 'b', error, verdicts },
        { run: 3, status: 'passed', duration_ms: 30, output: 'a' },
      ],
    },
  });
});

test('gives a case out with its last run and keeps the others', () => {
  const [start, ...events] = repeatedRun();
  if (start?.type !== 'start') throw new Error('no start');
  const cases = createCaseFold(start);
  const ids = events.flatMap((event) => {
    if (event.type !== 'result') return [];
    const settled = cases.add(event);
    return [settled?.ran === true ? settled.result.id : ''];
  });
  expect(ids).toEqual(['', '', '', '', 'T001', 'T002']);
  expect(cases.rest()).toEqual([]);
});

test('a case passes when the pass rate asked for is reached', async () => {
  const [, ...results] = repeatedRun();
  const start = startEvent({ runs_per_case: 3, flags: { min_pass_rate: 60 } });
  const cases = await fold([start, ...results]);
  expect(cases.map((settled) => settled.ran && [settled.result.status, settled.result.error])).toEqual([
    ['passed', null],
    ['passed', null],
  ]);
});

test('lists cases apart that did not run to their end, unless they are lost already', async () => {
  const left = { status: 'skipped', reason: 'fail_fast', duration_ms: 0 } as const;
  const cases = await fold([
    startEvent({ runs_per_case: 2 }),
    resultEvent('T001', { run: 1 }),
    resultEvent('T001', { run: 2, ...left }),
    resultEvent('T002', { run: 1, ...left }),
    resultEvent('T002', { run: 2, ...left }),
    resultEvent('T003', { run: 1 }),
    resultEvent('T004', { run: 1, status: 'failed', error: 'wrong' }),
    resultEvent('T004', { run: 2, ...left }),
  ]);
  const skipped = (id: string, reason: string) => ({
    ran: false,
    kind: 'agent-eval',
    skipped: { id, test_id: 'tests/inputs.jsonl', reason },
  });
  expect(cases).toEqual([
    skipped('T001', 'fail_fast'),
    skipped('T002', 'fail_fast'),
    {
      ran: true,
      kind: 'agent-eval',
      result: {
        id: 'T004',
        status: 'failed',
        input: null,
        output: null,
        expected: null,
        duration_ms: 12,
        error: 'wrong',
        test_id: 'tests/inputs.jsonl',
        runs: 1,
        passed: 0,
        failed: 1,
        pass_rate: 0,
        stable: false,
        stability_class: 'Highly Unstable',
        ...once,
        run_details: [{ run: 1, status: 'failed', duration_ms: 12, output: null, error: 'wrong' }],
      },
    },
    skipped('T003', 'interrupted'),
  ]);
});

test('the pass rate that counts in the end goes before that of the start', async () => {
  const [, ...results] = repeatedRun();
  const source = sourceOf([startEvent({ runs_per_case: 3, flags: { min_pass_rate: 100 } }), ...results]);
  const statuses: unknown[] = [];
  for await (const settled of foldCases(source, { minPassRate: 60 }))
    statuses.push(settled.ran && settled.result.status);
  expect(statuses).toEqual(['passed', 'passed']);
});

test('keeps cases of the same id apart when test or variables differ', async () => {
  const cases = await fold([
    startEvent({ runs_per_case: 2 }),
    resultEvent('T001', { run: 1, variables: { A: 1 } }),
    resultEvent('T001', { run: 1, variables: { A: 2 } }),
    resultEvent('T001', { run: 1, test_id: 'other.jsonl' }),
  ]);
  expect(cases.length).toBe(3);
});

test('a test may have its own number of runs', async () => {
  const rest = { sha256: 'aa', agent_id: 'keyword', agent_sha256: 'bb' };
  const path = 'tests/a.test.json';
  const inputs = [
    { type: 'cases' as const, path, ...rest, test: 'a', test_id: 'a', runs: 2 },
    { type: 'cases' as const, path, ...rest, test: 'b', test_id: 'b' },
  ];
  const cases = await fold([
    startEvent({ inputs }),
    resultEvent('T001', { test_id: 'a', run: 1 }),
    resultEvent('T001', { test_id: 'b', run: 1 }),
    resultEvent('T001', { test_id: 'a', run: 2, status: 'failed' }),
    resultEvent('T002', { test_id: 'a', run: 1, variables: { Name: 'x' } }),
  ]);
  expect(
    cases.map((settled) =>
      settled.ran ? [settled.result.test_id, settled.result.status, settled.result.runs] : settled.skipped,
    ),
  ).toEqual([
    ['b', 'passed', 1],
    ['a', 'failed', 2],
    { id: 'T002', test_id: 'a', reason: 'interrupted', variables: { Name: 'x' } },
  ]);
});

test('counts what could not be measured in a log of an older version, too', async () => {
  const events = mixedRun().map((event) => {
    if (event.type !== 'summary') return event;
    const { unmeasured: _, ...older } = event;
    return older;
  });
  const { counts } = await readOverview(sourceOf(events));
  expect(counts.unmeasured).toBe(1);
});
