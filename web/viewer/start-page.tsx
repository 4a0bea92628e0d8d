// The page that starts a run: subject, values, number of runs.

import type { VNode } from 'preact';
import { oneLine } from '../../src/text/untrusted.ts';
import { link, setQuery } from '../route.ts';
import { Line } from '../ui/text.tsx';
import { plural } from '../ui/words.ts';
import { about } from './about.ts';
import type { Definitions, ViewedRun } from './answers.ts';
import { address } from './api.ts';
import { earlierValues } from './earlier-values.ts';
import { NoToken } from './no-token.tsx';
import { Page, Waiting } from './page.tsx';
import { shortId } from './run-facts.ts';
import { StartForm } from './start-form.tsx';
import type { Subject } from './subject.ts';
import { findSubject } from './subject.ts';
import { SuiteValues } from './suite-values.tsx';
import { useAnswer } from './use-answer.ts';

/** `from`: the run to start again with its values. */
export function StartPage({ test, suite, from }: { test: string; suite: string; from: string }): VNode {
  const asked = useAnswer<Definitions>(address(['definitions']));
  return (
    <Page title="Start a run" id="start">
      {about.value?.can_write === false && (
        <p class="banner warn">
          <NoToken />
        </p>
      )}
      {asked.value === undefined ? (
        <Waiting {...asked} />
      ) : (
        <Start definitions={asked.value} test={test} suite={suite} from={from} reload={asked.reload} />
      )}
    </Page>
  );
}

type Props = { definitions: Definitions; test: string; suite: string; from: string; reload(): void };

function Start({ definitions, test, suite, from, reload }: Props): VNode {
  const { tests, suites, problems } = definitions;
  if (tests.length + suites.length === 0)
    return (
      <>
        <DefinitionProblems problems={problems} />
        <p class="card">
          There are no definitions of tests or suites to start. They are files like{' '}
          <code>tests/greeting.test.json</code>; <code>assay validate</code> checks them.
        </p>
      </>
    );
  const subject = findSubject(definitions, { test, suite });
  const chosen = suite === '' ? `test:${test}` : `suite:${suite}`;
  return (
    <>
      <DefinitionProblems problems={problems} />
      <Choice definitions={definitions} chosen={subject === undefined ? '' : chosen} />
      {subject === undefined && test + suite !== '' && (
        <p class="banner warn" role="status">
          There is no {suite === '' ? 'test' : 'suite'} <Line text={suite === '' ? test : suite} limit={80} />{' '}
          any more.
        </p>
      )}
      {subject !== undefined && from === '' && <StartForm key={chosen} subject={subject} />}
      {subject !== undefined && from !== '' && (
        <Again key={`${chosen} ${from}`} subject={subject} from={from} />
      )}
      {subject?.suite !== undefined && (
        <SuiteValues key={`values of ${chosen}`} subject={subject} suite={subject.suite} reload={reload} />
      )}
    </>
  );
}

/** The form with the values of an earlier run; without values if that run no longer exists. */
function Again({ subject, from }: { subject: Subject; from: string }): VNode {
  const asked = useAnswer<{ run: ViewedRun }>(address(['runs', from]));
  if (asked.value !== undefined)
    return (
      <>
        <p class="note">
          With the values of the run{' '}
          <a href={link(['run', from])}>
            <code>{shortId(from)}</code>
          </a>
          .
        </p>
        <StartForm subject={subject} earlier={earlierValues(asked.value.run)} />
      </>
    );
  if (asked.refusal === undefined) return <Waiting {...asked} />;
  return (
    <>
      <p class="banner warn" role="status">
        The run whose values were to be used cannot be read: <Line text={asked.refusal.message} />
      </p>
      <StartForm subject={subject} />
    </>
  );
}

function Choice({
  definitions: { tests, suites },
  chosen,
}: {
  definitions: Definitions;
  chosen: string;
}): VNode {
  const choose = (value: string): void => {
    const at = value.indexOf(':');
    const [kind, id] = [value.slice(0, at), value.slice(at + 1)];
    setQuery({
      suite: kind === 'suite' ? id : undefined,
      test: kind === 'test' ? id : undefined,
      from: undefined,
    });
  };
  const options = (kind: string, all: readonly { id: string; name: string }[]): VNode[] =>
    all.map(({ id, name }) => (
      <option key={id} value={`${kind}:${id}`}>
        {oneLine(name === id ? id : `${name} (${id})`, 100)}
      </option>
    ));
  return (
    <p class="field">
      <label for="what">What to run</label>
      <select id="what" value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">choose a suite or a test</option>
        {suites.length > 0 && <optgroup label="Suites">{options('suite', suites)}</optgroup>}
        {tests.length > 0 && <optgroup label="Tests">{options('test', tests)}</optgroup>}
      </select>
    </p>
  );
}

function DefinitionProblems({ problems }: Pick<Definitions, 'problems'>): VNode | null {
  if (problems.length === 0) return null;
  return (
    <details class="banner warn">
      <summary>
        {plural(problems.length, 'problem')} in definitions: what they are about may be missing here
      </summary>
      <ul>
        {problems.map(({ at, message, hint }) => (
          <li key={`${at ?? ''}${message}`}>
            <Line text={[at, message].filter((part) => part !== undefined).join(': ')} />
            {hint !== undefined && (
              <>
                {' – '}
                <Line text={hint} />
              </>
            )}
          </li>
        ))}
      </ul>
      <p>
        <a href={link(['tests'])}>All tests</a>
      </p>
    </details>
  );
}
