// The preview below a row of the table: input, output and failures.

import type { VNode } from 'preact';
import { listFailures, failureHeadline } from '../../src/report/fold/failures.ts';
import type { Case } from '../data/run-data.ts';
import { Block, Line } from '../ui/text.tsx';
import { caseLink, useRun } from './run-context.ts';
import { useEvent } from './use-event.ts';

export function CasePreview({ one }: { one: Case }): VNode {
  const run = useRun();
  const { settled, attempts } = one;
  const status = settled.ran ? settled.result.status : 'skipped';
  const shown = attempts.find(({ light }) => light.status === status) ?? attempts[0];
  const event = useEvent(run.data, shown);
  if (event === undefined) return <p class="preview note">Reading …</p>;
  const failures = listFailures(event, event.kind);
  return (
    <div class="preview" role="row">
      <div role="cell">
        {failures.map((failure, at) => (
          <p key={at} class="why">
            <Line text={failureHeadline(failure)} />
          </p>
        ))}
        {event.input !== undefined && (
          <>
            <h4>Input</h4>
            <Block value={event.input} label="Input" />
          </>
        )}
        {event.output !== undefined && (
          <>
            <h4>Output</h4>
            <Block value={event.output} label="Output" />
          </>
        )}
        <p>
          <a href={caseLink(run, one, { run: String(shown.light.run) })}>Everything about it</a>
        </p>
      </div>
    </div>
  );
}
