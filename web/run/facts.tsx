// The facts of a run: settings, variables, code, machine.

import type { VNode } from 'preact';
import { isolationText } from '../../src/report/text/isolation-text.ts';
import { chosenText, gradedText, runsText, tapesText } from '../../src/report/text/run-words.ts';
import { spendingText } from '../../src/report/text/spending-text.ts';
import { runVariables, testVariables } from '../../src/report/text/variable-text.ts';
import { DataTable } from '../ui/figure.tsx';
import { Line } from '../ui/text.tsx';
import { duration, when } from '../ui/words.ts';
import { useRun } from './run-context.ts';
import { inputKind } from '../../src/model/subject.ts';
import { reportKind } from '../../src/report/kinds/registry.ts';

type Run = ReturnType<typeof useRun>;

function listFacts({ start, data }: Run): [name: string, fact: string | undefined][] {
  const { environment, origin } = start;
  const git = data.git ?? origin?.git;
  const { summary } = data;
  return [
    ['Run', start.run_id],
    ['Note', start.note],
    ['Agent', start.agent_id],
    ['Suite', start.suite],
    ['Connector', start.connector],
    ['Runs of a case', runsText(start)],
    ['Only', chosenText(start)],
    ['Graded', gradedText(start)],
    ['Traffic', tapesText(start)],
    ['Isolation', isolationText(start)],
    ['Started', when(start.timestamp)],
    ['Took', summary === undefined ? undefined : duration(summary.duration_ms)],
    ['Exit code', summary === undefined ? undefined : String(summary.exit_code)],
    ['Models', summary === undefined ? undefined : spendingText(summary)],
    ['User', environment.user_id],
    ['Team', environment.team_id],
    ['Locale', environment.locale],
    ['Commit', git === undefined ? undefined : `${git.commit}${git.dirty === true ? ', with changes' : ''}`],
    ['Machine', origin?.machine],
    ['System', origin?.os],
    ['CI', origin?.ci],
    ['Node', origin?.node],
    ['Folder', start.cwd],
    ['Assay', start.version],
  ];
}

export function Facts(): VNode {
  const run = useRun();
  const { start } = run;
  const ofRun = runVariables(start);
  const ofTests = testVariables(start);
  return (
    <>
      <h2>About this run</h2>
      <dl class="facts">
        {listFacts(run).map(([name, fact]) =>
          fact === undefined ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <Line text={fact} />
              </dd>
            </div>
          ),
        )}
      </dl>
      {ofRun.length > 0 && (
        <section>
          <h2>Variables of the run</h2>
          <DataTable
            head={['variable', 'value', 'set by']}
            rows={ofRun.map(({ name, value, source }) => [name, value, source])}
            label="Variables of the run"
          />
        </section>
      )}
      {ofTests.length > 0 && (
        <section>
          <h2>Variables of tests</h2>
          <DataTable
            head={['test', 'variable', 'value', 'set by']}
            rows={ofTests.map(({ test, name, value, source }) => [test, name, value, source])}
            label="Variables of tests"
          />
        </section>
      )}
      <section>
        <h2>Inputs</h2>
        <DataTable
          head={['input', 'type', 'agent']}
          rows={start.inputs.slice(0, 500).map((input) => [inputName(input), input.type, input.agent_id])}
          label="Inputs"
        />
      </section>
    </>
  );
}

function inputName(input: Run['start']['inputs'][number]): string {
  if (input.test_id !== undefined) return input.test_id;
  return reportKind(inputKind(input)).inputTitle(input);
}
