// The cases of two runs with the same kind of change.

import type { VNode } from 'preact';
import type { ComparedCase, ComparedSide } from '../../src/model/comparison.ts';
import { caseReason } from '../../src/compare/words.ts';
import { StatusMark, statusWord } from '../ui/status.tsx';
import { Line } from '../ui/text.tsx';
import { count, duration, percent } from '../ui/words.ts';
import { caseHistoryLink, caseInRunLink, variablesText } from './case-links.ts';

type Runs = { before: string; after: string };

export function ChangedCases({
  title,
  cases,
  total,
  ...runs
}: { title: string; cases: readonly ComparedCase[]; total: number } & Runs): VNode {
  return (
    <section>
      <h2>
        {title} <span class="note">{count(total)}</span>
      </h2>
      <div class="scroll" tabIndex={0} role="region" aria-label={title}>
        <table class="changes">
          <thead>
            <tr>
              <th scope="col">Case</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {cases.map((one) => (
              <Row
                key={`${one.test_id} ${one.case_id} ${JSON.stringify(one.variables)}`}
                one={one}
                {...runs}
              />
            ))}
          </tbody>
        </table>
      </div>
      {cases.length < total && <p class="note">… and {count(total - cases.length)} more.</p>}
    </section>
  );
}

function Row({ one, before, after }: { one: ComparedCase } & Runs): VNode {
  return (
    <tr>
      <th scope="row">
        <a href={caseHistoryLink(one.test_id, one)}>
          <Line text={one.case_id} limit={160} />
        </a>
        <p class="note">
          <Line
            text={[one.test_id, variablesText(one.variables)].filter((part) => part !== '').join(' · ')}
            limit={200}
          />
        </p>
        {caseReason(one) !== '' && <p class="note">{caseReason(one)}</p>}
      </th>
      <td>
        <Side one={one} side={one.before} run={before} label="before" />
      </td>
      <td>
        <Side one={one} side={one.after} run={after} label="after" />
      </td>
    </tr>
  );
}

function Side({
  one,
  side,
  run,
  label,
}: {
  one: ComparedCase;
  side: ComparedSide | null;
  run: string;
  label: string;
}): VNode {
  if (side === null) return <span class="note">not there</span>;
  return (
    <>
      <a
        href={caseInRunLink(run, one.test_id, one)}
        aria-label={`${statusWord(side.status)}: ${one.case_id} in the run ${label}`}
      >
        <StatusMark status={side.status} />
      </a>
      <p class="note">
        {percent(side.pass_rate)}
        {side.runs > 1 && ` (${String(side.passed)}/${String(side.measured)})`},{' '}
        {duration(side.avg_duration_ms)}
      </p>
    </>
  );
}
