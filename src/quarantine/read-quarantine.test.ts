import { expect, test } from 'vitest';
import type { Problem } from '../errors.ts';
import { ConfigError } from '../errors.ts';
import type { QuarantineEntry } from './read-quarantine.ts';
import { parseQuarantine } from './read-quarantine.ts';

const NOW = new Date('2026-03-10T12:00:00Z');

const read = (text: string, now = NOW): Promise<QuarantineEntry[]> =>
  parseQuarantine(text, { name: 'quarantine.yml', now });

async function problemsOf(text: string): Promise<readonly Problem[]> {
  try {
    await read(text);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

test('a case is named as a whole, or by its test and id', async () => {
  const text = `# Night shift
- case: shop › refund
  reason: the bank is down at night
  expires: 2026-03-10
  owner: maria
- case: vat
  test: shop
  variables: { Model: small }
  reason: wobbly
  added: 2026-02-20
`;
  expect(await read(text)).toEqual([
    {
      name: 'shop › refund',
      test: 'shop',
      reason: 'the bank is down at night',
      owner: 'maria',
      until: '2026-03-10',
      isExpired: false,
      at: 'quarantine.yml:2',
    },
    {
      name: 'shop › vat',
      test: 'shop',
      variables: { Model: 'small' },
      reason: 'wobbly',
      until: '2026-03-06',
      isExpired: true,
      at: 'quarantine.yml:6',
    },
  ]);
});

test('the last day counts as a whole, in UTC', async () => {
  const text = '- { case: a › b, reason: c, expires: 2026-03-10 }';
  const isExpiredAt = async (time: string): Promise<boolean | undefined> =>
    (await read(text, new Date(time)))[0]?.isExpired;
  expect([
    await isExpiredAt('2026-03-10T23:59:59.999Z'),
    await isExpiredAt('2026-03-11T00:00:00Z'),
    await isExpiredAt('2026-03-11T00:30:00+02:00'),
  ]).toEqual([false, true, false]);
});

test('a file without entries is fine', async () => {
  expect([await read(''), await read('# nothing\n'), await read('[]')]).toEqual([[], [], []]);
});

test('everything that is wrong is told with its line and a remedy', async () => {
  expect(await problemsOf('case: a › b\n')).toMatchObject([{ at: 'quarantine.yml:1' }]);
  expect(await problemsOf('- case: a › b\n  reson: c\n  expires: 2026-02-31\n')).toEqual([
    { message: 'unknown field "[0].reson"', at: 'quarantine.yml:2', hint: 'did you mean "reason"?' },
    { message: '"[0].expires" is not a date of the calendar', at: 'quarantine.yml:3', hint: undefined },
    {
      message: '"[0].reason" is missing',
      at: 'quarantine.yml:1',
      hint: 'say in a few words why its failures do not count',
    },
  ]);
  expect(
    await problemsOf(
      '- case: b\n  reason: c\n- { case: a › b, reason: d, expires: 2026-03-11 }\n- { case: b, test: a, reason: e, expires: 2026-03-12 }\n',
    ),
  ).toEqual([
    {
      message: '"b" has no expiry',
      at: 'quarantine.yml:1',
      hint: 'add when it ends, like "expires: 2026-03-24" for 14 days from today',
    },
    {
      message: '"b" does not say which test it belongs to',
      at: 'quarantine.yml:1',
      hint: 'write "case: <test> › b" as assay flaky shows it, or add "test: <test>"',
    },
    {
      message: '"a › b" is in quarantine twice',
      at: 'quarantine.yml:4',
      hint: 'remove this entry or that of quarantine.yml:3',
    },
  ]);
});
