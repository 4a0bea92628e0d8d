// The variable values of a case and the source of each.

import type { VNode } from 'preact';
import { readableText } from '../../src/text/untrusted.ts';
import { variableText } from '../../src/report/text/variable-text.ts';
import { DataTable } from '../ui/figure.tsx';
import { useRun } from './run-context.ts';

export function CaseVariables({
  variables,
  testId,
}: {
  variables: Record<string, unknown> | undefined;
  testId: string;
}): VNode | null {
  const { start } = useRun();
  if (variables === undefined || Object.keys(variables).length === 0) return null;
  const sources = findSources(start.inputs, testId, variables);
  const rows = Object.entries(variables).map(([name, value]) => [
    name,
    variableText(value),
    readableText(sources[name] ?? ''),
  ]);
  return (
    <section>
      <h3>Variables</h3>
      <DataTable head={['variable', 'value', 'set by']} rows={rows} label="Variables" />
    </section>
  );
}

type Inputs = ReturnType<typeof useRun>['start']['inputs'];

function findSources(
  inputs: Inputs,
  testId: string,
  variables: Record<string, unknown>,
): Record<string, unknown> {
  const own = inputs.filter(({ test_id }) => test_id === testId);
  const text = JSON.stringify(variables);
  const same = own.find(({ resolved_variables: of }) => JSON.stringify(of?.values) === text) ?? own[0];
  return same?.resolved_variables?.sources ?? {};
}
