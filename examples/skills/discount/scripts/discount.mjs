// What a voucher takes off a price.

const PERCENT = { AUTUMN: 20, WELCOME: 10 };

/** The price in cents after the voucher; throws if the voucher is unknown. */
export function priceAfter(cents, voucher) {
  const percent = PERCENT[voucher];
  if (percent === undefined) throw new RangeError(`unknown voucher ${voucher}`);
  return Math.round(cents * (1 - percent / 100));
}
