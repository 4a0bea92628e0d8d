// The results per value of a matrix, and the cases that fail for one value only.

import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { ValueCounts } from '../../src/report/fold/by-variable.ts';
import { createVariableFold } from '../../src/report/fold/by-variable.ts';
import { onlyFailureGroups, variableText } from '../../src/report/text/variable-text.ts';
import type { Interval } from '../../src/stats/rates.ts';
import { passRateInterval } from '../../src/stats/rates.ts';
import { Figure } from '../ui/figure.tsx';
import { Line } from '../ui/text.tsx';
import { duration, percent, range } from '../ui/words.ts';
import { resultsLink, useRun } from './run-context.ts';

const LISTED = 40;

export function ByVariable(): VNode {
  const { data, start, version } = useRun();
  const { by_variable, only_fails_for } = useMemo(() => {
    const fold = createVariableFold(start.matrix ?? {});
    for (const { settled } of data.cases) fold.add(settled);
    return fold.result();
  }, [data, start, version]);
  const groups = onlyFailureGroups(only_fails_for.slice(0, LISTED));
  return (
    <section>
      <h2>By variable</h2>
      <div class="two">
        {Object.entries(by_variable).map(([name, values]) => (
          <VariableFigure key={name} name={name} values={values} />
        ))}
      </div>
      {groups.map(({ value, cases }) => (
        <p key={value}>
          Only fails for{' '}
          <b>
            <Line text={value} />
          </b>
          : <Line text={cases.join(', ')} />
        </p>
      ))}
    </section>
  );
}

const HEAD = ['value', 'total', 'passed', 'failed', 'errors', 'timeouts', 'skipped', 'pass rate', 'average'];

function VariableFigure({ name, values }: { name: string; values: readonly ValueCounts[] }): VNode {
  const run = useRun();
  const intervalOf = (value: unknown): Interval | undefined => {
    const sums = { count: 0, sum: 0, squares: 0 };
    for (const { attempts, end } of run.data.cases) {
      if (end.pass_rate === null || end.status === 'skipped') continue;
      if (!Object.is(attempts[0].light.variables?.[name], value)) continue;
      sums.count += 1;
      sums.sum += end.pass_rate / 100;
      sums.squares += (end.pass_rate / 100) ** 2;
    }
    return passRateInterval(sums);
  };
  const rows = values.map((one) => [
    variableText(one.value),
    one.total,
    one.passed,
    one.failed,
    one.errors,
    one.timeouts,
    one.skipped,
    percent(one.pass_rate),
    duration(one.avg_duration_ms),
  ]);
  return (
    <Figure title={name} table={{ head: HEAD, rows }}>
      <ul class="rates">
        {values.map((one) => (
          <li key={JSON.stringify(one.value)}>
            <a href={resultsLink(run, { [`var.${name}`]: variableText(one.value) })}>
              <Line text={variableText(one.value)} />
            </a>
            <RateBar rate={one.pass_rate} interval={intervalOf(one.value)} />
            <span class="note">{percent(one.pass_rate)}</span>
          </li>
        ))}
      </ul>
    </Figure>
  );
}

/** A rate as a dot with its interval as a line. */
export function RateBar({
  rate,
  interval,
}: {
  rate: number | null;
  interval: { low: number; high: number } | undefined;
}): VNode {
  const text =
    rate === null ? 'not measured' : `${percent(rate)}${interval ? `, interval ${range(interval)}` : ''}`;
  return (
    <svg class="rate" viewBox="0 0 100 12" preserveAspectRatio="none" role="img" aria-label={text}>
      <line x1="0" y1="6" x2="100" y2="6" class="track" />
      {interval !== undefined && <line x1={interval.low} y1="6" x2={interval.high} y2="6" class="spread" />}
      {rate !== null && <line x1={rate} y1="0" x2={rate} y2="12" class="point" />}
    </svg>
  );
}
