// Cases that flip between runs although nothing changed, and which of them are in quarantine.

import type { VNode } from 'preact';
import type { FlakyCase } from '../../src/history/store/store.ts';
import type { QuarantineMark } from '../../src/model/quarantine.ts';
import { variableText } from '../../src/report/text/variable-text.ts';
import { link } from '../route.ts';
import { Line } from '../ui/text.tsx';
import { address } from './api.ts';
import { Page, Waiting } from './page.tsx';
import { useAnswer } from './use-answer.ts';

type ListedCase = FlakyCase & { quarantined?: QuarantineMark & { expired: boolean } };
type Answer = { cases: ListedCase[]; is_complete: boolean; problem: string | null };

export function FlakyPage(): VNode {
  const answer = useAnswer<Answer>(address(['flaky']));
  return (
    <Page title="Flaky" id="flaky">
      <p class="prose">
        A <b>flaky</b> case flips between runs with the same content, agent and judges. A <b>changed</b> case
        flipped once and stayed so.
      </p>
      {answer.value === undefined ? <Waiting {...answer} /> : <Listed {...answer.value} />}
    </Page>
  );
}

function Listed({ cases, is_complete, problem }: Answer): VNode {
  return (
    <>
      {problem !== null && (
        <p class="banner warn" role="status">
          The quarantine cannot be read: <Line text={problem} limit={300} />
        </p>
      )}
      {!is_complete && (
        <p class="note">Very many cases have flipped; only the first 1,000 of them were looked at.</p>
      )}
      {cases.length === 0 ? (
        <p class="card">
          No case is flaky: none has flipped often enough in its newest runs with the same agent and judges.
        </p>
      ) : (
        <FlakyTable cases={cases} />
      )}
    </>
  );
}

function FlakyTable({ cases }: Pick<Answer, 'cases'>): VNode {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Flaky cases">
      <table class="wide">
        <thead>
          <tr>
            <th scope="col">Case</th>
            <th scope="col">Kind</th>
            <th scope="col">Passed</th>
            <th scope="col">Two runs disagree</th>
            <th scope="col">Now</th>
            <th scope="col">Quarantine</th>
          </tr>
        </thead>
        <tbody>
          {cases.map((one) => (
            <FlakyRow key={JSON.stringify([one.test_id, one.case_id, one.variables])} one={one} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function FlakyRow({ one }: { one: ListedCase }): VNode {
  const { test_id, case_id, variables, kind, passed, runs, flip_rate, passes_now, last_run_id } = one;
  return (
    <tr>
      <th scope="row">
        <a href={link(['case-history'], { test: test_id, case: case_id })}>
          <Line text={`${test_id} › ${case_id}`} limit={160} />
        </a>
        {variables !== null && (
          <span class="note">
            {' '}
            <Line text={valuesText(variables)} limit={160} />
          </span>
        )}
      </th>
      <td>{kind}</td>
      <td>
        {passed} of {runs}
      </td>
      <td>{kind === 'flaky' ? `${String(Math.round(flip_rate * 100))} in 100` : 'flipped once'}</td>
      <td>
        <a href={link(['run', last_run_id])}>{passes_now ? 'passes' : 'fails'}</a>
      </td>
      <td>
        <QuarantineText mark={one.quarantined} />
      </td>
    </tr>
  );
}

function QuarantineText({ mark }: { mark: ListedCase['quarantined'] }): VNode {
  if (mark === undefined) return <span class="note">no</span>;
  const { reason, until, owner, expired } = mark;
  return (
    <>
      <span class={expired ? 'note' : 'quarantined'}>
        {expired ? 'ended on' : 'until'} {until}
      </span>{' '}
      <span class="note">
        <Line text={owner === undefined ? reason : `${reason} (${owner})`} limit={200} />
      </span>
    </>
  );
}

function valuesText(variables: Record<string, unknown>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${variableText(value)}`)
    .join(', ');
}
