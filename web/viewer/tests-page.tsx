// All tests and suites, with their latest results.

import type { VNode } from 'preact';
import { link } from '../route.ts';
import { Line } from '../ui/text.tsx';
import { count, when } from '../ui/words.ts';
import type { RecentTest } from '../../src/history/store/store.ts';
import type { Definitions } from './answers.ts';
import { address } from './api.ts';
import { Page, Waiting } from './page.tsx';
import { useAnswer } from './use-answer.ts';

export function TestsPage(): VNode {
  const recent = useAnswer<{ tests: RecentTest[] }>(address(['tests']));
  const definitions = useAnswer<Definitions>(address(['definitions']));
  return (
    <Page title="Tests" id="tests">
      {recent.value === undefined ? (
        <Waiting {...recent} />
      ) : (
        <TestTable recent={recent.value.tests} defined={definitions.value?.tests ?? []} />
      )}
      {definitions.value !== undefined && <Suites suites={definitions.value.suites} />}
    </Page>
  );
}

function TestTable({
  recent,
  defined,
}: {
  recent: readonly RecentTest[];
  defined: Definitions['tests'];
}): VNode {
  const waiting = defined.filter(({ id }) => !recent.some(({ test_id }) => test_id === id));
  if (recent.length + waiting.length === 0)
    return (
      <p class="card">
        There are no tests yet: <code>assay</code> finds definitions in the folder <code>tests</code>.
      </p>
    );
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Tests">
      <table class="wide">
        <thead>
          <tr>
            <th scope="col">Test</th>
            <th scope="col">Recent runs</th>
            <th scope="col">Last run</th>
            <th scope="col">
              <span class="off-screen">Start</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {recent.map(({ test_id, runs, last_run, last_started_at }) => (
            <tr key={test_id}>
              <th scope="row">
                <TestName id={test_id} defined={defined} href={link(['test'], { test: test_id })} />
              </th>
              <td>
                <a href={link([], { test: test_id })}>{count(runs)}</a>
              </td>
              <td>
                <a href={link(['run', last_run])}>{when(last_started_at)}</a>
              </td>
              <td>{defined.some(({ id }) => id === test_id) && <StartLink id={test_id} />}</td>
            </tr>
          ))}
          {waiting.map(({ id }) => (
            <tr key={id}>
              <th scope="row">
                <TestName id={id} defined={defined} />
              </th>
              <td>0</td>
              <td class="note">not among the recent runs</td>
              <td>
                <StartLink id={id} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The name in the definition, followed by the id. */
function TestName({
  id,
  defined,
  href,
}: {
  id: string;
  defined: Definitions['tests'];
  href?: string;
}): VNode {
  const name = defined.find((test) => test.id === id)?.name ?? id;
  const text = <Line text={name} limit={120} />;
  return (
    <>
      {href === undefined ? text : <a href={href}>{text}</a>}
      {name !== id && (
        <span class="note">
          {' '}
          <Line text={id} limit={120} />
        </span>
      )}
    </>
  );
}

function StartLink({ id }: { id: string }): VNode {
  return (
    <a href={link(['start'], { test: id })} aria-label={`Start ${id}`}>
      start
    </a>
  );
}

function Suites({ suites }: { suites: Definitions['suites'] }): VNode | null {
  if (suites.length === 0) return null;
  return (
    <section>
      <h2>Suites</h2>
      <ul class="short card">
        {suites.map(({ id, name, description, tests }) => (
          <li key={id}>
            <a href={link(['suite', id])}>
              <Line text={name} limit={120} />
            </a>
            {description !== undefined && <Line text={description} limit={200} />}
            <span class="note">
              <Line text={tests.join(', ')} limit={120} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
