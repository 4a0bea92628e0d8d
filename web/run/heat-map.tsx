// Runs as columns, cases as rows: shows whether failures belong to a case or to a point in time.

import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { instability, settledStatus } from '../data/figures.ts';
import type { Case } from '../data/run-data.ts';
import { Figure } from '../ui/figure.tsx';
import { statusWord } from '../ui/status.tsx';
import { Line } from '../ui/text.tsx';
import { count, duration } from '../ui/words.ts';
import { caseLink, useRun } from './run-context.ts';
import { longestDuration } from './run-strip.tsx';

const LISTED = 60;
const COLUMNS = 100;

/** The least stable cases first; of equally stable ones, those that did not pass. */
function mostUnstable(cases: readonly Case[]): Case[] {
  const weight = ({ settled }: Case): number => (settledStatus(settled) === 'passed' ? 0 : 1);
  return [...cases]
    .sort((a, b) => instability(b) - instability(a) || weight(b) - weight(a) || a.number - b.number)
    .slice(0, LISTED);
}

export function HeatMap(): VNode {
  const run = useRun();
  const { data, version, nameOf } = run;
  const shown = useMemo(() => mostUnstable(data.cases), [data, version]);
  const runs = Math.max(1, ...shown.map(({ attempts }) => attempts.at(-1)?.light.run ?? 1));
  const numbers = Array.from({ length: Math.min(runs, COLUMNS) }, (_, at) => at + 1);
  return (
    <Figure
      title="Runs × cases"
      note={
        data.cases.length > LISTED
          ? `The ${String(LISTED)} most unstable of ${count(data.cases.length)} cases.`
          : `Every square is a run; the fuller its colour, the longer it took.${runs > COLUMNS ? ` The first ${String(COLUMNS)} runs.` : ''}`
      }
      table={{
        head: ['case', ...numbers.map((number) => `run ${String(number)}`)],
        rows: shown.map((one) => [
          nameOf(one),
          ...numbers.map((number) => {
            const light = one.attempts
              .slice(0, COLUMNS)
              .find((attempt) => attempt.light.run === number)?.light;
            return light === undefined ? '' : `${statusWord(light.status)}, ${duration(light.duration_ms)}`;
          }),
        ]),
      }}
    >
      <div class="heat">
        {shown.map((one) => {
          const first = one.attempts.slice(0, COLUMNS);
          const longest = longestDuration(first);
          return (
            <div key={one.number} class="heat-row">
              <a href={caseLink(run, one)}>
                <Line text={nameOf(one)} limit={60} />
              </a>
              <span class="heat-runs" aria-hidden="true">
                {first.map(({ light }) => (
                  <span
                    key={light.run}
                    class={light.status}
                    title={`Run ${String(light.run)}: ${statusWord(light.status)}, ${duration(light.duration_ms)}`}
                    style={{ opacity: 0.45 + (0.55 * light.duration_ms) / longest }}
                  />
                ))}
              </span>
            </div>
          );
        })}
      </div>
    </Figure>
  );
}
