// The scores of each metric: its mean with the interval, over bars of how many cases have which score.

import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { caseNoun } from '../../src/report/text/run-words.ts';
import { scoreText } from '../../src/report/text/score-words.ts';
import type { MetricFigures } from '../data/scores.ts';
import { BINS, computeScores } from '../data/scores.ts';
import { Figure } from '../ui/figure.tsx';
import { Line } from '../ui/text.tsx';
import { count } from '../ui/words.ts';
import { useRun } from './run-context.ts';

/** Metrics that get a chart; the table has them all. */
const SHOWN = 20;

export function Scores(): VNode | null {
  const { data, version, start } = useRun();
  const metrics = useMemo(() => computeScores(data), [data, version]);
  if (metrics.length === 0) return null;
  const noun = caseNoun(start);
  const rest = metrics.length - SHOWN;
  const note = `The bars count ${noun}s from 0 to 1, the mark is their mean with its 95 % interval for ${noun}s like these.`;
  return (
    <Figure
      title="Scores"
      note={rest > 0 ? `${note} The table has ${count(rest)} more.` : note}
      table={{
        head: ['metric', 'mean', 'between', `${noun}s`, 'lowest', 'highest', ...BIN_NAMES],
        rows: metrics.map((one) => [
          one.metric,
          scoreText(one.mean),
          between(one),
          one.cases,
          scoreText(one.min),
          scoreText(one.max),
          ...one.bins,
        ]),
      }}
    >
      <ul class="rates scores">
        {metrics.slice(0, SHOWN).map((one) => (
          <li key={one.metric}>
            <span>
              <Line text={one.metric} limit={80} />
            </span>
            <ScoreBars metric={one} noun={noun} />
            <span class="note">{scoreText(one.mean)}</span>
          </li>
        ))}
      </ul>
    </Figure>
  );
}

const BIN_NAMES = Array.from(
  { length: BINS },
  (_, at) => `${String(at / BINS)} to ${String((at + 1) / BINS)}`,
);

function between({ interval }: MetricFigures): string {
  return interval === undefined ? '' : `${scoreText(interval.low)}–${scoreText(interval.high)}`;
}

const WIDTH = 100;
const HEIGHT = 20;
const BASE = 16;

function ScoreBars({ metric, noun }: { metric: MetricFigures; noun: string }): VNode {
  const { bins, mean, interval, cases } = metric;
  const most = Math.max(1, ...bins);
  const width = WIDTH / BINS;
  const text = `${scoreText(mean)}, interval ${between(metric)}, ${count(cases)} ${noun}${cases === 1 ? '' : 's'}`;
  return (
    <svg
      class="rate"
      viewBox={`0 0 ${String(WIDTH)} ${String(HEIGHT)}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={text}
    >
      {bins.map((n, at) => {
        const height = (BASE * n) / most;
        return <rect key={at} x={at * width + 0.5} y={BASE - height} width={width - 1} height={height} />;
      })}
      <line x1="0" y1={BASE + 2} x2={WIDTH} y2={BASE + 2} class="track" />
      {interval !== undefined && (
        <line
          x1={WIDTH * interval.low}
          y1={BASE + 2}
          x2={WIDTH * interval.high}
          y2={BASE + 2}
          class="spread"
        />
      )}
      <line x1={WIDTH * mean} y1="0" x2={WIDTH * mean} y2={HEIGHT} class="point" />
    </svg>
  );
}
