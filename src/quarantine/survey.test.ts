import { expect, test } from 'vitest';
import { entryFinder } from './find-entry.ts';
import { parseQuarantine } from './read-quarantine.ts';
import { surveyCases } from './survey.ts';

async function notesOn(
  text: string,
  ids: readonly string[],
  { isWhole = true, test_id = 'shop' } = {},
): Promise<string[]> {
  const now = new Date('2026-03-10T00:00:00Z');
  const entries = await parseQuarantine(text, { name: 'q.yml', now });
  const survey = surveyCases(entries, entryFinder(entries));
  for (const id of ids) survey.see({ test_id, id });
  return survey.notes({ total: ids.length, isWhole });
}

const entry = (name: string, expires = '2026-03-10'): string =>
  `- { case: "${name}", reason: r, expires: ${expires} }\n`;

test('expired entries, unknown cases and patterns are told', async () => {
  const text =
    entry('shop › refund', '2026-03-09') + entry('shop › refnd') + entry('shop › *') + entry('show › refund');
  expect(await notesOn(text, ['refund', 'vat'])).toEqual([
    'q.yml:1: the quarantine of "shop › refund" ended on 2026-03-09, so that its failures count again',
    'q.yml:2: there is no case "shop › refnd"; did you mean "shop › refund"?',
    'q.yml:3: there is no case "shop › *"; name each case, patterns are not possible',
    'q.yml:4: this run has no test "show", which "show › refund" is in; did you mean "shop"?',
  ]);
});

test('a run of some cases, or of other tests, finds no entry unknown', async () => {
  expect([
    await notesOn(entry('shop › refund'), ['vat'], { isWhole: false }),
    await notesOn(entry('shop › refund'), ['vat'], { test_id: 'weather report' }),
  ]).toEqual([[], []]);
});

test('more than 5 % of the cases are too many, and one case never is', async () => {
  const ids = Array.from({ length: 39 }, (_, index) => `c${String(index)}`);
  expect([
    await notesOn(entry('shop › c1'), ['c1']),
    await notesOn(entry('shop › c1') + entry('shop › c2'), ids),
    await notesOn(entry('shop › c1') + entry('shop › c2'), [...ids, 'c39']),
  ]).toEqual([
    [],
    [
      '2 of 39 cases are in quarantine; at most 1 should be (5 %), because a run that excuses more of them says little',
    ],
    [],
  ]);
});
