// Charts of the run, each with its numbers.

import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import uPlot from 'uplot';
import { isMeasured } from '../../src/model/outcome.ts';
import { histogramBins, percentile } from '../../src/stats/percentile.ts';
import type { RunData } from '../data/run-data.ts';
import { Figure } from '../ui/figure.tsx';
import type { PlotOptions } from '../ui/plot.tsx';
import { axis, Plot } from '../ui/plot.tsx';
import { count, duration } from '../ui/words.ts';
import { ByVariable } from './by-variable.tsx';
import { HeatMap } from './heat-map.tsx';
import { CaseRates } from './case-rates.tsx';
import { Scores } from './scores.tsx';
import { useRun } from './run-context.ts';

export function Charts(): VNode {
  const { data, version, start } = useRun();
  const hasRuns = data.cases.some(({ attempts }) => attempts.length > 1);
  return (
    <>
      <h2 class="off-screen">Charts</h2>
      <Durations data={data} version={version} />
      <Scores />
      {hasRuns && <CaseRates />}
      {hasRuns && <HeatMap />}
      {start.matrix !== undefined && <ByVariable />}
    </>
  );
}

const SHARES = [0, 0.5, 0.75, 0.9, 0.95, 0.99, 1];

function Durations({ data, version }: { data: RunData; version: number }): VNode | null {
  const { bins, plotted, rows } = useMemo(() => {
    const durations = data.cases
      .flatMap(({ attempts }) => attempts.map(({ light }) => light))
      .filter(isMeasured)
      .map(({ duration_ms }) => duration_ms)
      .sort((a, b) => a - b);
    // A few very slow cases would squeeze all others into one bar.
    const most = percentile(durations, 0.99) * 1.5;
    const usual = durations.filter((one) => one <= most);
    const bins = histogramBins(usual);
    return {
      bins,
      rows: SHARES.map((share) => [percentileName(share), duration(percentile(durations, share))]),
      plotted: [
        bins.map(({ from, to }) => (from + to) / 2),
        bins.map((bin) => bin.count),
      ] as uPlot.AlignedData,
    };
  }, [data, version]);
  if (bins.length === 0) return null;
  return (
    <Figure
      title="Durations"
      note={`How long single runs took: ${rows[1]?.[1] ?? ''} in the middle, ${rows[4]?.[1] ?? ''} at the 95th percentile, ${rows[6]?.[1] ?? ''} at most.`}
      table={{
        head: ['percentile', 'duration'],
        rows: [
          ...rows,
          ...bins.map(({ from, to, count: n }) => [
            `${duration(from)} to ${duration(to)}`,
            `${count(n)} runs`,
          ]),
        ],
      }}
    >
      <Plot data={plotted} options={HISTOGRAM} label="Histogram of the durations of all runs" />
    </Figure>
  );
}

function percentileName(share: number): string {
  if (share === 0) return 'shortest';
  if (share === 1) return 'longest';
  return share === 0.5 ? 'median' : `${String(Math.round(share * 100))}th`;
}

const HISTOGRAM: PlotOptions = (colours) => ({
  legend: { show: false },
  cursor: { show: false },
  scales: { x: { time: false }, y: { range: (_plot, _low, high) => [0, Math.max(1, high * 1.05)] } },
  axes: [axis(colours, { values: (_plot, ticks) => ticks.map((tick) => duration(tick)) }), axis(colours)],
  series: [
    {},
    {
      stroke: colours.accent,
      fill: `${colours.accent}66`,
      paths: uPlot.paths.bars?.({ size: [0.95, 60] }) ?? (() => null),
      points: { show: false },
    },
  ],
});
