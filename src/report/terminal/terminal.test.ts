import { expect, test } from 'vitest';
import type { RunEvent, SummaryEvent } from '../../model/event.ts';
import {
  batchOf,
  lenientRun,
  mixedRun,
  repeatedRun,
  resultEvent,
  startEvent,
  summaryEvent,
  twoInputsRun,
} from '../../../test/fixtures/logs/agent-log.ts';
import type { TerminalOptions } from './terminal.ts';
import { createTerminal } from './terminal.ts';
import { until } from '../../../test/until.ts';

function open(options: Partial<TerminalOptions> = {}, columns?: number) {
  const writes: string[] = [];
  const stream = { columns, isTTY: columns !== undefined, write: (text: string) => writes.push(text) };
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
  Summary: 1 passed, 2 failed, 1 skipped, 1 could not be measured (12.3s)
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
${LINE}
  Running Tests
${LINE}
✓ T001 (233ms) [3/3 runs]
✗ T002 (20ms) [2/3 runs, Unstable]
  └─ run 2: equals: expected "a" but got "b"
     - a
     + b

${DOUBLE}
  Summary: 1 passed, 1 failed, 0 skipped (12.3s)
  Pass rate: 83.4% (mean of 2 cases, 6 runs)
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
  expect(shown(events).split(`${LINE}\n`).at(-1)).toBe(`✗ T001 (12ms) [1/4 runs, Highly Unstable]
  └─ runs 1, 3: timeout after 1s
  └─ run 2: no answer
`);
});

test('shows the failing runs of a case that passed, and what was enough', () => {
  const [header, , cases] = shown(lenientRun()).split(`${LINE}\n`);
  expect(header).toContain('  Runs: 5 per case\n  Min pass rate: 40%\n');
  expect(cases).toBe(`✓ T001 (12ms) [2/5 runs, Highly Unstable, 2 retries]
  └─ runs 2, 4: timeout after 1s
  └─ run 3 (tried 3 times): no answer

${DOUBLE}
  Summary: 1 passed, 0 failed, 0 skipped (12.3s)
  Pass rate: 40% (mean of 1 case, 5 runs)
  Stability: 0 stable, 1 unstable
${DOUBLE}
`);
  expect(shown(lenientRun(), { color: true })).toContain('\u001b[33m✓\u001b[39m T001 ');
  expect(shown(repeatedRun(), { color: true })).toContain('\u001b[32m✓\u001b[39m T001 ');
});

test('does not count cases for a mean that some of them have no part in', () => {
  const rateOf = (fields: Partial<SummaryEvent>) =>
    /Pass rate: .*/.exec(shown([summaryEvent({ runs_per_case: 2, total_runs: 4, ...fields })]))?.[0];
  expect(rateOf({ total: 2, failed: 1, errors: 1 })).toBe(
    'Pass rate: 100% (mean of the cases measured, 4 runs)',
  );
  expect(rateOf({ passed: 0, failed: 2, errors: 2, overall_pass_rate: null })).toBe(
    'Pass rate: not measured (4 runs)',
  );
});

test('names the input of a case if there are several', () => {
  const casesOf = (unicode: boolean) => shown(twoInputsRun(), { unicode }).split('\n').slice(9, 13);
  expect(casesOf(true)).toEqual([
    '✓ tests/a.jsonl › T001 (12ms)',
    '✗ tests/b.jsonl › T001 (12ms)',
    '  └─ no answer',
    '○ tests/b.jsonl › T002 (skipped)',
  ]);
  expect(casesOf(false)[0]).toBe('+ tests/a.jsonl > T001 (12ms)');
});

test('says how often something was tried', () => {
  const events = [
    resultEvent('T001', { retries: 1 }),
    resultEvent('T002', { retries: 2, status: 'error', code: 'connection', error: 'refused' }),
  ];
  expect(shown(events)).toBe(`✓ T001 (12ms, tried 2 times)
! T002 (12ms, tried 3 times)
  └─ connection: refused
`);
});

test('shows a long answer once, not for every assertion that it fails', () => {
  const verdict = (expected: string, actual: string) => ({
    type: 'contains',
    status: 'failed' as const,
    message: 'not there',
    expected,
    actual,
  });
  const answer = 'word '.repeat(20).trim();
  const verdicts = [verdict('a', answer), verdict('b', answer), verdict('c', 'x'), verdict('d', 'x')];
  const failed = { status: 'failed' as const, error: 'not there', verdicts };
  expect(shown([resultEvent('T001', failed), resultEvent('T002', failed)])).toBe(
    ['T001', 'T002']
      .map(
        (id) => `✗ ${id} (12ms)
  └─ contains: not there
     expected: a
     actual: ${answer}
  └─ contains: not there
     expected: b
     actual: as above
  └─ contains: not there
     expected: c
     actual: x
  └─ contains: not there
     expected: d
     actual: x
`,
      )
      .join(''),
  );
});

test('cuts the lines of a diff where the window ends, and only there', () => {
  const diff = `- ${'a'.repeat(40)}\n+ ${'b'.repeat(13)}`;
  const verdicts = [{ type: 'equals', status: 'failed' as const, message: 'different', diff }];
  const failed = resultEvent('T001', { status: 'failed', error: 'different', verdicts });
  const diffIn = (columns: number | undefined) => {
    const { writes, terminal } = open({}, columns);
    terminal.write(batchOf([failed]));
    return writes.join('').split('\n').slice(2, 4);
  };
  expect(diffIn(20)).toEqual([`     - ${'a'.repeat(12)}…`, `     + ${'b'.repeat(13)}`]);
  for (const unknown of [undefined, 0])
    expect(diffIn(unknown)).toEqual([`     - ${'a'.repeat(40)}`, `     + ${'b'.repeat(13)}`]);
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
${LINE}
  Running Tests
${LINE}
✓ T003 (12ms) [1/1 runs]

${DOUBLE}
  Summary: 3 passed, 0 failed, 0 skipped (12.3s)
  Pass rate: 100% (mean of 3 cases, 6 runs)
  Stability: 1 stable, 0 unstable
${DOUBLE}
`);
});

test('writes once per batch, whatever its size', () => {
  const { writes, terminal } = open();
  terminal.write(batchOf(Array.from({ length: 1000 }, (_, at) => resultEvent(`T${at}`))));
  expect(writes.length).toBe(1);
});

test('a run of 100,000 cases is one write per batch, with every case in it', () => {
  const { writes, terminal } = open();
  for (let first = 0; first < 100_000; first += 500) {
    const failed = { status: 'failed' as const, error: 'no' };
    const events = Array.from({ length: 500 }, (_, at) =>
      resultEvent(`T${first + at}`, at === 7 ? failed : {}),
    );
    terminal.write(batchOf(events));
  }
  expect(writes.length).toBe(200);
  expect(writes.join('').match(/^[✓✗] T/gm)?.length).toBe(100_000);
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

test('the bar shows the time that has passed as long as the rest is unknown', () => {
  let clock = 0;
  const { writes, terminal } = open({ interactive: true, now: () => clock }, 60);
  const barAt = (ms: number, ...events: RunEvent[]) => {
    clock = ms;
    terminal.write(batchOf(events));
    return writes
      .at(-1)
      ?.split('\n')
      .at(-1)
      ?.replace(/^.*[█░] /, '');
  };
  expect(
    barAt(0, startEvent({ total_cases: 10 }), resultEvent('T000', { status: 'skipped', reason: 'skip' })),
  ).toBe('1/10  0 passed');
  expect(barAt(2000, resultEvent('T001'))).toBe('2/10  1 passed  ETA 8s');
  const left = resultEvent('T002', { status: 'skipped', reason: 'interrupted' });
  expect(barAt(62_900, left, resultEvent('T003'))).toBe('4/10  2 passed  1m2s elapsed');
  void terminal.close?.();
});

test('the bar moves on by itself, never wraps, and goes away when the run breaks off', async () => {
  const before = process.listenerCount('exit');
  const { writes, terminal } = open({ interactive: true }, 12);
  terminal.write(batchOf([startEvent({ total_cases: 4 })]));
  terminal.write(batchOf([resultEvent('T001')]));
  await until(() => writes.length > 1);
  expect(writes.slice(1)).toEqual(['\r\u001b[2K✓ T001 (12ms)\n1/4  1 pass']);
  void terminal.close?.();
  void terminal.close?.();
  expect(writes.slice(2)).toEqual(['\r\u001b[2K']);
  expect(process.listenerCount('exit')).toBe(before);
});
