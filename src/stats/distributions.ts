// Probabilities and quantiles of the normal, Student's t, beta and binomial distributions.

/** The largest relative error that a series or a continued fraction stops at. */
const PRECISION = 1e-16;
/** Stands for 0 where a continued fraction would divide by it. */
const TINY = 1e-300;

/** The 97.5th percentile of the normal distribution. */
export const Z95 = 1.959963984540054;

/** The chance that a standard normal value is at most `z`. */
export function normalCdf(z: number): number {
  return 0.5 * complementaryError(-z / Math.SQRT2);
}

/** The value that a standard normal variable stays below with chance `share`. */
export function normalQuantile(share: number): number {
  return remember(normalQuantiles, share, () => solveIncreasing(normalCdf, share, -40, 40));
}
const normalQuantiles = new Map<number, number>();

/** The chance that Student's t with `freedom` degrees of freedom is at most `t`. */
export function tCdf(t: number, freedom: number): number {
  if (!Number.isFinite(t)) return t > 0 ? 1 : 0;
  const tail = 0.5 * incompleteBeta(freedom / 2, 0.5, freedom / (freedom + t * t));
  return t > 0 ? 1 - tail : tail;
}

/** The value that Student's t stays below with chance `share`. */
export function tQuantile(share: number, freedom: number): number {
  if (freedom > 1e6) return normalQuantile(share);
  const known = tQuantiles.get(share) ?? new Map<number, number>();
  tQuantiles.set(share, known);
  return remember(known, freedom, () => solveIncreasing((t) => tCdf(t, freedom), share, -1e4, 1e4));
}
const tQuantiles = new Map<number, Map<number, number>>();

/** The value that a beta variable stays below with chance `share`. */
export function betaQuantile(share: number, a: number, b: number): number {
  if (share <= 0) return 0;
  return share >= 1 ? 1 : solveIncreasing((x) => incompleteBeta(a, b, x), share, 0, 1);
}

/** The chance of at most `successes` in `count` independent trials that succeed with chance `rate`. */
export function binomialCdf(successes: number, count: number, rate: number): number {
  if (rate <= 0 || successes >= count) return successes < 0 ? 0 : 1;
  if (rate >= 1) return 0;
  let sum = 0;
  for (let k = 0; k <= successes; k += 1)
    sum += Math.exp(logChoose(count, k) + k * Math.log(rate) + (count - k) * Math.log1p(-rate));
  return Math.min(1, sum);
}

/** The logarithm of the number of ways to choose `k` of `n`; minus infinity if there is no way. */
export function logChoose(n: number, k: number): number {
  return k < 0 || k > n ? -Infinity : logFactorial(n) - logFactorial(k) - logFactorial(n - k);
}

/** Finds x between `low` and `high` where the increasing function `f` reaches `target`. */
export function solveIncreasing(f: (x: number) => number, target: number, low: number, high: number): number {
  // Doubles near 0 are so dense that halving would go on for a thousand steps.
  for (let step = 0; step < 200; step += 1) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    if (f(middle) < target) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Sums of logarithms, which are more exact than an approximation of the gamma function for counts. */
const logFactorials = [0];
function logFactorial(n: number): number {
  for (let k = logFactorials.length; k <= n; k += 1)
    logFactorials.push((logFactorials[k - 1] ?? 0) + Math.log(k));
  return logFactorials[n] ?? 0;
}

/** Keeps a computed value; gives up what it knows when there is too much of it. */
function remember(known: Map<number, number>, key: number, compute: () => number): number {
  const found = known.get(key);
  if (found !== undefined) return found;
  const value = compute();
  if (known.size > 10_000) known.clear();
  known.set(key, value);
  return value;
}

/** Coefficients of Lanczos' approximation with g = 7. */
const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** The logarithm of the gamma function for positive x. */
function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  let sum = 0.99999999999980993;
  for (const [at, coefficient] of LANCZOS.entries()) sum += coefficient / (x + at);
  const t = x + 6.5;
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
}

/** The regularised incomplete beta function, by Lentz's continued fraction. */
function incompleteBeta(a: number, b: number, x: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(b, a, 1 - x);
  const front =
    Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)) / a;
  let c = 1;
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  const step = (numerator: number): void => {
    d = 1 / awayFromZero(1 + numerator * d);
    c = awayFromZero(1 + numerator / c);
    fraction *= c * d;
  };
  for (let m = 1; m < 1000; m += 1) {
    step((m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)));
    step((-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)));
    if (Math.abs(c * d - 1) < 10 * PRECISION) break;
  }
  return front * fraction;
}

function awayFromZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}

/** erfc: the series of the error function near 0, a continued fraction beyond. */
function complementaryError(x: number): number {
  if (x < 0) return 2 - complementaryError(-x);
  if (x >= 2.5) {
    let fraction = 0;
    for (let k = 120; k >= 1; k -= 1) fraction = k / 2 / (x + fraction);
    return Math.exp(-x * x) / (Math.sqrt(Math.PI) * (x + fraction));
  }
  let term = x;
  let sum = x;
  for (let n = 1; n < 200 && Math.abs(term) > PRECISION * sum; n += 1) {
    term *= -(x * x) / n;
    sum += term / (2 * n + 1);
  }
  return 1 - (2 / Math.sqrt(Math.PI)) * sum;
}
