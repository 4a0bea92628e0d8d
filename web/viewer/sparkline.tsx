// A line chart of rates with the height of a text line.

import type { VNode } from 'preact';
import { percent } from '../ui/words.ts';

const WIDTH = 96;
const HEIGHT = 20;
const EDGE = 3;

/** Oldest first. */
export function Sparkline({ rates }: { rates: readonly (number | null)[] }): VNode | null {
  const known = rates.filter((rate) => rate !== null);
  const last = known.at(-1);
  if (last === undefined) return null;
  const step = known.length === 1 ? 0 : (WIDTH - 2 * EDGE) / (known.length - 1);
  const toPoint = (rate: number, at: number): [number, number] => [
    EDGE + at * step,
    EDGE + (HEIGHT - 2 * EDGE) * (1 - rate / 100),
  ];
  const [x, y] = toPoint(last, known.length - 1);
  const text = `Pass rates, oldest first: ${known.map(percent).join(', ')}`;
  return (
    <svg class="spark" viewBox={`0 0 ${String(WIDTH)} ${String(HEIGHT)}`} role="img" aria-label={text}>
      <polyline points={known.map((rate, at) => toPoint(rate, at).join()).join(' ')} />
      <circle cx={x} cy={y} r="2.5" class={last === 100 ? 'good' : 'bad'} />
    </svg>
  );
}
