import { expect, test } from 'vitest';
import { junitProblems } from '../../../test/fixtures/junit-schema.ts';
import { everyEndRun, mixedScriptRun, twoScriptsRun } from '../../../test/fixtures/logs/script-log.ts';
import { junitReport } from './junit.ts';
import {
  lenientRun,
  mixedRun,
  repeatedRun,
  resultEvent,
  sourceOf,
  startEvent,
  summaryEvent,
  textOfReport,
} from '../../../test/fixtures/logs/agent-log.ts';

async function reportOf(events: Parameters<typeof sourceOf>[0]): Promise<string> {
  return textOfReport(junitReport(sourceOf(events)));
}

test('writes a testcase per case, failures and errors apart', async () => {
  const report = await reportOf(mixedRun());
  expect(report).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="assay" tests="5" failures="2" errors="1" time="12.345">
  <testsuite name="keyword" tests="5" failures="2" errors="1" skipped="1" time="12.345" timestamp="2024-12-17T10:00:00Z">
    <properties>
      <property name="run_id" value="01939f0a-0000-7000-8000-000000000001"/>
      <property name="agent_id" value="keyword"/>
      <property name="connector" value="deepseek.v3"/>
      <property name="user_id" value="test-user"/>
      <property name="team_id" value="test-team"/>
      <property name="locale" value="en-us"/>
      <property name="version" value="0.1.0"/>
    </properties>
    <testcase classname="tests/inputs.jsonl" name="T001" time="0.234"/>
    <testcase classname="tests/inputs.jsonl" name="T002" time="0.015">
      <failure message="expected &quot;cloud&quot; but got &quot;fog&quot;" type="failed">equals: expected "cloud" but got "fog"
- cloud
+ fog
json_path $.a: nothing there
expected: 1
actual: null</failure>
    </testcase>
    <testcase classname="tests/inputs.jsonl" name="T003" time="30.000">
      <failure message="timeout after 30s" type="timeout">timeout after 30s</failure>
    </testcase>
    <testcase classname="tests/inputs.jsonl" name="T004" time="0.003">
      <error message="connect ECONNREFUSED" type="connection">connection: connect ECONNREFUSED</error>
    </testcase>
    <testcase classname="tests/inputs.jsonl" name="T005" time="0.000">
      <skipped message="skip"/>
    </testcase>
  </testsuite>
</testsuites>
`);
  expect(elementsOf(report)).toBe(19);
});

test('explains a case of several runs by the runs that failed', async () => {
  expect(await reportOf(repeatedRun())).toContain(`
    <testcase classname="tests/inputs.jsonl" name="T002" time="0.020">
      <failure message="expected &quot;a&quot; but got &quot;b&quot;" type="failed">2 of 3 runs passed
run 2: failed
equals: expected "a" but got "b"
- a
+ b</failure>
    </testcase>
`);
});

test('notes the failing runs of a case that passed', async () => {
  expect(await reportOf(lenientRun())).toContain(`
    <testcase classname="tests/inputs.jsonl" name="T001" time="0.012">
      <system-out>2 of 5 runs passed
run 2: timeout
timeout after 1s
run 3: failed
no answer
run 4: timeout
timeout after 1s
asked</system-out>
    </testcase>
`);
});

test('says that a killed run is unfinished', async () => {
  expect(await reportOf(mixedRun().slice(0, 2))).toContain('<property name="unfinished" value="true"/>');
});

test('is valid XML whatever the answers contain', async () => {
  const hostile = 'a\u0000\u001b[31m]]>\r<!-- & "\' \ud800 \ufffe </failure>\n\t😀\u0085';
  const events = [
    startEvent({ agent_id: hostile, connector: hostile }),
    resultEvent(hostile, {
      test_id: hostile,
      status: 'failed',
      error: hostile,
      verdicts: [{ type: hostile, status: 'failed', message: hostile, diff: hostile }],
      logs: [hostile],
      stack: hostile,
    }),
    summaryEvent({ passed: 0, failed: 1 }),
  ];
  const report = await reportOf(events);
  expect(elementsOf(report)).toBe(13);
  const attribute = "a[31m]]&gt;&#13;&lt;!-- &amp; &quot;'   &lt;/failure&gt;&#10;&#9;😀";
  const text = 'a[31m]]&gt;&#13;&lt;!-- &amp; "\'   &lt;/failure&gt;\n\t😀';
  expect(report.slice(report.indexOf('    <testcase')))
    .toBe(`    <testcase classname="${attribute}" name="${attribute}" time="0.012">
      <failure message="${attribute}" type="failed">${text}: ${text}
${text}
${text}</failure>
      <system-out>${text}</system-out>
    </testcase>
  </testsuite>
</testsuites>
`);
});

test.each([
  ['cases', mixedRun()],
  ['runs', repeatedRun()],
  ['a killed run', mixedRun().slice(0, 2)],
  ['scripts', everyEndRun()],
  ['several scripts', twoScriptsRun()],
  ['scripts and agents', mixedScriptRun()],
])('the report of %s follows the schema of the xUnit plugin of Jenkins', async (_name, events) => {
  expect(junitProblems(await reportOf(events))).toEqual([]);
});

test('times are plain numbers, and texts have a limit, whatever the log says', async () => {
  const long = 'x'.repeat(1_000_000);
  const events = [
    startEvent({ agent_id: long, connector: long }),
    resultEvent(long, { test_id: long, duration_ms: -5, status: 'failed', error: long, logs: [long] }),
    resultEvent('T2', { duration_ms: Number.NaN, output: long }),
    resultEvent('T3', { duration_ms: 1e300, status: 'error', error: long, stack: long }),
    summaryEvent({ duration_ms: -1 }),
  ];
  const report = await reportOf(events);
  expect(junitProblems(report)).toEqual([]);
  expect([...report.matchAll(/ time="([^"]*)"/g)].map(([, time]) => time)).toEqual([
    '0.000',
    '0.000',
    '0.000',
    '0.000',
    '9007199254740.990',
  ]);
  expect(report.length).toBeLessThan(110_000);
  expect(report).toContain(`${'x'.repeat(100)}… 980000 more characters; the run log has all of it.`);
});

/** Reads XML strictly, as far as these reports use it, and counts its elements; throws at anything not well-formed. */
function elementsOf(xml: string): number {
  if (!/^[\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u.test(xml))
    throw new Error('a forbidden character');
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>';
  if (!xml.startsWith(declaration)) throw new Error('no declaration');
  const text = String.raw`(?:[^<>&]|&(?:amp|lt|gt|quot|#\d+);)*`;
  const token = new RegExp(
    String.raw`<(?<open>[a-z-]+)(?: [a-z_]+="(?:[^<>&"\n\t]|&(?:amp|lt|gt|quot|#\d+);)*")*(?<empty>/?)>|</(?<close>[a-z-]+)>|${text}`,
    'uy',
  );
  token.lastIndex = declaration.length;
  const open: string[] = [];
  let count = 0;
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex;
    const match = token.exec(xml);
    if (match === null || match[0] === '') throw new Error(`not well-formed at ${xml.slice(at, at + 40)}`);
    const { open: opened, empty, close } = match.groups ?? {};
    if (opened !== undefined) {
      count += 1;
      if (empty === '') open.push(opened);
    } else if (close !== undefined && open.pop() !== close) throw new Error(`</${close}> closes nothing`);
  }
  if (open.length > 0) throw new Error(`<${open.at(-1)}> is not closed`);
  return count;
}
