// Runs with definitions, variables and a matrix on the terminal.

import { expect, test } from 'vitest';
import type { RunEvent } from '../../model/event.ts';
import { batchOf, resultEvent, startEvent, summaryEvent } from '../../../test/fixtures/logs/agent-log.ts';
import { matrixRun } from '../../../test/fixtures/logs/matrix-log.ts';
import type { TerminalOptions } from './terminal.ts';
import { createTerminal } from './terminal.ts';

function shown(events: readonly RunEvent[], options: Partial<TerminalOptions> = {}): string {
  const writes: string[] = [];
  const stream = { write: (text: string) => writes.push(text) };
  const plain = { color: false, interactive: false, verbose: false, unicode: true };
  const terminal = createTerminal({ stream, ...plain, ...options });
  terminal.write(batchOf(events));
  void terminal.close?.();
  return writes.join('');
}

const LINE = '─'.repeat(79);
const DOUBLE = '═'.repeat(79);

test('shows tests and variables first, and last how each value did', () => {
  expect(shown(matrixRun())).toBe(`${DOUBLE}
  Agent Test: keyword
${DOUBLE}
  Suite: nightly
  Test: greeting × 4 combinations
  Test: tone × 2 combinations
  Variables: Language=en (suite)
  Cases: 10
  Runs: 1 to 2 per case
${LINE}
  Running Tests
${LINE}
✓ greeting › T001 [AIConfiguration=a, Temperature=0] (10ms)
✓ greeting › T002 [AIConfiguration=a, Temperature=0] (10ms)
✓ greeting › T001 [AIConfiguration=a, Temperature=0.7] (15ms)
✓ greeting › T002 [AIConfiguration=a, Temperature=0.7] (10ms)
✓ greeting › T001 [AIConfiguration=b, Temperature=0] (30ms)
✗ greeting › T002 [AIConfiguration=b, Temperature=0] (10ms)
  └─ no answer
! greeting › T001 [AIConfiguration=b, Temperature=0.7] (10ms)
  └─ connection: ECONNREFUSED
✗ tone › polite [AIConfiguration=a, Temperature=0.3] (20ms) [1/2 runs, Unstable]
  └─ run 2: rude
⏱ greeting › T002 [AIConfiguration=b, Temperature=0.7] (1s)
  └─ timeout after 1s
○ tone › polite [AIConfiguration=b, Temperature=0.3] (skipped)

${DOUBLE}
  Summary: 5 passed, 3 failed, 1 skipped, 1 could not be measured (12.3s)
  Errors: 1
  Timeouts: 1
  Pass rate: 68.8% (mean of the cases measured, 10 runs)
  Stability: 5 stable, 4 unstable

  AIConfiguration  passed  pass rate  cases like these    rank  average
  a                   4/5        90%    11.3% to 99.8%  1 to 2     13ms
  b                   1/5      33.3%     0.1% to 99.5%  1 to 2    263ms
  Not clear: a or b (p 0.5); more runs would hardly decide, more cases might.

  Temperature  passed  pass rate  cases like these    rank  average
  0               3/4        75%     0.7% to 99.9%  1 to 2     15ms
  0.7             2/4      66.7%     0.5% to 99.9%  1 to 2    259ms
  0.3             0/2        50%     5.5% to 94.5%       -     20ms
  Not clear: 0 or 0.7 (p 1); more runs would hardly decide, more cases might.

  May fail only for AIConfiguration=b (not proven: 2 runs): greeting/T002
${DOUBLE}
`);
});

test('one test needs no name before its cases, and many are not all listed', () => {
  const rest = { sha256: 'aa', agent_id: 'keyword', agent_sha256: 'bb' };
  const inputOf = (test: string) => ({
    type: 'cases' as const,
    path: `tests/${test}.test.json`,
    ...rest,
    test,
    test_id: test,
    resolved_variables: { values: { Temperature: 0.7 }, sources: { Temperature: 'type' } },
  });
  const resolved_variables = {
    values: { Language: 'en', Temperature: 0.7 },
    sources: { Language: 'suite', Temperature: 'type' },
  };
  const one = shown([
    startEvent({ inputs: [inputOf('greeting')], resolved_variables }),
    resultEvent('T001', { test_id: 'greeting', variables: { Temperature: 0.7 } }),
  ]);
  expect(one).toContain(`${DOUBLE}
  Test: greeting
  Variables: Language=en (suite), Temperature=0.7 (type)
  Cases: 1
`);
  expect(one).toContain(`${LINE}\n✓ T001 (12ms)\n`);
  const many = shown([startEvent({ inputs: ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(inputOf) })]);
  expect(many).toContain('  Test: e\n  … and 2 more tests\n  Cases: 1\n');
  expect(shown([matrixRun()[0] ?? startEvent()], { unicode: false })).toContain(
    '  Test: greeting x 4 combinations\n',
  );
});

test('a list of very many cases or values is cut', () => {
  const numbers = Array.from({ length: 25 }, (_, index) => index);
  const start = startEvent({ matrix: { A: numbers } });
  const results = numbers
    .slice(0, 13)
    .flatMap((id) => [
      resultEvent(`T${id}`, { test_id: 'greeting', variables: { A: 0 } }),
      resultEvent(`T${id}`, { test_id: 'greeting', variables: { A: 1 }, status: 'failed' }),
    ]);
  const lines = shown([start, ...results, summaryEvent()])
    .split('\n')
    .slice(-9, -1);
  const cases = numbers.slice(0, 10).map((id) => `greeting/T${id}`);
  expect(lines).toEqual([
    '  18     0/0          -                 -     -        -',
    '  19     0/0          -                 -     -        -',
    '  … and 5 more',
    '  Best: 0, clear.',
    '',
    `  May fail only for A=1 (not proven: 1 run): ${cases.join(', ')}`,
    '  … and 3 more',
    DOUBLE,
  ]);
});

test('what was taken up again has no tables: the results before are not there', () => {
  const [start, ...events] = matrixRun();
  if (start?.type !== 'start') throw new Error('no start');
  const resume: RunEvent = { type: 'resume', run_id: start.run_id, timestamp: start.timestamp };
  const text = shown([resume, ...events.slice(-4)], { resumed: { start, kept: 9 } });
  expect(text).toContain('  Resumed: 9 results stay\n');
  expect(text).not.toContain('Only fails for');
});

test('progress counts cases if tests differ in their runs', () => {
  const writes: string[] = [];
  const stream = { columns: 80, isTTY: true, write: (text: string) => writes.push(text) };
  const options = { color: false, interactive: true, verbose: false, unicode: true, now: () => 0 };
  const terminal = createTerminal({ stream, ...options });
  terminal.write(batchOf(matrixRun().slice(0, 6)));
  void terminal.close?.();
  expect(writes.join('')).toContain(' 4/10  run 1 of 2  4 passed');
});
