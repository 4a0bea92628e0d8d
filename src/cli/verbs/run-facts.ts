// The facts that `assay show` lists besides the cases of a run: its definitions and its machine.

import type { ResolvedVariables } from '../../model/origin.ts';
import { isolationText } from '../../report/text/isolation-text.ts';
import { gradedText, tapesText } from '../../report/text/run-words.ts';
import { oneLine } from '../../text/untrusted.ts';
import type { StoredRun } from '../../history/store/store.ts';

/** One line a fact that is known. */
export function factsOf(run: StoredRun): string {
  const { suite, tests, git, matrix } = run;
  const facts: [string, string | null][] = [
    ['note', run.note],
    ['suite', suite === null ? null : named(suite)],
    ['tests', tests.length === 0 ? null : tests.map(named).join(', ')],
    ['matrix', matrix === null ? null : JSON.stringify(matrix)],
    ['variables', run.resolved_variables === null ? null : variables(run.resolved_variables)],
    ...run.inputs.map(({ test_id, resolved_variables }): [string, string | null] => [
      `variables of ${test_id ?? 'a test'}`,
      resolved_variables === undefined ? null : variables(resolved_variables),
    ]),
    ['graded', gradedText(run) ?? null],
    ['traffic', tapesText(run) ?? null],
    ['isolation', run.isolation === null ? null : (isolationText({ isolation: run.isolation }) ?? null)],
    ['git', git === null ? null : `${git.commit}${git.dirty === true ? ' with changes' : ''}`],
    ['machine', joined([run.machine, run.os, run.node === null ? null : `Node ${run.node}`])],
    ['ci', run.ci],
  ];
  return facts.flatMap(([name, fact]) => (fact === null ? [] : [`  ${name}: ${oneLine(fact)}\n`])).join('');
}

function named({ id, name }: { id: string; name: string }): string {
  return id === name ? id : `${id} (${name})`;
}

function variables({ values, sources }: ResolvedVariables): string | null {
  const list = Object.entries(values).map(([name, value]) => {
    const source = sources[name];
    const from = typeof source === 'string' ? source : JSON.stringify(source);
    return `${name}=${JSON.stringify(value)}${from === undefined ? '' : ` (${from})`}`;
  });
  return list.length === 0 ? null : list.join(', ');
}

function joined(parts: readonly (string | null)[]): string | null {
  const known = parts.filter((part) => part !== null);
  return known.length === 0 ? null : known.join(', ');
}
