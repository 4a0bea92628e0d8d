// What borrowing costs: `node price.mjs 3 --member`.

const A_DAY = 12;
const A_WEEK = 60;

/** In euros; a week costs as much as five days, members pay three quarters. */
export function priceOf(days, { isMember = false } = {}) {
  if (!Number.isInteger(days) || days < 1) throw new RangeError('at least one whole day');
  const full = Math.floor(days / 7) * A_WEEK + Math.min((days % 7) * A_DAY, A_WEEK);
  return isMember ? full * 0.75 : full;
}

if (process.argv[1] === import.meta.filename) {
  const [days, flag] = process.argv.slice(2);
  console.log(priceOf(Number(days), { isMember: flag === '--member' }));
}
