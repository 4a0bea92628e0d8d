// The distribution of a sum of independent variables that take whole numbers.

/** `count` independent variables that are `at · step` with chance `chances[at]`. */
export type LatticeVariable = { chances: readonly number[]; step: number; count: number };

/** The chances that the sum is below, at and above a value. */
export type Tails = { below: number; at: number; above: number };

/** Work (multiplications) up to which every term is summed. It keeps all digits of tiny chances. */
const DIRECT_WORK = 4e6;
/** The logarithm of the chance that is cut off on both sides together: below 1e-15. */
const CUT = Math.log(2e15);

/** The tails of the sum around `value`. */
export function sumTails(variables: readonly LatticeVariable[], value: number): Tails {
  let length = 1;
  let work = 0;
  for (const { chances, step, count } of variables) {
    length += (chances.length - 1) * step * count;
    work += chances.length * count;
  }
  return work * length <= DIRECT_WORK
    ? tailsByConvolution(variables, value, length)
    : tailsByFrequencies(variables, value, length);
}

function tailsByConvolution(variables: readonly LatticeVariable[], value: number, length: number): Tails {
  let sum = new Float64Array(length);
  let next = new Float64Array(length);
  sum[0] = 1;
  let reached = 1;
  for (const { chances, step, count } of variables) {
    for (let round = 0; round < count; round += 1) {
      const end = reached + (chances.length - 1) * step;
      next.fill(0, 0, end);
      for (const [at, chance] of chances.entries()) {
        const shift = at * step;
        for (let i = 0; i < reached; i += 1)
          next[i + shift] = (next[i + shift] ?? 0) + (sum[i] ?? 0) * chance;
      }
      [sum, next, reached] = [next, sum, end];
    }
  }
  let below = 0;
  let above = 0;
  for (let i = 0; i < value; i += 1) below += sum[i] ?? 0;
  for (let i = value + 1; i < length; i += 1) above += sum[i] ?? 0;
  return { below, at: sum[value] ?? 0, above };
}

/**
 * Inverts the characteristic function on a window outside of which less than 1e-15 lies (Bernstein's inequality). The
 * function of many equal variables is a power, and vanishes at nearly all frequencies.
 */
function tailsByFrequencies(variables: readonly LatticeVariable[], value: number, length: number): Tails {
  const { mean, reach } = windowAround(variables);
  const low = Math.max(0, Math.floor(mean - reach));
  const high = Math.min(length - 1, Math.ceil(mean + reach));
  if (value < low) return { below: 0, at: 0, above: 1 };
  if (value > high) return { below: 1, at: 0, above: 0 };
  const size = high - low + 1;
  const transform = frequencyTable(variables, size, value);
  const under = value - low;
  const over = high - value;
  let below = under;
  let at = 1;
  let above = over;
  for (let frequency = 1; 2 * frequency <= size; frequency += 1) {
    const { real, imaginary } = transform(frequency);
    if (real === 0 && imaginary === 0) continue;
    // The frequency in the middle of an even window is its own mirror image; all others count twice.
    const weight = 2 * frequency === size ? 1 : 2;
    at += weight * real;
    const ups = geometricSum(frequency, under, size);
    below += weight * (real * ups.real - imaginary * ups.imaginary);
    const downs = geometricSum(frequency, over, size);
    above += weight * (real * downs.real + imaginary * downs.imaginary);
  }
  const share = (sum: number): number => Math.min(1, Math.max(0, sum / size));
  return { below: share(below), at: share(at), above: share(above) };
}

/** The mean of the sum, and the distance from it that is exceeded with a chance below 1e-15. */
function windowAround(variables: readonly LatticeVariable[]): { mean: number; reach: number } {
  let mean = 0;
  let variance = 0;
  let widest = 0;
  for (const { chances, step, count } of variables) {
    let first = 0;
    let second = 0;
    for (const [at, chance] of chances.entries()) {
      first += chance * at;
      second += chance * at * at;
    }
    mean += first * step * count;
    variance += (second - first * first) * step * step * count;
    widest = Math.max(widest, (chances.length - 1) * step);
  }
  const linear = (CUT * widest) / 3;
  return { mean, reach: linear + Math.sqrt(linear * linear + 2 * CUT * variance) };
}

/** A function that gives the characteristic function of sum − value at a frequency; zero where it is below 1e-18. */
function frequencyTable(variables: readonly LatticeVariable[], size: number, value: number) {
  const cosines = new Float64Array(size);
  const sines = new Float64Array(size);
  for (let i = 0; i < size; i += 1) {
    cosines[i] = Math.cos((2 * Math.PI * i) / size);
    sines[i] = Math.sin((2 * Math.PI * i) / size);
  }
  // The most frequent variables first: they end the product soonest.
  const sorted = variables.toSorted((a, b) => b.count - a.count);
  return (frequency: number): { real: number; imaginary: number } => {
    let logSize = 0;
    let angle = (-2 * Math.PI * ((frequency * value) % size)) / size;
    for (const { chances, step, count } of sorted) {
      let real = 0;
      let imaginary = 0;
      const turn = (frequency * step) % size;
      for (let at = 0, place = 0; at < chances.length; at += 1, place = (place + turn) % size) {
        const chance = chances[at] ?? 0;
        real += chance * (cosines[place] ?? 0);
        imaginary += chance * (sines[place] ?? 0);
      }
      logSize += (count * Math.log(real * real + imaginary * imaginary)) / 2;
      if (logSize < -42) return { real: 0, imaginary: 0 };
      angle += count * Math.atan2(imaginary, real);
    }
    return { real: Math.exp(logSize) * Math.cos(angle), imaginary: Math.exp(logSize) * Math.sin(angle) };
  };
}

/** The sum of e^(2πi·frequency·k/size) over k = 1 … terms. */
function geometricSum(frequency: number, terms: number, size: number): { real: number; imaginary: number } {
  // Multiples of a half turn are taken off as whole numbers, which loses no digits.
  const sine = (steps: number): number => Math.sin((Math.PI * ((frequency * steps) % (2 * size))) / size);
  const cosine = (steps: number): number => Math.cos((Math.PI * ((frequency * steps) % (2 * size))) / size);
  const ratio = sine(terms) / sine(1);
  return { real: ratio * cosine(terms + 1), imaginary: ratio * sine(terms + 1) };
}
