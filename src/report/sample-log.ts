// Logs for tests: small runs with every kind of ending.

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ResultEvent, RunEvent, StartEvent, SummaryEvent } from '../model/event.ts';
import type { EventSource, LoggedEvent } from '../model/sink.ts';

/** A `start` event with what matters to the test replaced. */
export function startEvent(fields: Partial<StartEvent> = {}): StartEvent {
  return {
    type: 'start',
    run_id: '01939f0a-0000-7000-8000-000000000001',
    log_version: 1,
    timestamp: '2024-12-17T10:00:00Z',
    agent_id: 'keyword',
    total_cases: 1,
    runs_per_case: 1,
    environment: { user_id: 'test-user', team_id: 'test-team', locale: 'en-us' },
    inputs: [
      { type: 'file', path: 'tests/inputs.jsonl', sha256: 'aa', agent_id: 'keyword', agent_sha256: 'bb' },
    ],
    flags: {},
    cwd: '/app',
    version: '0.1.0',
    ...fields,
  };
}

/** A `result` event; the key follows from id and run. */
export function resultEvent(id: string, fields: Partial<ResultEvent> = {}): ResultEvent {
  return {
    type: 'result',
    key: `${id}-${fields.run ?? 1}`,
    kind: 'agent-eval',
    test_id: 'tests/inputs.jsonl',
    id,
    run: 1,
    status: 'passed',
    duration_ms: 12,
    ...fields,
  };
}

/** A `summary` event of a run in which everything passed, with fields replaced. */
export function summaryEvent(fields: Partial<SummaryEvent> = {}): SummaryEvent {
  return {
    type: 'summary',
    timestamp: '2024-12-17T10:00:12Z',
    exit_code: 0,
    total: 1,
    passed: 1,
    failed: 0,
    skipped: 0,
    errors: 0,
    timeouts: 0,
    duration_ms: 12_345,
    total_runs: 1,
    runs_per_case: 1,
    overall_pass_rate: 100,
    stable_cases: 1,
    unstable_cases: 0,
    ...fields,
  };
}

/** One case of every kind: passed, failed with a diff, timeout, error and skipped. */
export function mixedRun(): RunEvent[] {
  return [
    startEvent({ total_cases: 5, connector: 'deepseek.v3' }),
    resultEvent('T001', {
      duration_ms: 234,
      input: 'Extract the keywords',
      output: { keywords: ['AI', 'ML'] },
      verdicts: [{ type: 'contains', status: 'passed' }],
      tags: ['smoke'],
    }),
    resultEvent('T002', {
      status: 'failed',
      duration_ms: 15,
      input: 'cloud',
      expected: 'cloud',
      output: 'fog',
      error: 'expected "cloud" but got "fog"',
      verdicts: [
        {
          type: 'equals',
          status: 'failed',
          message: 'expected "cloud" but got "fog"',
          diff: '- cloud\n+ fog',
        },
        {
          type: 'json_path',
          status: 'failed',
          message: 'nothing there',
          path: '$.a',
          expected: 1,
          actual: null,
        },
        { type: 'regex', status: 'passed' },
      ],
    }),
    resultEvent('T003', { status: 'timeout', duration_ms: 30_000, error: 'timeout after 30s' }),
    resultEvent('T004', {
      status: 'error',
      duration_ms: 3,
      error: 'connect ECONNREFUSED',
      code: 'connection',
    }),
    resultEvent('T005', { status: 'skipped', duration_ms: 0, reason: 'skip' }),
    summaryEvent({
      exit_code: 1,
      total: 5,
      passed: 1,
      failed: 3,
      skipped: 1,
      errors: 1,
      timeouts: 1,
      total_runs: 4,
      overall_pass_rate: 33.3,
      stable_cases: 1,
      unstable_cases: 3,
    }),
  ];
}

/** Two cases of three runs each; the second passes twice. */
export function repeatedRun(): RunEvent[] {
  const answer = { keywords: ['AI'] };
  const failed = {
    status: 'failed' as const,
    error: 'expected "a" but got "b"',
    verdicts: [
      { type: 'equals', status: 'failed' as const, message: 'expected "a" but got "b"', diff: '- a\n+ b' },
    ],
  };
  return [
    startEvent({ total_cases: 2, runs_per_case: 3 }),
    resultEvent('T001', { run: 1, duration_ms: 234, output: answer }),
    resultEvent('T002', { run: 1, duration_ms: 10, output: 'a' }),
    resultEvent('T001', { run: 3, duration_ms: 256, output: answer }),
    resultEvent('T002', { run: 2, duration_ms: 20, output: 'b', ...failed }),
    resultEvent('T001', { run: 2, duration_ms: 210, output: answer }),
    resultEvent('T002', { run: 3, duration_ms: 30, output: 'a' }),
    summaryEvent({
      exit_code: 1,
      total: 2,
      passed: 1,
      failed: 1,
      total_runs: 6,
      runs_per_case: 3,
      overall_pass_rate: 83.4,
      stable_cases: 1,
      unstable_cases: 1,
    }),
  ];
}

/** Two inputs with a case of the same id, which fails in the second. */
export function twoInputsRun(): RunEvent[] {
  const rest = { sha256: 'aa', agent_id: 'keyword', agent_sha256: 'bb' };
  const [a, b] = ['tests/a.jsonl', 'tests/b.jsonl'] as const;
  return [
    startEvent({
      total_cases: 3,
      inputs: [
        { type: 'file', path: a, ...rest },
        { type: 'file', path: b, ...rest },
      ],
    }),
    resultEvent('T001', { test_id: a }),
    resultEvent('T001', { test_id: b, status: 'failed', error: 'no answer' }),
    resultEvent('T002', { test_id: b, status: 'skipped', reason: 'skip' }),
    summaryEvent({
      exit_code: 1,
      total: 3,
      skipped: 1,
      passed: 1,
      failed: 1,
      total_runs: 2,
      overall_pass_rate: 50,
    }),
  ];
}

/** One case of five runs that passes with two of them, because that is enough. */
export function lenientRun(): RunEvent[] {
  const timeout = { status: 'timeout' as const, error: 'timeout after 1s' };
  return [
    startEvent({ runs_per_case: 5, flags: { min_pass_rate: 40 } }),
    resultEvent('T001', { run: 1, output: 'a', logs: ['asked'] }),
    resultEvent('T001', { run: 2, ...timeout }),
    resultEvent('T001', { run: 3, status: 'failed', error: 'no answer', retries: 2 }),
    resultEvent('T001', { run: 4, ...timeout }),
    resultEvent('T001', { run: 5, output: 'a' }),
    summaryEvent({
      total_runs: 5,
      runs_per_case: 5,
      overall_pass_rate: 40,
      stable_cases: 0,
      unstable_cases: 1,
    }),
  ];
}

/** The events as a source that can be read again and again. */
export function sourceOf(events: readonly RunEvent[]): EventSource {
  return {
    async *events() {
      yield* events;
    },
  };
}

/** The events as the pipeline hands them to sinks. */
export function batchOf(events: readonly RunEvent[]): LoggedEvent[] {
  return events.map((event) => ({ event, line: JSON.stringify(event) }));
}

/** Writes a log file into a new folder. */
export function writeLog(events: readonly unknown[], tail = ''): string {
  const path = join(mkdtempSync(join(tmpdir(), 'assay-log-')), 'run.jsonl');
  writeFileSync(path, events.map((event) => `${JSON.stringify(event)}\n`).join('') + tail);
  return path;
}

/** All chunks of a report as one text. */
export async function textOfReport(chunks: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text;
}
