import { execFileSync, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { jsonReport } from './json.ts';
import { jsonlReport } from './jsonl.ts';
import {
  mixedRun,
  repeatedRun,
  resultEvent,
  sourceOf,
  startEvent,
  summaryEvent,
  textOfReport,
} from '../../../test/fixtures/logs/agent-log.ts';

const environment = { user_id: 'test-user', team_id: 'test-team', locale: 'en-us' };
const metadata = {
  started_at: '2024-12-17T10:00:00Z',
  completed_at: '2024-12-17T10:00:12Z',
  version: '0.1.0',
  run_id: '01939f0a-0000-7000-8000-000000000001',
};

test('writes the whole document, laid out for people', async () => {
  const events = [
    startEvent({ connector: 'deepseek.v3', total_cases: 2 }),
    resultEvent('T001', { duration_ms: 234, input: 'Hi', output: { keywords: ['AI'] } }),
    resultEvent('T002', { status: 'skipped', duration_ms: 0, reason: 'skip' }),
    summaryEvent({ total: 2, skipped: 1 }),
  ];
  expect(await textOfReport(jsonReport(sourceOf(events)))).toBe(`{
  "summary": {
    "total": 2,
    "passed": 1,
    "failed": 0,
    "skipped": 1,
    "errors": 0,
    "timeouts": 0,
    "duration_ms": 12345,
    "agent_id": "keyword",
    "connector": "deepseek.v3",
    "total_cases": 2,
    "total_runs": 1,
    "runs_per_case": 1,
    "overall_pass_rate": 100,
    "pass_rate_interval": {
      "low": 20.7,
      "high": 100
    },
    "stable_cases": 1,
    "unstable_cases": 0
  },
  "environment": {
    "user_id": "test-user",
    "team_id": "test-team",
    "locale": "en-us"
  },
  "results": [
    {
      "id": "T001",
      "status": "passed",
      "input": "Hi",
      "output": {
        "keywords": [
          "AI"
        ]
      },
      "expected": null,
      "duration_ms": 234,
      "error": null,
      "test_id": "tests/inputs.jsonl",
      "runs": 1,
      "passed": 1,
      "failed": 0,
      "pass_rate": 100,
      "consistency": 1,
      "stable": true,
      "stability_class": "Stable",
      "avg_duration_ms": 234,
      "min_duration_ms": 234,
      "max_duration_ms": 234,
      "std_deviation_ms": 0
    }
  ],
  "skipped_cases": [
    {
      "id": "T002",
      "test_id": "tests/inputs.jsonl",
      "reason": "skip"
    }
  ],
  "metadata": {
    "started_at": "2024-12-17T10:00:00Z",
    "completed_at": "2024-12-17T10:00:12Z",
    "version": "0.1.0",
    "run_id": "01939f0a-0000-7000-8000-000000000001"
  }
}
`);
});

test('a killed run has counts of what is there, no duration and no end', async () => {
  const killed = repeatedRun().slice(0, 5);
  const report: unknown = JSON.parse(await textOfReport(jsonReport(sourceOf(killed))));
  expect(report).toMatchObject({
    summary: {
      total: 2,
      passed: 0,
      failed: 1,
      skipped: 1,
      errors: 0,
      timeouts: 0,
      duration_ms: null,
      agent_id: 'keyword',
      connector: null,
      total_cases: 2,
      total_runs: 4,
      runs_per_case: 3,
      overall_pass_rate: 75,
      stable_cases: 0,
      unstable_cases: 1,
    },
    environment,
    results: [{ id: 'T002', runs: 2, passed: 1 }],
    skipped_cases: [{ id: 'T001', reason: 'interrupted' }],
    metadata: { ...metadata, completed_at: null },
  });
});

test('a run without any result is still a document', async () => {
  const report: unknown = JSON.parse(await textOfReport(jsonReport(sourceOf([startEvent()]))));
  expect(report).toEqual({
    summary: {
      total: 0,
      passed: 0,
      failed: 0,
      skipped: 0,
      errors: 0,
      timeouts: 0,
      duration_ms: null,
      agent_id: 'keyword',
      connector: null,
      total_cases: 1,
      total_runs: 0,
      runs_per_case: 1,
      overall_pass_rate: null,
      stable_cases: 0,
      unstable_cases: 0,
    },
    environment,
    results: [],
    skipped_cases: [],
    metadata: { ...metadata, completed_at: null },
  });
});

const JQ = 'jq';
const hasJq = spawnSync(JQ, ['--version']).status === 0;

test.skipIf(!hasJq)('answers of the jq check in a pipeline are right', async () => {
  const passes = (report: string) => {
    try {
      execFileSync(JQ, ['-e', '.results | all(.pass_rate >= 80)'], { input: report, stdio: 'pipe' });
      return true;
    } catch (error) {
      if (error instanceof Error && 'status' in error && error.status === 1) return false;
      throw error;
    }
  };
  const [start, ...rest] = repeatedRun();
  const good = [start, ...rest.filter((event) => event.type !== 'result' || event.id === 'T001')];
  const reportOf = (events: unknown[]) => textOfReport(jsonReport(sourceOf(events as never)));
  expect(passes(await reportOf(good))).toBe(true);
  expect(passes(await reportOf(repeatedRun()))).toBe(false);
});

test('hostile answers come back as they were', async () => {
  const output = { text: '"]}\n\u2028\u0000\ud800', __proto__: 1, 'a\nb': '\n    ' };
  const events = [startEvent(), resultEvent('"x"\n', { output }), summaryEvent()];
  const report = JSON.parse(await textOfReport(jsonReport(sourceOf(events)))) as { results: unknown[] };
  expect(report.results).toMatchObject([{ id: '"x"\n', output }]);
});

test('the JSONL report is the log', async () => {
  const lines = mixedRun().map((event) => `${JSON.stringify(event)}\n`);
  expect(await textOfReport(jsonlReport(sourceOf(mixedRun())))).toBe(lines.join(''));
});
