// Runs over time: pass rate and duration.

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

/** Shown from two runs on. */
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
  const { ordered, data, options } = useMemo(() => {
    const ordered = [...points].sort((a, b) => Date.parse(a.started_at) - Date.parse(b.started_at));
    const data: uPlot.AlignedData = [
      [...ordered.keys()],
      ordered.map(({ rate }) => rate),
      ordered.map(({ duration_ms }) => duration_ms),
    ];
    return { ordered, data, options: optionsFor(ordered) };
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
      <Plot data={data} options={options} height={190} label={`${title}. The table has the same numbers.`} />
    </Figure>
  );
}

/** The x axis counts runs: on a time scale, runs of one morning would overlap and weekends would be empty. */
const optionsFor =
  (points: readonly TrendPoint[]): PlotOptions =>
  (colours) => ({
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false },
      rate: { range: [0, 105] },
      duration: { range: (_plot, _low, high) => [0, Math.max(10, high * 1.1)] },
    },
    axes: [
      axis(colours, {
        space: 110,
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500],
        values: (_plot, ticks) => ticks.map((tick) => pointTime(points[tick])),
      }),
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

function pointTime(point: TrendPoint | undefined): string {
  return point === undefined ? '' : when(point.started_at).replace(/, \d{4}/, '');
}
