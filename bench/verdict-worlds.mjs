// Invented suites for the bench of verdicts: true pass rates of cases, and seeded outcomes.

/** A seeded source of random numbers (sfc32). */
export function createRandom(seed) {
  let [a, b, c, d] = [seed >>> 0, (seed * 2654435761) >>> 0, 0x9e3779b9, 1];
  const uniform = () => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return ((t >>> 0) + 0.5) / 4294967296;
  };
  for (let i = 0; i < 20; i += 1) uniform();
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  /** Marsaglia and Tsang. */
  const gamma = (k) => {
    if (k < 1) return gamma(k + 1) * uniform() ** (1 / k);
    const size = k - 1 / 3;
    for (;;) {
      const x = normal();
      const v = (1 + x / Math.sqrt(9 * size)) ** 3;
      if (v > 0 && Math.log(uniform()) < 0.5 * x * x + size * (1 - v + Math.log(v))) return size * v;
    }
  };
  const beta = (p, q) => {
    const x = gamma(p);
    return x / (x + gamma(q));
  };
  const binomial = (count, rate) => {
    let x = 0;
    for (let i = 0; i < count; i += 1) if (uniform() < rate) x += 1;
    return x;
  };
  return { uniform, beta, binomial };
}

/** Shares of cases and how their true rates are spread: a beta distribution, or one fixed rate. */
const WORLDS = {
  typical: [
    [0.7, 60, 0.6],
    [0.15, 0.6, 60],
    [0.15, 1, 1],
  ],
  good: [
    [0.85, 100, 0.5],
    [0.03, 0.5, 30],
    [0.12, 4, 1.2],
  ],
  flaky: [[1, 4, 2]],
  nearly: [
    [0.83, 1],
    [0.12, 0],
    [0.05, 2, 2],
  ],
  deterministic: [
    [0.85, 1],
    [0.15, 0],
  ],
  perfect: [[1, 200, 0.4]],
};

/** The true rates of `count` cases. */
export function drawRates(random, world, count) {
  const parts = WORLDS[world];
  return Array.from({ length: count }, () => {
    let share = random.uniform();
    const [, a, b] = parts.find(([size]) => (share -= size) < 0) ?? parts.at(-1);
    return b === undefined ? a : random.beta(a, b);
  });
}

/** The mean true rate of cases of a world. */
export function worldMean(world) {
  return WORLDS[world].reduce((sum, [share, a, b]) => sum + share * (b === undefined ? a : a / (a + b)), 0);
}

/** Every case loses in proportion, so that the mean falls by `drop`. */
export function spreadDrop(rates, drop) {
  const factor = 1 - drop / (rates.reduce((sum, rate) => sum + rate, 0) / rates.length);
  return rates.map((rate) => rate * factor);
}

/** Positions of `count` random cases whose true rate is above `least`. */
export function pickGood(random, rates, count, least = 0.5) {
  const good = rates.flatMap((rate, at) => (rate > least ? [at] : []));
  for (let i = 0; i < count; i += 1) {
    const j = i + Math.floor(random.uniform() * (good.length - i));
    [good[i], good[j]] = [good[j], good[i]];
  }
  return good.slice(0, count);
}

/** Sets the rate of some cases. */
export function setRates(rates, places, rate) {
  const changed = [...rates];
  for (const at of places) changed[at] = rate;
  return changed;
}

/** Outcomes of two runs; each attempt is missing with chance `missing`. */
export function drawCases(random, before, after, [ra, rb], missing = 0) {
  const runs = (wanted) => (missing === 0 ? wanted : random.binomial(wanted, 1 - missing));
  return before.map((rate, at) => {
    const one = { ra: runs(ra), rb: runs(rb) };
    return { ...one, xa: random.binomial(one.ra, rate), xb: random.binomial(one.rb, after[at]) };
  });
}
