// Runs with definitions, variables and a matrix in every format.

import { expect, test } from 'vitest';
import type { LoggedInput, RunEvent } from '../../model/event.ts';
import { jsonReport } from '../formats/json.ts';
import { junitReport } from '../formats/junit.ts';
import { markdownReport } from '../formats/markdown.ts';
import {
  resultEvent,
  sourceOf,
  startEvent,
  summaryEvent,
  textOfReport,
} from '../../../test/fixtures/logs/agent-log.ts';
import { matrixRun } from '../../../test/fixtures/logs/matrix-log.ts';
import { summaryReport } from '../formats/summary.ts';

type Report = Record<string, unknown>;

async function jsonOf(events: readonly RunEvent[]): Promise<Report> {
  return JSON.parse(await textOfReport(jsonReport(sourceOf(events)))) as Report;
}

/** A function of the script test `setup`, tested with two configurations. */
const scriptInput = (test: string, AIConfiguration: string): LoggedInput => ({
  type: 'script',
  input: test,
  script: 'scripts.expense.setup',
  script_path: 'expense/src/setup_test.ts',
  file: 'assistants/expense/src/setup_test.ts',
  sha256: 'aa',
  agent_id: 'expense',
  agent_sha256: 'bb',
  test,
  test_id: test,
  resolved_variables: { values: { AIConfiguration }, sources: { AIConfiguration: 'run' } },
});

function scriptRun(...tests: string[]): RunEvent[] {
  const values = ['a', 'b'];
  return [
    startEvent({
      agent_id: 'expense',
      matrix: { AIConfiguration: values },
      inputs: tests.flatMap((test) => values.map((value) => scriptInput(test, value))),
    }),
    ...tests.flatMap((test_id) =>
      values.map((AIConfiguration) =>
        resultEvent('TestTotal', {
          key: `${test_id}-${AIConfiguration}`,
          kind: 'script',
          test_id,
          variables: { AIConfiguration },
          assertions: 1,
        }),
      ),
    ),
    summaryEvent({ total: 2 * tests.length, passed: 2 * tests.length }),
  ];
}

test('the JSON report has the values, how each did, and the tests', async () => {
  const report = await jsonOf(matrixRun());
  expect(Object.keys(report)).toEqual([
    'summary',
    'by_variable',
    'best',
    'only_fails_for',
    'may_only_fail_for',
    'environment',
    'suite',
    'resolved_variables',
    'tests',
    'results',
    'skipped_cases',
    'metadata',
  ]);
  expect(report['only_fails_for']).toEqual([]);
  expect(report['may_only_fail_for']).toEqual([
    { test_id: 'greeting', id: 'T002', variable: 'AIConfiguration', value: 'b', p: 0.5177, runs: 2 },
  ]);
  expect(report['resolved_variables']).toEqual({
    values: { Language: 'en' },
    sources: { Language: 'suite' },
  });
  const sources = { AIConfiguration: 'run', Temperature: 'run', Language: 'suite' };
  const greeting = { test: 'greeting', test_id: 'greeting', agent_id: 'keyword', runs: 1 };
  const tone = { test: 'tone', test_id: 'tone', agent_id: 'keyword', runs: 2 };
  const own = { AIConfiguration: 'run', Temperature: 'test', Language: 'test' };
  const valuesOf = (AIConfiguration: string, Temperature: number, Language: string) => ({
    AIConfiguration,
    Temperature,
    Language,
  });
  expect(report['tests']).toEqual([
    { ...greeting, resolved_variables: { values: valuesOf('a', 0, 'en'), sources } },
    { ...greeting, resolved_variables: { values: valuesOf('a', 0.7, 'en'), sources } },
    { ...greeting, resolved_variables: { values: valuesOf('b', 0, 'en'), sources } },
    { ...greeting, resolved_variables: { values: valuesOf('b', 0.7, 'en'), sources } },
    { ...tone, resolved_variables: { values: valuesOf('a', 0.3, 'fr'), sources: own } },
    { ...tone, resolved_variables: { values: valuesOf('b', 0.3, 'fr'), sources: own } },
  ]);
  expect(report['skipped_cases']).toEqual([
    { id: 'polite', test_id: 'tone', reason: 'skip', variables: valuesOf('b', 0.3, 'fr') },
  ]);
});

test('an unfinished run counts the runs that its tests have', async () => {
  const killed = matrixRun().slice(0, -3);
  expect(await jsonOf(killed)).toMatchObject({
    summary: {
      total: 9,
      passed: 5,
      failed: 4,
      skipped: 0,
      errors: 1,
      timeouts: 1,
      duration_ms: null,
      total_runs: 10,
      runs_per_case: 1,
      overall_pass_rate: 68.8,
      stable_cases: 5,
      unstable_cases: 4,
    },
  });
  const earlier = await jsonOf(matrixRun().slice(0, 5));
  expect(earlier).toMatchObject({
    summary: { total: 4, passed: 3, failed: 0, skipped: 1, total_runs: 4, overall_pass_rate: 100 },
    skipped_cases: [{ id: 'polite', test_id: 'tone', reason: 'interrupted' }],
  });
});

test('Markdown has a table for each variable, the values, and names that tell results apart', async () => {
  const report = await textOfReport(markdownReport(sourceOf(matrixRun())));
  expect(report.slice(0, report.indexOf('## Stability'))).toBe(`# Agent Test Report

## Summary

| Metric       | Value                                    |
| ------------ | ---------------------------------------- |
| Suite        | nightly                                  |
| Agent        | keyword                                  |
| Total        | 10                                       |
| Passed       | 5                                        |
| Failed       | 3                                        |
| Not Measured | 1                                        |
| Errors       | 1                                        |
| Timeouts     | 1                                        |
| Skipped      | 1                                        |
| Runs         | 10 (1 to 2 per case)                     |
| Stable       | 5                                        |
| Unstable     | 4                                        |
| Pass Rate    | 68.8% (cases like these: 35.6% to 89.8%) |
| Duration     | 12.3s                                    |

## By Variable

### AIConfiguration

| Value | Total | Passed | Failed | Errors | Timeouts | Skipped | Pass Rate | Cases Like These | Rank   | Average |
| ----- | ----- | ------ | ------ | ------ | -------- | ------- | --------- | ---------------- | ------ | ------- |
| a     | 5     | 4      | 1      | 0      | 0        | 0       | 90%       | 11.3% to 99.8%   | 1 to 2 | 13ms    |
| b     | 5     | 1      | 3      | 1      | 1        | 1       | 33.3%     | 0.1% to 99.5%    | 1 to 2 | 263ms   |

Not clear: a or b (p 0.5); more runs would hardly decide, more cases might.

### Temperature

| Value | Total | Passed | Failed | Errors | Timeouts | Skipped | Pass Rate | Cases Like These | Rank   | Average |
| ----- | ----- | ------ | ------ | ------ | -------- | ------- | --------- | ---------------- | ------ | ------- |
| 0     | 4     | 3      | 1      | 0      | 0        | 0       | 75%       | 0.7% to 99.9%    | 1 to 2 | 15ms    |
| 0.7   | 4     | 2      | 2      | 1      | 1        | 0       | 66.7%     | 0.5% to 99.9%    | 1 to 2 | 259ms   |
| 0.3   | 2     | 0      | 1      | 0      | 0        | 1       | 50%       | 5.5% to 94.5%    | n/a    | 20ms    |

Not clear: 0 or 0.7 (p 1); more runs would hardly decide, more cases might.

### Only Fails For

- May fail only for AIConfiguration=b (not proven: 2 runs): greeting/T002

## Environment

| Setting | Value     |
| ------- | --------- |
| User    | test-user |
| Team    | test-team |
| Locale  | en-us     |

## Variables

| Variable | Value | Source |
| -------- | ----- | ------ |
| Language | en    | suite  |

| Test | Variable | Value | Source |
| ---- | -------- | ----- | ------ |
| tone | Language | fr    | test   |

`);
  expect(report.match(/^###? (?!#).*|^- .*/gm)?.slice(8)).toEqual([
    '## Stability',
    '## Results',
    String.raw`### ✅ greeting › T001 \[AIConfiguration=a, Temperature=0\] - Passed (10ms)`,
    String.raw`### ✅ greeting › T002 \[AIConfiguration=a, Temperature=0\] - Passed (10ms)`,
    String.raw`### ✅ greeting › T001 \[AIConfiguration=a, Temperature=0.7\] - Passed (15ms)`,
    String.raw`### ✅ greeting › T002 \[AIConfiguration=a, Temperature=0.7\] - Passed (10ms)`,
    String.raw`### ✅ greeting › T001 \[AIConfiguration=b, Temperature=0\] - Passed (30ms)`,
    String.raw`### ❌ greeting › T002 \[AIConfiguration=b, Temperature=0\] - Failed (10ms)`,
    String.raw`### ⚠️ greeting › T001 \[AIConfiguration=b, Temperature=0.7\] - Error (10ms)`,
    String.raw`### ❌ tone › polite \[AIConfiguration=a, Temperature=0.3\] - Failed (20ms)`,
    String.raw`### ⏱️ greeting › T002 \[AIConfiguration=b, Temperature=0.7\] - Timeout (1s)`,
    '## Skipped',
    String.raw`- polite \[AIConfiguration=b, Temperature=0.3\] (tone): skip`,
  ]);
});

test('JUnit and the summary call results by their values', async () => {
  const junit = await textOfReport(junitReport(sourceOf(matrixRun())));
  expect([...junit.matchAll(/<testcase (classname="\w+" name="[^"]+")/g)].map(([, names]) => names)).toEqual([
    'classname="greeting" name="T001 [AIConfiguration=a, Temperature=0]"',
    'classname="greeting" name="T002 [AIConfiguration=a, Temperature=0]"',
    'classname="greeting" name="T001 [AIConfiguration=a, Temperature=0.7]"',
    'classname="greeting" name="T002 [AIConfiguration=a, Temperature=0.7]"',
    'classname="greeting" name="T001 [AIConfiguration=b, Temperature=0]"',
    'classname="greeting" name="T002 [AIConfiguration=b, Temperature=0]"',
    'classname="greeting" name="T001 [AIConfiguration=b, Temperature=0.7]"',
    'classname="tone" name="polite [AIConfiguration=a, Temperature=0.3]"',
    'classname="greeting" name="T002 [AIConfiguration=b, Temperature=0.7]"',
    'classname="tone" name="polite [AIConfiguration=b, Temperature=0.3]"',
  ]);
  expect(await textOfReport(summaryReport(sourceOf(matrixRun())))).toBe(`Agent Test: keyword
Summary: 5 passed, 3 failed, 1 skipped, 1 could not be measured (12.3s)
Errors: 1
Timeouts: 1
Pass rate: 68.8% (cases like these: 35.6% to 89.8%)
Stability: 5 stable, 4 unstable (10 runs, 1 to 2 per case)

Not passed:
  greeting › T002 [AIConfiguration=b, Temperature=0] (failed): no answer
  greeting › T001 [AIConfiguration=b, Temperature=0.7] (error): ECONNREFUSED
  tone › polite [AIConfiguration=a, Temperature=0.3] (failed): rude
  greeting › T002 [AIConfiguration=b, Temperature=0.7] (timeout): timeout after 1s
`);
});

test('hostile names and values stay text', async () => {
  const bad = '<b>|`\n\u001b[31m';
  const events = [
    startEvent({
      matrix: { [bad]: [bad] },
      resolved_variables: { values: { [bad]: bad }, sources: { [bad]: bad } },
    }),
    resultEvent('T001', { variables: { [bad]: bad } }),
    summaryEvent(),
  ];
  const markdown = await textOfReport(markdownReport(sourceOf(events)));
  const shown = String.raw`\<b\>\|\` \\x1b\[31m`;
  expect(markdown).toContain(`### ${shown}\n`);
  expect(markdown).toContain(`| ${shown} | ${shown} | ${shown} |\n`);
});

test('a script with several values is one script, with results that are told apart', async () => {
  const report = await jsonOf(scriptRun('setup'));
  expect(report).toMatchObject({
    type: 'script_test',
    script: 'scripts.expense.setup',
    script_path: 'expense/src/setup_test.ts',
    results: [
      { name: 'TestTotal', variables: { AIConfiguration: 'a' } },
      { name: 'TestTotal', variables: { AIConfiguration: 'b' } },
    ],
  });
  const markdown = await textOfReport(markdownReport(sourceOf(scriptRun('setup'))));
  expect(markdown.slice(markdown.indexOf('## setup'))).toBe(String.raw`## setup

File: expense/src/setup_test.ts

| Test | Status | Time |
| --- | --- | --- |
| TestTotal \[AIConfiguration=a\] | ✅ Passed | 12ms |
| TestTotal \[AIConfiguration=b\] | ✅ Passed | 12ms |
`);
});

test('tests of the same script are told apart by their ids', async () => {
  const events = scriptRun('setup', 'again');
  const place = { script: 'scripts.expense.setup', script_path: 'expense/src/setup_test.ts' };
  const report = await jsonOf(events);
  expect(report['results']).toMatchObject([place, place, place, place]);
  const junit = await textOfReport(junitReport(sourceOf(events)));
  expect(
    [...junit.matchAll(/<test(?:suite|case) (?:class)?name="([^"]+)"/g)].map(([, name]) => name),
  ).toEqual(['setup', 'setup', 'setup', 'again', 'again', 'again']);
});
