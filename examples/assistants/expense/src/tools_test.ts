import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Expense } from './tools.ts';
import { Categorize, CheckPolicy, Convert, ForgetRates, ReadExpense, SaveReport, Totals } from './tools.ts';

const RATES = { rates: { EUR: 1, USD: 1.25, JPY: 160 } };
const RULES = { currency: 'EUR', limits: { meal: 40, travel: 500 } };

let trip: Expense[] = [];

export function BeforeAll(t: testing.T) {
  trip = ['Train 89.90', 'Taxi to the hotel 12', 'Dinner 31.50'].map(ReadExpense);
  t.log(`${trip.length} expenses`);
}

export function BeforeEach() {
  ForgetRates();
}

export function TestReadExpense(t: testing.T) {
  const { assert } = t;
  assert.Equal(ReadExpense('Taxi to the airport 23.50 USD'), {
    note: 'Taxi to the airport',
    category: 'travel',
    cents: 2350,
    currency: 'USD',
  });
  assert.Panic(() => ReadExpense('Taxi'), 'a line without an amount is refused');
}

export function TestReadExpenseInAnotherHomeCurrency(t: testing.T) {
  process.env.EXPENSE_CURRENCY = 'CHF';
  t.cleanup(() => {
    delete process.env.EXPENSE_CURRENCY;
  });
  t.assert.Equal(ReadExpense('Coffee 4.20').currency, 'CHF');
}

export function TestCategorize(t: testing.T) {
  const cases = {
    'Train to Porto': 'travel',
    'Team lunch': 'meal',
    'Hotel Central': 'lodging',
    Stamps: 'other',
  };
  for (const [note, category] of Object.entries(cases)) {
    t.run(note, (t) => {
      t.assert.Equal(Categorize(note), category);
    });
  }
}

export function TestTotals(t: testing.T) {
  const { assert } = t;
  assert.Equal(Totals(trip), { travel: 10190, meal: 3150 });
  assert.Equal(Totals([]), {});
}

export function TestCheckPolicy(t: testing.T) {
  const { assert } = t;
  assert.Len(CheckPolicy(ReadExpense('Lunch 40.00'), RULES), 0, 'the limit itself is allowed');
  assert.Equal(CheckPolicy(ReadExpense('Lunch 40.01'), RULES), ['Lunch: more than 40 EUR for meal']);
  const [problem] = CheckPolicy(ReadExpense('Stamps 3.20'), RULES);
  assert.Contains(problem, 'no rule');
}

export async function TestConvert(t: testing.T) {
  const { assert } = t;
  const fetched = t.mock.fetch({ 'GET https://rates.example.com/latest': RATES });
  const dinner = ReadExpense('Dinner 25.00 USD');
  assert.Equal((await Convert(dinner, 'EUR')).cents, 2000);
  assert.Equal((await Convert(dinner, 'JPY')).cents, 320000);
  assert.Equal(fetched.mock.callCount(), 1, 'the rates are read once');
  await assert.Panic(() => Convert(dinner, 'XXX'), 'a currency without a rate is refused');
}

export async function TestRatesAreReadAgainAfterAnHour(t: testing.T) {
  const { assert } = t;
  const fetched = t.mock.fetch({ 'https://rates.example.com/': RATES });
  t.mock.timers.enable({ apis: ['Date'], now: new Date('2026-03-02T08:00:00Z') });
  const dinner = ReadExpense('Dinner 25.00 USD');
  await Convert(dinner, 'EUR');
  t.mock.timers.tick(60 * 60 * 1000);
  await Convert(dinner, 'EUR');
  assert.Equal(fetched.mock.callCount(), 1);
  t.mock.timers.tick(1);
  await Convert(dinner, 'EUR');
  assert.Equal(fetched.mock.callCount(), 2);
}

export async function TestBusyServerIsAskedAgain(t: testing.T) {
  const { assert } = t;
  let asked = 0;
  t.mock.fetch(() => (asked++ === 0 ? { status: 503 } : RATES));
  t.mock.timers.enable();
  const converted = Convert(ReadExpense('Dinner 25.00 USD'), 'EUR');
  await t.mock.timers.tickAsync(2000);
  assert.Equal((await converted).cents, 2000);
  assert.Equal(asked, 2);
}

export async function TestSaveReport(t: testing.T) {
  const file = join(t.tempDir(), 'trip.csv');
  await SaveReport(file, trip);
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  t.assert.Len(lines, 4);
  t.assert.Equal(lines[3], 'meal,"Dinner",31.50,EUR');
}

export async function TestSaveReportOnAFullDisk(t: testing.T) {
  t.mock.module('node:fs/promises', {
    writeFile: async () => {
      throw new Error('no space left');
    },
  });
  await t.assert.Panic(() => SaveReport('trip.csv', trip));
}
