import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { RunEvent } from '../model/event.ts';
import { batchOf, mixedRun, repeatedRun, resultEvent, startEvent, summaryEvent } from './sample-log.ts';
import type { TerminalOptions } from './terminal.ts';
import { createTerminal } from './terminal.ts';

function open(options: Partial<TerminalOptions> = {}, columns?: number) {
  const writes: string[] = [];
  const stream = { columns, write: (text: string) => writes.push(text) };
  const plain = { color: false, interactive: false, verbose: false, unicode: true };
  return { writes, terminal: createTerminal({ stream, ...plain, ...options }) };
}

function shown(events: readonly RunEvent[], options: Partial<TerminalOptions> = {}): string {
  const { writes, terminal } = open(options);
  terminal.write(batchOf(events));
  void terminal.close?.();
  return writes.join('');
}

const LINE = '─'.repeat(79);
const DOUBLE = '═'.repeat(79);

test('shows header, a line per case, failures with their diff and the summary', () => {
  expect(shown(mixedRun())).toBe(`${DOUBLE}
  Agent Test: keyword
${DOUBLE}
  Input: tests/inputs.jsonl
  Connector: deepseek.v3
  Cases: 5
  User: test-user
  Team: test-team
${LINE}
  Running Tests
${LINE}
✓ T001 (234ms)
✗ T002 (15ms)
  └─ equals: expected "cloud" but got "fog"
     - cloud
     + fog
  └─ json_path $.a: nothing there
     expected: 1
     actual: null
⏱ T003 (30s)
  └─ timeout after 30s
! T004 (3ms)
  └─ connection: connect ECONNREFUSED
○ T005 (skipped)

${DOUBLE}
  Summary: 1 passed, 3 failed, 1 skipped (12.3s)
  Errors: 1
  Timeouts: 1
${DOUBLE}
`);
});

test('shows a case of several runs once, with its counts, and the stability at the end', () => {
  expect(shown(repeatedRun())).toBe(`${DOUBLE}
  Agent Test: keyword
${DOUBLE}
  Input: tests/inputs.jsonl
  Cases: 2
  Runs: 3 per case
  User: test-user
  Team: test-team
${LINE}
  Running Tests
${LINE}
✓ T001 (233ms) [3/3 runs]
✗ T002 (20ms) [2/3 runs]
  └─ run 2: equals: expected "a" but got "b"
     - a
     + b

${DOUBLE}
  Summary: 1 passed, 1 failed, 0 skipped (12.3s)
  Pass rate: 83.4% (6 runs, 3 per case)
  Stability: 1 stable, 1 unstable
${DOUBLE}
`);
});

test('shows runs that failed alike once', () => {
  const timeout = { status: 'timeout' as const, error: 'timeout after 1s' };
  const events = [
    startEvent({ runs_per_case: 4 }),
    resultEvent('T001', { run: 1, ...timeout }),
    resultEvent('T001', { run: 2, status: 'failed', error: 'no answer' }),
    resultEvent('T001', { run: 3, ...timeout }),
    resultEvent('T001', { run: 4 }),
  ];
  expect(shown(events).split(`${LINE}\n`).at(-1)).toBe(`✗ T001 (12ms) [1/4 runs]
  └─ runs 1, 3: timeout after 1s
  └─ run 2: no answer
`);
});

test('verbose also shows input, output and logs', () => {
  const events = [
    resultEvent('T001', { input: 'two\nlines', output: { a: 1 }, logs: ['first', 'second'] }),
    resultEvent('T002', { input: 'x', status: 'failed', error: 'no answer' }),
  ];
  expect(shown(events, { verbose: true })).toBe(`✓ T001 (12ms)
  input: two
     lines
  output: {"a":1}
  logs: first
     second
✗ T002 (12ms)
  input: x
  └─ no answer
`);
});

test('hostile answers cannot touch the terminal or flood it', () => {
  const events = [
    resultEvent('T\u001b[2J\n1', {
      status: 'failed',
      output: '\u001b]0;title\u0007\r\u009b31m\u202e',
      error: 'x',
      verdicts: [
        { type: 'equals', status: 'failed', message: 'm\u001b[0m', diff: `- ${'x'.repeat(1e6)}` },
        { type: 'contains', status: 'failed', message: 'long', diff: '+ y\n'.repeat(100) },
      ],
    }),
  ];
  expect(shown(events, { verbose: true })).toBe(`✗ T\\x1b[2J 1 (12ms)
  output: \\x1b]0;title\\x07\\r\\x9b31m\\u202e
  └─ equals: m\\x1b[0m
     - ${'x'.repeat(197)}…
     … 980002 more characters
  └─ contains: long
${'     + y\n'.repeat(40)}     … 61 more lines
`);
});

test('draws with plain characters where nothing else can be shown', () => {
  const text = shown(mixedRun(), { unicode: false });
  // oxlint-disable-next-line no-control-regex -- the test is about the range itself
  expect(/^[\x00-\x7f]*$/.test(text)).toBe(true);
  expect(text).toContain('x T002 (15ms)\n  `- equals: expected "cloud" but got "fog"\n');
});

test('colours what matters', () => {
  const [, , failed] = mixedRun();
  const text = shown(failed === undefined ? [] : [failed], { color: true });
  expect(text.split('\n').slice(0, 4)).toEqual([
    '\u001b[31m✗\u001b[39m T002 \u001b[2m(15ms)\u001b[22m',
    '  └─ equals: expected "cloud" but got "fog"',
    '     \u001b[32m- cloud\u001b[39m',
    '     \u001b[31m+ fog\u001b[39m',
  ]);
});

test('cases that a stop left out are one line', () => {
  const left = ['T002', 'T003'].map((id) => resultEvent(id, { status: 'skipped', reason: 'fail_fast' }));
  const events = [
    resultEvent('T001', { status: 'failed', error: 'no' }),
    ...left,
    summaryEvent({ passed: 0, failed: 1, skipped: 2 }),
  ];
  expect(shown(events)).toBe(`✗ T001 (12ms)
  └─ no
○ 2 cases not run (stopped after the first failure)

${DOUBLE}
  Summary: 0 passed, 1 failed, 2 skipped (12.3s)
${DOUBLE}
`);
});

test('a run that is taken up again says what stays', () => {
  const resumed = { start: startEvent({ total_cases: 3, runs_per_case: 2 }), kept: 5 };
  const resume: RunEvent = { type: 'resume', run_id: 'x', timestamp: '2024-12-17T11:00:00Z' };
  const events = [
    resume,
    resultEvent('T003', { run: 2 }),
    summaryEvent({ total: 3, passed: 3, runs_per_case: 2, total_runs: 6 }),
  ];
  expect(shown(events, { resumed })).toBe(`${DOUBLE}
  Agent Test: keyword
${DOUBLE}
  Input: tests/inputs.jsonl
  Cases: 3
  Runs: 2 per case
  Resumed: 5 results stay
  User: test-user
  Team: test-team
${LINE}
  Running Tests
${LINE}
✓ T003 (12ms) [1/1 runs]

${DOUBLE}
  Summary: 3 passed, 0 failed, 0 skipped (12.3s)
  Pass rate: 100% (6 runs, 2 per case)
  Stability: 1 stable, 0 unstable
${DOUBLE}
`);
});

test('writes once per batch, whatever its size', () => {
  const { writes, terminal } = open();
  terminal.write(batchOf(Array.from({ length: 1000 }, (_, at) => resultEvent(`T${at}`))));
  expect(writes.length).toBe(1);
});

test('fits the header into a narrow window', () => {
  const { writes, terminal } = open({}, 20);
  terminal.write(batchOf([startEvent()]));
  expect(writes.join('').split('\n')[0]).toBe('═'.repeat(20));
});

test('redraws a progress bar in the last line and leaves nothing of it behind', () => {
  let clock = 0;
  const { writes, terminal } = open({ interactive: true, now: () => clock }, 60);
  terminal.write(batchOf([startEvent({ total_cases: 4 })]));
  terminal.running?.(2);
  terminal.write(batchOf([resultEvent('T001')]));
  expect(writes.length).toBe(1);
  expect(writes[0]?.split('\n').at(-1)).toBe(`${'░'.repeat(30)} 0/4  0 passed`);

  clock = 2000;
  terminal.write(batchOf([resultEvent('T002', { status: 'failed', error: 'no' })]));
  expect(writes[1]).toBe(
    `\r\u001b[2K✓ T001 (12ms)\n✗ T002 (12ms)\n  └─ no\n${'█'.repeat(8)}${'░'.repeat(8)} 2/4  1 passed  1 failed  2 running  ETA 2s`,
  );

  clock = 2010;
  terminal.write(
    batchOf([resultEvent('T003'), resultEvent('T004'), summaryEvent({ total: 4, passed: 3, failed: 1 })]),
  );
  void terminal.close?.();
  expect(writes.slice(2).join('')).toBe(`\r\u001b[2K✓ T003 (12ms)
✓ T004 (12ms)

${'═'.repeat(60)}
  Summary: 3 passed, 1 failed, 0 skipped (12.3s)
${'═'.repeat(60)}
`);
});

test('the bar moves on by itself, never wraps, and goes away when the run breaks off', async () => {
  const before = process.listenerCount('exit');
  const { writes, terminal } = open({ interactive: true }, 12);
  terminal.write(batchOf([startEvent({ total_cases: 4 })]));
  terminal.write(batchOf([resultEvent('T001')]));
  await wait(250);
  expect(writes.slice(1)).toEqual(['\r\u001b[2K✓ T001 (12ms)\n1/4  1 pass']);
  void terminal.close?.();
  void terminal.close?.();
  expect(writes.slice(2)).toEqual(['\r\u001b[2K']);
  expect(process.listenerCount('exit')).toBe(before);
});
