import { expect, test } from 'vitest';
import { addEntries, entriesText } from './add-entries.ts';
import type { ProposedEntry } from './propose.ts';
import { proposeEntries } from './propose.ts';
import { parseQuarantine } from './read-quarantine.ts';

const now = new Date('2026-03-10T12:00:00Z');
const at = { name: 'quarantine.yml', now };

const flaky = (case_id: string, variables: Record<string, unknown> | null = null) => ({
  test_id: 'shop',
  case_id,
  variables,
  kind: 'flaky' as const,
  passed: 18,
  runs: 30,
  flip_rate: 0.4914,
});

const entry = (name: string): ProposedEntry => ({
  case: `shop › ${name}`,
  reason: 'flaky: 18 of 30 runs passed, two runs disagree in 49 of 100',
  added: '2026-03-10',
  expires: '2026-03-24',
});

test('proposes flaky cases without an entry, at most 5 % of all cases with those in quarantine', async () => {
  const entries = await parseQuarantine(
    '- { case: shop › a, reason: r, expires: 2026-03-11 }\n- { case: shop › b, reason: r, expires: 2026-03-01 }\n',
    at,
  );
  const cases = [
    flaky('a'),
    flaky('b'),
    { ...flaky('c'), kind: 'changed' as const },
    flaky('d', { Model: 'small' }),
    flaky('e'),
    flaky('f'),
  ];
  expect(proposeEntries(cases, { entries, total: 60, now })).toEqual({
    entries: [{ ...entry('d'), variables: { Model: 'small' } }, entry('e')],
    most: 3,
    left_out: 1,
  });
  expect(proposeEntries(cases, { entries, total: 4, now })).toEqual({ entries: [], most: 1, left_out: 3 });
});

test('added entries leave everything else as it is', async () => {
  const text = await entriesText([entry('d')]);
  expect(text).toBe(
    '- case: shop › d\n  reason: "flaky: 18 of 30 runs passed, two runs disagree in 49 of 100"\n  added: 2026-03-10\n  expires: 2026-03-24\n',
  );
  const written = '# mine\n  - { case: shop › a, reason: r, expires: 2026-03-11 } # why';
  expect([
    await addEntries('', [entry('d')], at),
    await addEntries('# nothing yet\n', [entry('d')], at),
    await addEntries(written, [entry('d')], at),
  ]).toEqual([
    `# Cases whose failures do not fail a run, each with a reason and an end.\n${text}`,
    `# nothing yet\n${text}`,
    `${written}\n${text.replaceAll(/^(?=.)/gm, '  ')}`,
  ]);
  await expect(
    addEntries('[{ case: shop › a, reason: r, expires: 2026-03-11 }]\n', [entry('d')], at),
  ).rejects.toThrow('entries cannot be added to quarantine.yml');
});
