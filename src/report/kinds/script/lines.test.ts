import { expect, test } from 'vitest';
import type { RunEvent } from '../../../model/event.ts';
import { batchOf, startEvent, summaryEvent } from '../../../../test/fixtures/logs/agent-log.ts';
import {
  everyEndRun,
  mixedScriptRun,
  repeatedScriptRun,
  scriptInput,
  scriptResult,
  scriptRun,
  twoScriptsRun,
  WRONG,
} from '../../../../test/fixtures/logs/script-log.ts';
import type { TerminalOptions } from '../../terminal/terminal.ts';
import { createTerminal } from '../../terminal/terminal.ts';

function shown(events: readonly RunEvent[], options: Partial<TerminalOptions> = {}): string {
  let text = '';
  const stream = { write: (piece: string) => (text += piece) };
  const plain = { color: false, interactive: false, verbose: false, unicode: true };
  const terminal = createTerminal({ stream, ...plain, ...options });
  terminal.write(batchOf(events));
  void terminal.close?.();
  return text;
}

const LINE = '─'.repeat(79);
const DOUBLE = '═'.repeat(79);

/** What stands between header and summary. */
function testsIn(text: string): string | undefined {
  return text.split(`${LINE}\n`).at(-1)?.split(DOUBLE)[0];
}

test('shows header, every function, its failed assertion and the summary', () => {
  expect(shown(scriptRun())).toBe(`${DOUBLE}
  Script Test: scripts.expense.setup
${DOUBLE}
  Script: expense/src/setup_test.ts
  Tests: 3 functions
  User: test-user
  Team: test-team
${LINE}
  Running Tests
${LINE}
► [TestSystemReady] ...
  ✓ PASSED (12ms)

► [TestSystemReadyWithInvalidContext] ...
  ✓ PASSED (8ms)

► [TestSetupWithMockData] ...
  ✗ FAILED (15ms)
    └─ assertion failed: Result ID should match
       expected: 1
       actual: 2
       at expense/src/setup_test.ts:12:5

${DOUBLE}
  Summary: 2 passed, 1 failed, 0 skipped (35ms)
${DOUBLE}
`);
});

test('shows every kind of ending, failed subtests, and logs of what did not pass', () => {
  expect(testsIn(shown(everyEndRun()))).toMatchInlineSnapshot(`
    "► [TestNothing] ...
      ✓ PASSED (0ms, no assertions)

    ► [TestTotal] ...
      ✗ FAILED (12ms)
        └─ assertion failed: sums differ
           - "total": 3
           + "total": 4
           at expense/src/setup_test.ts:20:7
        └─ no good
           at expense/src/setup_test.ts:21:5
        ✗ empty cart/with tax (1ms)
          └─ assertion failed: tax
             expected: "1"
             actual: 1
             at expense/src/setup_test.ts:24:9
        ✗ empty cart (2ms)
        logs:
           begin
           end

    ► [TestThrows] ...
      ✗ ERROR (3ms)
        └─ TypeError: cart is undefined
           at total (expense/src/setup.ts:4:10)
           at TestThrows (expense/src/setup_test.ts:30:3)

    ► [TestHangs] ...
      ✗ TIMEOUT (30s)
        └─ timeout after 30s

    ► [TestLater] ...
      ○ SKIPPED: needs a database

    ○ 1 test not run (stopped after the first failure)

    "
  `);
});

test('verbose shows all subtests and logs', () => {
  expect(testsIn(shown(everyEndRun(), { verbose: true }))?.split('► [TestThrows]')[0]).toMatchInlineSnapshot(`
    "► [TestNothing] ...
      ✓ PASSED (0ms, no assertions)
        logs:
           quiet

    ► [TestTotal] ...
      ✗ FAILED (12ms)
        └─ assertion failed: sums differ
           - "total": 3
           + "total": 4
           at expense/src/setup_test.ts:20:7
        └─ no good
           at expense/src/setup_test.ts:21:5
        ✗ empty cart/with tax (1ms)
          └─ assertion failed: tax
             expected: "1"
             actual: 1
             at expense/src/setup_test.ts:24:9
        ✗ empty cart (2ms)
        ✓ one item (1ms)
        ○ refunds (skipped: not yet)
        logs:
           begin
           end

    "
  `);
});

test('names the script of a function if there are several', () => {
  expect(shown(twoScriptsRun())).toMatchInlineSnapshot(`
    "═══════════════════════════════════════════════════════════════════════════════
      Script Test: scripts.expense
    ═══════════════════════════════════════════════════════════════════════════════
      Script: expense/src/setup_test.ts
      Script: expense/src/tools_test.ts
      Tests: 3 functions
      User: test-user
      Team: test-team
    ───────────────────────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────────────────────
    ► [scripts.expense.setup TestReady] ...
      ✓ PASSED (12ms)

    ► [scripts.expense.tools TestReady] ...
      ✗ FAILED (15ms)
        └─ assertion failed: Result ID should match
           expected: 1
           actual: 2
           at expense/src/setup_test.ts:12:5

    ► [scripts.expense.tools TestLater] ...
      ○ SKIPPED

    ═══════════════════════════════════════════════════════════════════════════════
      Summary: 1 passed, 1 failed, 1 skipped (12.3s)
    ═══════════════════════════════════════════════════════════════════════════════
    "
  `);
});

test('shows a function of several runs once, with what was wrong in which', () => {
  expect(shown(repeatedScriptRun())).toMatchInlineSnapshot(`
    "═══════════════════════════════════════════════════════════════════════════════
      Script Test: scripts.expense.setup
    ═══════════════════════════════════════════════════════════════════════════════
      Script: expense/src/setup_test.ts
      Tests: 1 function
      Runs: 3 per function
      Min pass rate: 60%
      User: test-user
      Team: test-team
    ───────────────────────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────────────────────
    ► [TestReady] ...
      ✓ PASSED (13ms) [2/3 runs, Unstable]
        └─ run 2: assertion failed: Result ID should match
           expected: 1
           actual: 2
           at expense/src/setup_test.ts:12:5
        logs of run 2:
           slow today

    ═══════════════════════════════════════════════════════════════════════════════
      Summary: 1 passed, 0 failed, 0 skipped (12.3s)
      Pass rate: 66.7% (mean of 1 test, 3 runs)
      Stability: 0 stable, 1 unstable
    ═══════════════════════════════════════════════════════════════════════════════
    "
  `);
});

test('keeps the look of agent tests as soon as there is one', () => {
  expect(shown(mixedScriptRun())).toMatchInlineSnapshot(`
    "═══════════════════════════════════════════════════════════════════════════════
      Agent Test: keyword, expense
    ═══════════════════════════════════════════════════════════════════════════════
      Input: tests/inputs.jsonl
      Input: expense/src/setup_test.ts
      Cases: 3
    ───────────────────────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────────────────────
    ✓ tests/inputs.jsonl › T001 (12ms)
    ✗ scripts.expense.setup › TestSetup (15ms)
      └─ assertion failed: Result ID should match
         expected: 1
         actual: 2
         at expense/src/setup_test.ts:12:5
    ✓ scripts.expense.setup › TestNothing (12ms, no assertions)

    ═══════════════════════════════════════════════════════════════════════════════
      Summary: 2 passed, 1 failed, 0 skipped (12.3s)
    ═══════════════════════════════════════════════════════════════════════════════
    "
  `);
});

test('draws with plain characters where nothing else can be shown', () => {
  const text = shown(everyEndRun(), { unicode: false, verbose: true });
  // oxlint-disable-next-line no-control-regex -- the test is about the range itself
  expect(/^[\x00-\x7f]*$/.test(text)).toBe(true);
  expect(text).toContain('> [TestHangs] ...\n  x TIMEOUT (30s)\n    `- timeout after 30s\n');
});

test('colours how a test ended', () => {
  const text = shown(repeatedScriptRun(), { color: true });
  expect(testsIn(text)?.split('\n')[1]).toBe(
    '  \u001b[33m✓ PASSED\u001b[39m \u001b[2m(13ms)\u001b[22m [2/3 runs, Unstable]',
  );
  expect(shown(scriptRun(), { color: true })).toContain('  \u001b[31m✗ FAILED\u001b[39m ');
});

test('logs and failures without end stay readable', () => {
  const [verdict] = WRONG.verdicts ?? [];
  const verdicts = Array.from({ length: 30 }, (_, at) => ({
    ...verdict,
    type: 'Equal',
    status: 'failed' as const,
    message: `no. ${at}`,
  }));
  const logs = [...Array.from({ length: 100 }, (_, at) => `line ${at}`), `two\nlines\u001b[2J`];
  const name = 'Test\u001b[2J\n1';
  const start = startEvent({ inputs: [scriptInput()] });
  const text = testsIn(shown([start, scriptResult(name, { ...WRONG, verdicts, logs })])) ?? '';
  expect(text.match(/└─/g)?.length).toBe(20);
  expect(text.split('\n').slice(0, 2)).toEqual(['► [Test\\x1b[2J 1] ...', '  ✗ FAILED (15ms)']);
  expect(text.slice(text.indexOf('    … and'))).toBe(`    … and 10 other failures
    logs:
       … 82 earlier lines
${Array.from({ length: 18 }, (_, at) => `       line ${at + 82}\n`).join('')}       two
       lines\\x1b[2J

`);
});

test('an exception in a subtest is told once if the test tells it, else with the subtest', () => {
  const subtests = ['first', 'second'].map((name) => ({
    name: `TestTotal/${name}`,
    status: 'error' as const,
    duration_ms: 1,
    error: `boom ${name}`,
  }));
  const start = startEvent({ inputs: [scriptInput()] });
  const thrown = { status: 'error' as const, code: 'agent' as const, error: 'boom first', subtests };
  expect(testsIn(shown([start, scriptResult('TestTotal', thrown)]))).toBe(`► [TestTotal] ...
  ✗ ERROR (12ms)
    └─ boom first
    ✗ first (1ms)
    ✗ second (1ms)
      └─ boom second

`);
});

test('the progress line and a run that is taken up again work as with agents', () => {
  let clock = 0;
  const writes: string[] = [];
  const stream = { write: (text: string) => writes.push(text), columns: 60, isTTY: true };
  const resumed = { start: startEvent({ total_cases: 4, inputs: [scriptInput()] }), kept: 1 };
  const plain = { color: false, verbose: false, unicode: true };
  const terminal = createTerminal({ stream, interactive: true, now: () => clock, resumed, ...plain });
  terminal.write(batchOf([{ type: 'resume', run_id: 'x', timestamp: '2024-12-17T11:00:00Z' }]));
  expect(writes[0]).toContain('  Tests: 4 functions\n  Resumed: 1 result stays\n');
  clock = 2000;
  terminal.write(batchOf([scriptResult('TestA'), scriptResult('TestB', WRONG)]));
  expect(
    writes[1]
      ?.split('\n')
      .at(-1)
      ?.replace(/^[█░]+ /, ''),
  ).toBe('3/4  1 passed  1 failed  ETA 1s');
  terminal.write(batchOf([summaryEvent()]));
  expect(writes.at(-1)).toContain(`${'═'.repeat(60)}\n  Summary: 1 passed, 0 failed, 0 skipped (12.3s)\n`);
});
