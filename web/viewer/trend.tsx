// Runs over time: how many cases passed, and how long it took.

import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type uPlot from 'uplot';
import { Figure } from '../ui/figure.tsx';
import type { PlotOptions } from '../ui/plot.tsx';
import { axis, Plot } from '../ui/plot.tsx';
import { duration, percent, when } from '../ui/words.ts';

type TrendPoint = {
  name: string;
  started_at: string;
  rate: number | null;
  duration_ms: number | null;
};

/** Needs two points to be a trend. */
export function Trend({
  points,
  title,
  note,
}: {
  points: readonly TrendPoint[];
  title: string;
  note: string;
}): VNode | null {
  const key = JSON.stringify(points);
  const { ordered, data } = useMemo(() => {
    const ordered = [...points].sort((a, b) => Date.parse(a.started_at) - Date.parse(b.started_at));
    const data: uPlot.AlignedData = [
      ordered.map(({ started_at }) => Date.parse(started_at) / 1000),
      ordered.map(({ rate }) => rate),
      ordered.map(({ duration_ms }) => duration_ms),
    ];
    return { ordered, data };
  }, [key]);
  if (ordered.length < 2) return null;
  return (
    <Figure
      title={title}
      note={note}
      table={{
        head: ['started', 'run', 'pass rate', 'duration'],
        rows: [...ordered]
          .reverse()
          .map(({ name, started_at, rate, duration_ms }) => [
            when(started_at),
            name,
            percent(rate),
            duration(duration_ms),
          ]),
      }}
    >
      <p class="legend" aria-hidden="true">
        <span class="key rate">Pass rate</span> <span class="key duration">Duration</span>
      </p>
      <Plot data={data} options={OPTIONS} height={190} label={`${title}. The table has the same numbers.`} />
    </Figure>
  );
}

const OPTIONS: PlotOptions = (colours) => ({
  legend: { show: false },
  cursor: { show: false },
  scales: {
    rate: { range: [0, 105] },
    duration: { range: (_plot, _low, high) => [0, Math.max(10, high * 1.1)] },
  },
  axes: [
    axis(colours, { space: 80 }),
    axis(colours, {
      scale: 'rate',
      size: 60,
      values: (_plot, ticks) => ticks.map((tick) => `${String(tick)} %`),
    }),
    axis(colours, {
      scale: 'duration',
      side: 1,
      size: 60,
      grid: { show: false },
      values: (_plot, ticks) => ticks.map((tick) => duration(tick)),
    }),
  ],
  series: [
    {},
    { scale: 'rate', stroke: colours.good, width: 2, spanGaps: true, points: { show: true, size: 6 } },
    {
      scale: 'duration',
      stroke: colours.accent,
      width: 1,
      dash: [5, 4],
      spanGaps: true,
      points: { show: true, size: 4 },
    },
  ],
});
