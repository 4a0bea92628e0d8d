// Run them with: assay test -i src/money_test.ts

import { formatCents, parseCents } from './money.ts';

export function TestParseCents(t: testing.T) {
  t.assert.Equal(parseCents(' 12.50 '), 1250);
  for (const text of ['12.5', '-1.00', '', 'twelve']) {
    t.run(text, (t) => {
      t.assert.Nil(parseCents(text), '%s is no amount', text);
    });
  }
}

export function TestFormatCents(t: testing.T) {
  t.assert.Equal(formatCents(1250), '12.50');
  t.assert.Equal(formatCents(parseCents('0.07') ?? 0), '0.07');
}
