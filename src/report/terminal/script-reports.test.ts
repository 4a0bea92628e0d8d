import { expect, test } from 'vitest';
import type { RunEvent } from '../../model/event.ts';
import { junitReport } from '../formats/junit.ts';
import { markdownReport } from '../formats/markdown.ts';
import type { Format } from '../registry.ts';
import { sourceOf, startEvent, textOfReport } from '../../../test/fixtures/logs/agent-log.ts';
import {
  everyEndRun,
  mixedScriptRun,
  repeatedScriptRun,
  scriptInput,
  scriptResult,
  scriptRun,
  twoScriptsRun,
} from '../../../test/fixtures/logs/script-log.ts';
import { summaryReport } from '../formats/summary.ts';

async function reportOf(format: Format, events: readonly RunEvent[]): Promise<string> {
  return textOfReport(format(sourceOf(events)));
}

test('Markdown has a section per script: its functions, then what is wrong with them', async () => {
  expect(await reportOf(markdownReport, everyEndRun())).toMatchInlineSnapshot(`
    "# Script Test Report

    ## Summary

    | Metric    | Value                 |
    | --------- | --------------------- |
    | Script    | scripts.expense.setup |
    | Total     | 6                     |
    | Passed    | 1                     |
    | Failed    | 3                     |
    | Errors    | 1                     |
    | Timeouts  | 1                     |
    | Skipped   | 2                     |
    | Pass Rate | 25%                   |
    | Duration  | 12.3s                 |

    ## Environment

    | Setting | Value     |
    | ------- | --------- |
    | User    | test-user |
    | Team    | test-team |
    | Locale  | en-us     |

    ## scripts.expense.setup

    File: expense/src/setup_test.ts

    | Test | Status | Time |
    | --- | --- | --- |
    | TestNothing | ✅ Passed | 0ms, no assertions |
    | TestTotal | ❌ Failed | 12ms |
    | TestThrows | ⚠️ Error | 3ms |
    | TestHangs | ⏱️ Timeout | 30s |
    | TestLater | ⏭️ Skipped: needs a database | |
    | TestLast | ⏭️ Skipped: fail_fast | |

    ### ❌ TestTotal - Failed (12ms)

    assertion failed: sums differ

    \`\`\`diff
    - "total": 3
    + "total": 4
    \`\`\`

    at expense/src/setup_test.ts:20:7

    no good

    at expense/src/setup_test.ts:21:5

    **TestTotal/empty cart/with tax:** assertion failed: tax

    \`\`\`
    expected: "1"
    actual:   1
    \`\`\`

    at expense/src/setup_test.ts:24:9

    **Subtests**

    - failed: TestTotal/empty cart/with tax (1ms): assertion failed: tax
    - failed: TestTotal/empty cart (2ms): assertion failed: tax
    - passed: TestTotal/one item (1ms)
    - skipped: TestTotal/refunds (0ms): not yet

    **Logs**

    \`\`\`
    begin
    end
    \`\`\`

    ### ⚠️ TestThrows - Error (3ms)

    TypeError: cart is undefined

    \`\`\`
    at total (expense/src/setup.ts:4:10)
    at TestThrows (expense/src/setup_test.ts:30:3)
    \`\`\`

    ### ⏱️ TestHangs - Timeout (30s)

    timeout after 30s
    "
  `);
});

test('Markdown of several runs shows the runs that failed', async () => {
  const report = await reportOf(markdownReport, repeatedScriptRun());
  expect(report.slice(report.indexOf('## Stability'))).toMatchInlineSnapshot(`
    "## Stability

    | Test | Passed | Pass Rate | Consistency | Class | Average | Min | Max | Deviation |
    | --- | --- | --- | --- | --- | --- | --- | --- | --- |
    | TestReady | 2/3 | 66.7% | 1.00 | Unstable | 13ms | 12ms | 15ms | 1.4ms |

    ## scripts.expense.setup

    File: expense/src/setup_test.ts

    | Test | Status | Time |
    | --- | --- | --- |
    | TestReady | ✅ Passed | 13ms |

    ### ✅ TestReady - Passed (13ms)

    2 of 3 runs passed, Unstable.

    #### ✅ Run 1 - Passed (12ms)

    #### ❌ Run 2 - Failed (15ms)

    assertion failed: Result ID should match

    \`\`\`
    expected: 1
    actual:   2
    \`\`\`

    at expense/src/setup_test.ts:12:5

    **Logs**

    \`\`\`
    slow today
    \`\`\`
    "
  `);
});

test('Markdown of a run with agents in it names the script of a test', async () => {
  const report = await reportOf(markdownReport, mixedScriptRun());
  expect(report.slice(report.indexOf('## Results'))).toMatchInlineSnapshot(`
    "## Results

    ### ✅ tests/inputs.jsonl › T001 - Passed (12ms)

    **Input**

    \`\`\`
    Hi
    \`\`\`

    **Output**

    \`\`\`
    Hello
    \`\`\`

    ### ❌ scripts.expense.setup › TestSetup - Failed (15ms)

    assertion failed: Result ID should match

    \`\`\`
    expected: 1
    actual:   2
    \`\`\`

    at expense/src/setup_test.ts:12:5

    ### ✅ scripts.expense.setup › TestNothing - Passed (12ms, no assertions)
    "
  `);
});

test('JUnit has everything about tests that did not pass', async () => {
  expect(await reportOf(junitReport, everyEndRun())).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="assay" tests="6" failures="2" errors="1" time="12.345">
      <testsuite name="scripts.expense.setup" file="assistants/expense/src/setup_test.ts" tests="6" failures="2" errors="1" skipped="2" time="30.015" timestamp="2024-12-17T10:00:00Z">
        <properties>
          <property name="run_id" value="01939f0a-0000-7000-8000-000000000001"/>
          <property name="agent_id" value="expense"/>
          <property name="user_id" value="test-user"/>
          <property name="team_id" value="test-team"/>
          <property name="locale" value="en-us"/>
          <property name="version" value="0.1.0"/>
        </properties>
        <testcase classname="scripts.expense.setup" name="TestNothing" time="0.000">
          <system-out>quiet</system-out>
        </testcase>
        <testcase classname="scripts.expense.setup" name="TestTotal" time="0.012">
          <failure message="assertion failed: sums differ" type="Equal">assertion failed: sums differ
    - "total": 3
    + "total": 4
    at expense/src/setup_test.ts:20:7
    no good
    at expense/src/setup_test.ts:21:5
    TestTotal/empty cart/with tax: assertion failed: tax
    expected: "1"
    actual: 1
    at expense/src/setup_test.ts:24:9
    failed: TestTotal/empty cart/with tax (1ms): assertion failed: tax
    failed: TestTotal/empty cart (2ms): assertion failed: tax
    passed: TestTotal/one item (1ms)
    skipped: TestTotal/refunds (0ms): not yet</failure>
          <system-out>begin
    end</system-out>
        </testcase>
        <testcase classname="scripts.expense.setup" name="TestThrows" time="0.003">
          <error message="TypeError: cart is undefined" type="exception">TypeError: cart is undefined
        at total (expense/src/setup.ts:4:10)
        at TestThrows (expense/src/setup_test.ts:30:3)</error>
        </testcase>
        <testcase classname="scripts.expense.setup" name="TestHangs" time="30.000">
          <failure message="timeout after 30s" type="timeout">timeout after 30s</failure>
        </testcase>
        <testcase classname="scripts.expense.setup" name="TestLater" time="0.000">
          <skipped message="needs a database"/>
        </testcase>
        <testcase classname="scripts.expense.setup" name="TestLast" time="0.000">
          <skipped message="fail_fast"/>
        </testcase>
      </testsuite>
    </testsuites>
    "
  `);
});

test('JUnit has a suite per script', async () => {
  expect(await reportOf(junitReport, twoScriptsRun())).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="assay" tests="3" failures="1" errors="0" time="12.345">
      <testsuite name="scripts.expense.setup" file="assistants/expense/src/setup_test.ts" tests="1" failures="0" errors="0" skipped="0" time="0.012" timestamp="2024-12-17T10:00:00Z">
        <properties>
          <property name="run_id" value="01939f0a-0000-7000-8000-000000000001"/>
          <property name="agent_id" value="expense"/>
          <property name="user_id" value="test-user"/>
          <property name="team_id" value="test-team"/>
          <property name="locale" value="en-us"/>
          <property name="version" value="0.1.0"/>
        </properties>
        <testcase classname="scripts.expense.setup" name="TestReady" time="0.012"/>
      </testsuite>
      <testsuite name="scripts.expense.tools" file="assistants/expense/src/tools_test.ts" tests="2" failures="1" errors="0" skipped="1" time="0.015" timestamp="2024-12-17T10:00:00Z">
        <testcase classname="scripts.expense.tools" name="TestReady" time="0.015">
          <failure message="assertion failed: Result ID should match" type="Equal">assertion failed: Result ID should match
    expected: 1
    actual: 2
    at expense/src/setup_test.ts:12:5</failure>
        </testcase>
        <testcase classname="scripts.expense.tools" name="TestLater" time="0.000">
          <skipped message="skip"/>
        </testcase>
      </testsuite>
    </testsuites>
    "
  `);
});

test('JUnit counts cases of agents and tests of scripts apart', async () => {
  expect(await reportOf(junitReport, mixedScriptRun())).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="assay" tests="3" failures="1" errors="0" time="12.345">
      <testsuite name="keyword, expense" tests="1" failures="0" errors="0" skipped="0" time="0.012" timestamp="2024-12-17T10:00:00Z">
        <properties>
          <property name="run_id" value="01939f0a-0000-7000-8000-000000000001"/>
          <property name="agent_id" value="keyword, expense"/>
          <property name="user_id" value="test-user"/>
          <property name="team_id" value="test-team"/>
          <property name="locale" value="en-us"/>
          <property name="version" value="0.1.0"/>
        </properties>
        <testcase classname="tests/inputs.jsonl" name="T001" time="0.012"/>
      </testsuite>
      <testsuite name="scripts.expense.setup" file="assistants/expense/src/setup_test.ts" tests="2" failures="1" errors="0" skipped="0" time="0.027" timestamp="2024-12-17T10:00:00Z">
        <testcase classname="scripts.expense.setup" name="TestSetup" time="0.015">
          <failure message="assertion failed: Result ID should match" type="Equal">assertion failed: Result ID should match
    expected: 1
    actual: 2
    at expense/src/setup_test.ts:12:5</failure>
        </testcase>
        <testcase classname="scripts.expense.setup" name="TestNothing" time="0.012"/>
      </testsuite>
    </testsuites>
    "
  `);
});

test('a script that was asked for twice is told once', async () => {
  const [, ...rest] = scriptRun();
  const twice = [startEvent({ inputs: [scriptInput(), scriptInput()] }), ...rest];
  const report = await reportOf(junitReport, twice);
  expect(report.match(/<testsuite .*? file="assistants\/expense/g)?.length).toBe(1);
  expect(report.match(/<testcase /g)?.length).toBe(3);
});

test('tests stand with their script, however many scripts there are and in whatever order they ended', async () => {
  const names = Array.from({ length: 1001 }, (_, at) => `scripts.s${at}`);
  const results = ['TestA', 'TestB'].flatMap((id) => names.map((test_id) => scriptResult(id, { test_id })));
  const start = startEvent({ inputs: names.map((script) => scriptInput({ script })) });
  const report = await reportOf(junitReport, [start, ...results]);
  const found = [...report.matchAll(/<testsuite name="(.*?)"|<testcase classname="(.*?)" name="(.*?)"/g)].map(
    ([, suite, script, name]) => suite ?? `${script} ${name}`,
  );
  expect(found).toEqual(names.flatMap((name) => [name, `${name} TestA`, `${name} TestB`]));
});

test('the summary knows what was tested', async () => {
  expect(await reportOf(summaryReport, twoScriptsRun())).toBe(`Script Test: scripts.expense
Summary: 1 passed, 1 failed, 1 skipped (12.3s)
Pass rate: 50%

Not passed:
  scripts.expense.tools › TestReady (failed): assertion failed: Result ID should match
`);
  expect(await reportOf(summaryReport, repeatedScriptRun().slice(0, 2)))
    .toBe(`Script Test: scripts.expense.setup
Summary: 0 passed, 0 failed, 1 skipped
Unfinished: the run stopped early; 1 of 1 tests have a result
Pass rate: 100%
Stability: 0 stable, 0 unstable (1 runs, 3 per test)
`);
});
