import { expect, test } from 'vitest';
import { markdownReport } from './markdown.ts';
import {
  lenientRun,
  mixedRun,
  repeatedRun,
  resultEvent,
  sourceOf,
  startEvent,
  summaryEvent,
  textOfReport,
  twoInputsRun,
} from '../../../test/fixtures/logs/agent-log.ts';

async function reportOf(events: Parameters<typeof sourceOf>[0]): Promise<string> {
  return textOfReport(markdownReport(sourceOf(events)));
}

test('writes summary, environment and every case', async () => {
  expect(await reportOf(mixedRun())).toBe(`# Agent Test Report

## Summary

| Metric       | Value                                   |
| ------------ | --------------------------------------- |
| Agent        | keyword                                 |
| Connector    | deepseek.v3                             |
| Total        | 5                                       |
| Passed       | 1                                       |
| Failed       | 2                                       |
| Not Measured | 1                                       |
| Errors       | 1                                       |
| Timeouts     | 1                                       |
| Skipped      | 1                                       |
| Pass Rate    | 33.3% (cases like these: 6.1% to 79.2%) |
| Duration     | 12.3s                                   |

## Environment

| Setting | Value     |
| ------- | --------- |
| User    | test-user |
| Team    | test-team |
| Locale  | en-us     |

## Results

### ✅ T001 - Passed (234ms)

**Input**

\`\`\`
Extract the keywords
\`\`\`

**Output**

\`\`\`json
{
  "keywords": [
    "AI",
    "ML"
  ]
}
\`\`\`

### ❌ T002 - Failed (15ms)

**Input**

\`\`\`
cloud
\`\`\`

**Expected**

\`\`\`
cloud
\`\`\`

**equals:** expected "cloud" but got "fog"

\`\`\`diff
- cloud
+ fog
\`\`\`

**json_path $.a:** nothing there

\`\`\`
expected: 1
actual:   null
\`\`\`

**Output**

\`\`\`
fog
\`\`\`

### ⏱️ T003 - Timeout (30s)

timeout after 30s

### ⚠️ T004 - Error (3ms)

**connection:** connect ECONNREFUSED

## Skipped

- T005 (tests/inputs.jsonl): skip
`);
});

test('adds a stability table when cases ran several times', async () => {
  expect(await reportOf(repeatedRun())).toBe(`# Agent Test Report

## Summary

| Metric    | Value                                    |
| --------- | ---------------------------------------- |
| Agent     | keyword                                  |
| Total     | 2                                        |
| Passed    | 1                                        |
| Failed    | 1                                        |
| Runs      | 6 (3 per case)                           |
| Stable    | 1                                        |
| Unstable  | 1                                        |
| Pass Rate | 83.4% (cases like these: 24.1% to 98.7%) |
| Duration  | 12.3s                                    |

## Environment

| Setting | Value     |
| ------- | --------- |
| User    | test-user |
| Team    | test-team |
| Locale  | en-us     |

## Stability

| Case | Passed | Pass Rate | Consistency | Class | Average | Min | Max | Deviation |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
| T001 | 3/3 | 100% | 1.00 | Stable | 233ms | 210ms | 256ms | 18.8ms |
| T002 | 2/3 | 66.7% | 0.67 | Unstable | 20ms | 10ms | 30ms | 8.2ms |

## Results

### ✅ T001 - Passed (233ms)

3 of 3 runs passed, Stable.

#### ✅ Run 1 - Passed (234ms)

**Output**

\`\`\`json
{
  "keywords": [
    "AI"
  ]
}
\`\`\`

### ❌ T002 - Failed (20ms)

2 of 3 runs passed, Unstable.

#### ✅ Run 1 - Passed (10ms)

**Output**

\`\`\`
a
\`\`\`

#### ❌ Run 2 - Failed (20ms)

**equals:** expected "a" but got "b"

\`\`\`diff
- a
+ b
\`\`\`

**Output**

\`\`\`
b
\`\`\`
`);
});

test('says that a killed run is unfinished', async () => {
  const [, , notice] = (await reportOf(mixedRun().slice(0, 3))).split('\n');
  expect(notice).toBe('> **Unfinished:** the run stopped early; 2 of 5 cases have a result.');
});

test('hostile ids, errors and answers stay inside their place', async () => {
  const events = [
    startEvent({ agent_id: 'a|b\n# not a heading' }),
    resultEvent('<b>`x`</b>\n## no', {
      status: 'failed',
      error: 'bad',
      verdicts: [
        {
          type: 'equals',
          status: 'failed',
          message: '![x](https://evil.example/x.png)\n| a |',
          diff: '- ```\n+ `````',
        },
      ],
      output: '````\n# heading\n\u001b[31mred\r\n\u202ereversed',
    }),
    summaryEvent({ passed: 0, failed: 1 }),
  ];
  const report = await reportOf(events);
  expect(report).toContain(String.raw`| Agent     | a\|b # not a heading |`);
  expect(report.slice(report.indexOf('### ')))
    .toBe(String.raw`### ❌ \<b\>${'\\`x\\`'}\</b\> ## no - Failed (12ms)

**equals:** !\[x\](https://evil.example/x.png)

${'```'}
| a |
${'```'}

${'``````'}diff
- ${'```'}
+ ${'`````'}
${'``````'}

**Output**

${'`````'}
${'````'}
# heading
\x1b[31mred
\u202ereversed
${'`````'}
`);
});

test('cuts an answer of a megabyte and says so', async () => {
  const report = await reportOf([
    startEvent(),
    resultEvent('T001', { output: 'x'.repeat(1_000_000) }),
    summaryEvent(),
  ]);
  expect(report.length).toBeLessThan(21_000);
  expect(report).toContain('xxx\n```\n\n… 980000 more characters; the run log has all of it.\n');
});

async function headingsOf(events: Parameters<typeof sourceOf>[0]): Promise<string[]> {
  return (await reportOf(events)).split('\n').filter((line) => /^###|^\| .*T001|runs passed|^- /.test(line));
}

test('names the input of a case if there are several', async () => {
  expect(await headingsOf(twoInputsRun())).toEqual([
    '### ✅ tests/a.jsonl › T001 - Passed (12ms)',
    '### ❌ tests/b.jsonl › T001 - Failed (12ms)',
    '- T002 (tests/b.jsonl): skip',
  ]);
});

test('says what was tried again, and shows the failing runs of a case that passed', async () => {
  expect(await headingsOf([startEvent(), resultEvent('T001', { retries: 2 }), summaryEvent()])).toEqual([
    '### ✅ T001 - Passed (12ms, tried 3 times)',
  ]);
  expect(await headingsOf(lenientRun())).toEqual([
    '| T001 | 2/5 | 40% | 0.60 | Highly Unstable | 12ms | 12ms | 12ms | 0ms |',
    '### ✅ T001 - Passed (12ms)',
    '2 of 5 runs passed, Highly Unstable, 2 retries.',
    '#### ✅ Run 1 - Passed (12ms)',
    '#### ⏱️ Run 2 - Timeout (12ms)',
    '#### ❌ Run 3 - Failed (12ms, tried 3 times)',
    '#### ⏱️ Run 4 - Timeout (12ms)',
  ]);
});
