// The results per value of a matrix, the best values, and the cases that fail for one value only.

import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { createVariableFold } from '../../src/report/fold/by-variable.ts';
import type { ValueCounts } from '../../src/report/fold/value-counts.ts';
import { variableVerdict } from '../../src/report/text/best-text.ts';
import { caseNoun } from '../../src/report/text/run-words.ts';
import { dollars } from '../../src/report/text/spending-text.ts';
import { selectionText } from '../../src/report/text/selection-text.ts';
import { valueColumns } from '../../src/report/text/value-columns.ts';
import { onlyFailureGroups, variableText } from '../../src/report/text/variable-text.ts';
import { Figure } from '../ui/figure.tsx';
import { Line } from '../ui/text.tsx';
import { duration, percent, range } from '../ui/words.ts';
import { resultsLink, useRun } from './run-context.ts';

const LISTED = 40;

export function ByVariable(): VNode {
  const { data, start, version } = useRun();
  const byVariable = useMemo(() => {
    const fold = createVariableFold(start);
    for (const { settled } of data.cases) fold.add(settled);
    return fold.result();
  }, [data, start, version]);
  const { groups, left } = onlyFailureGroups(byVariable, LISTED);
  return (
    <section>
      <h2>By variable</h2>
      <div class="two">
        {Object.entries(byVariable.by_variable).map(([name, values]) => (
          <VariableFigure
            key={name}
            name={name}
            values={values}
            verdict={variableVerdict(byVariable, name, caseNoun(start))}
          />
        ))}
      </div>
      {groups.map(({ claim, cases }) => (
        <p key={claim}>
          <b>
            <Line text={claim} />
          </b>
          : <Line text={cases.join(', ')} />
        </p>
      ))}
      {left > 0 && <p class="note">… and {left} more</p>}
      {data.selections.result().map((selection) => (
        <p key={JSON.stringify(selection.criteria)}>
          <Line text={selectionText(selection)} />
        </p>
      ))}
    </section>
  );
}

const COUNTS = ['total', 'passed', 'failed', 'errors', 'timeouts', 'skipped'] as const;

function VariableFigure({
  name,
  values,
  verdict,
}: {
  name: string;
  values: readonly ValueCounts[];
  verdict: string | undefined;
}): VNode {
  const run = useRun();
  const noun = caseNoun(run.start);
  const further = valueColumns(values, noun, { none: 'n/a' });
  const rows = values.map((one) => [
    variableText(one.value),
    percent(one.pass_rate),
    ...further.map(({ cell }) => cell(one)),
    duration(one.avg_duration_ms),
    ...COUNTS.map((name) => one[name]),
  ]);
  const head = ['value', 'pass rate', ...further.map((column) => column.head), 'average', ...COUNTS];
  return (
    <Figure title={name} table={{ head, rows }}>
      {verdict !== undefined && (
        <p class="best">
          <Line text={verdict} />
        </p>
      )}
      <ul class="rates">
        {values.map((one) => (
          <li key={JSON.stringify(one.value)}>
            <a href={resultsLink(run, { [`var.${name}`]: variableText(one.value) })}>
              <Line text={variableText(one.value)} />
            </a>
            <RateBar rate={one.pass_rate} interval={one.interval ?? undefined} />
            <span class="note">
              {percent(one.pass_rate)}
              {typeof one.cost_usd === 'number' && <small>{dollars(one.cost_usd)}</small>}
            </span>
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
