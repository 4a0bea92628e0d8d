// The pass rate of each case with its confidence interval, the least reliable first.

import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { isMeasured } from '../../src/model/outcome.ts';
import { wilsonInterval } from '../../src/stats/rates.ts';
import { caseResult } from '../data/figures.ts';
import { Figure } from '../ui/figure.tsx';
import { Line } from '../ui/text.tsx';
import { count, percent, range } from '../ui/words.ts';
import { RateBar } from './by-variable.tsx';
import { caseLink, useRun } from './run-context.ts';

const LISTED = 30;

export function CaseRates(): VNode {
  const run = useRun();
  const { data, version, nameOf } = run;
  const { worst, total } = useMemo(() => {
    const rated = data.cases.flatMap((one) => {
      const rate = caseResult(one)?.pass_rate ?? null;
      if (rate === null) return [];
      const measured = one.attempts.filter(({ light }) => isMeasured(light));
      const passed = measured.filter(({ light }) => light.status === 'passed').length;
      const of = measured.length;
      return [{ one, rate, passed, of, interval: wilsonInterval(passed, of) }];
    });
    rated.sort((a, b) => a.rate - b.rate || a.one.number - b.one.number);
    return { worst: rated.slice(0, LISTED), total: rated.length };
  }, [data, version]);
  const note =
    total > LISTED
      ? `The ${String(LISTED)} least reliable of ${count(total)} cases, with 95 % intervals.`
      : 'With 95 % intervals: few runs say little.';
  return (
    <Figure
      title="Pass rate of each case"
      note={note}
      table={{
        head: ['case', 'pass rate', 'between', 'passed', 'runs'],
        rows: worst.map(({ one, rate, interval, passed, of }) => [
          nameOf(one),
          percent(rate),
          interval === undefined ? '' : range(interval),
          passed,
          of,
        ]),
      }}
    >
      <ul class="rates">
        {worst.map(({ one, rate, interval }) => (
          <li key={one.number}>
            <a href={caseLink(run, one)}>
              <Line text={nameOf(one)} limit={80} />
            </a>
            <RateBar rate={rate} interval={interval} />
            <span class="note">{percent(rate)}</span>
          </li>
        ))}
      </ul>
    </Figure>
  );
}
