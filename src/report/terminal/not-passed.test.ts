import { expect, test } from 'vitest';
import type { CaseResult } from '../fold/case-result.ts';
import { createNotPassed } from './not-passed.ts';
import { createStyle } from './style.ts';

const STYLE = createStyle({ color: false, unicode: true });

function result(id: string, fields: Partial<CaseResult>): CaseResult {
  return {
    id,
    test_id: 't',
    status: 'failed',
    error: null,
    duration_ms: 1,
    runs: 1,
    passed: 0,
    ...fields,
  } as CaseResult;
}

function listed(results: readonly CaseResult[]): string {
  const list = createNotPassed();
  for (const one of results) list.add(one, 'agent-eval', one.id);
  return list.lines('case', STYLE);
}

test('groups by cause, and keeps apart what could not be measured', () => {
  const verdicts = (value: string): CaseResult['verdicts'] => [
    { type: 'contains', status: 'failed', message: `does not contain "${value}"` },
  ];
  const limited = { status: 'error' as const, code: 'rate_limit' as const, error: '429 after 3 tries' };
  expect(
    listed([
      result('ok', { status: 'passed' }),
      result('a', { verdicts: verdicts('x') }),
      result('slow', { status: 'timeout', error: 'timeout after 5s' }),
      ...['b', 'c', 'd', 'e'].map((id) => result(id, { verdicts: verdicts(id) })),
      result('limited', limited),
      result('limited too', { ...limited, error: '429 after 2 tries' }),
      result('held', { verdicts: verdicts('x'), quarantined: { reason: 'known' } as never }),
    ]),
  ).toBe(`Did not pass:
✗ contains: does not contain "x"
  └─ 5 cases: a, b, c and 2 more
⏱ timeout after 5s
  └─ slow
Could not be measured:
! rate_limit: 429 after 3 tries
  └─ 2 cases: limited, limited too
  └─ use a lower --parallel
`);
});

test('is short if every case has a cause of its own', () => {
  const letters = (index: number): string => String.fromCodePoint(0x4e00 + index);
  const results = Array.from({ length: 2000 }, (_, index) => result(`c${index}`, { error: letters(index) }));
  const lines = listed(results).split('\n');
  expect(lines.length).toBe(1 + 10 * 2 + 2);
  expect(lines.at(-2)).toBe('… and 1,990 cases with 1,990 other causes; the log has them all');
});

test('is empty if everything passed', () => {
  expect(listed([result('a', { status: 'passed' })])).toBe('');
});
