// Tests of the skill "discount", with node:test. Run them with: assay skills discount

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { priceAfter } from '../skills/discount/scripts/discount.mjs';

describe('priceAfter', () => {
  it('takes a fifth off in autumn', () => {
    assert.equal(priceAfter(1000, 'AUTUMN'), 800);
  });

  it('rounds to whole cents', () => {
    assert.equal(priceAfter(995, 'WELCOME'), 896);
  });

  it('refuses an unknown voucher', () => {
    assert.throws(() => priceAfter(1000, 'SPRING'), RangeError);
  });

  it.todo('combines vouchers');
});
