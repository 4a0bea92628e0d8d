// Random choices that are the same for the same seed.

/** Numbers from 0 to 1 (mulberry32), with helpers that choose by them. */
export function randomFrom(seed) {
  let state = Number(seed) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit) => Math.floor(next() * limit);
  const pick = (list) => list[below(list.length)];
  return { next, below, pick, sample: (list, count) => sample(list, count, below) };
}

/** Some different members of a list. */
function sample(list, count, below) {
  const rest = [...list];
  const chosen = [];
  while (chosen.length < count && rest.length > 0) chosen.push(...rest.splice(below(rest.length), 1));
  return chosen;
}
