// Which runs are listed; the address remembers it.

import type { VNode } from 'preact';
import { oneLine } from '../../src/report/untrusted.ts';
import { setQuery } from '../route.ts';
import type { RecentTest } from '../../src/store/store.ts';
import type { ListedRun } from './answers.ts';
import { address } from './api.ts';
import { useAnswer } from './use-answer.ts';

type Filter = { suite: string | undefined; test: string | undefined; agent: string | undefined };

export function RunFilters({ runs, filter }: { runs: readonly ListedRun[]; filter: Filter }): VNode {
  const tests = useAnswer<{ tests: RecentTest[] }>(address(['tests'])).value?.tests ?? [];
  const suites = runs.flatMap(({ suite }) => (suite === null ? [] : [suite.id]));
  const isNarrowed = Object.values(filter).some((value) => value !== undefined);
  return (
    <form class="filters" aria-label="Filter" onSubmit={(event) => event.preventDefault()}>
      <Choose name="suite" label="Suite" values={suites} chosen={filter.suite} />
      <Choose name="test" label="Test" values={tests.map(({ test_id }) => test_id)} chosen={filter.test} />
      <Choose
        name="agent"
        label="Agent"
        values={runs.map(({ agent_id }) => agent_id)}
        chosen={filter.agent}
      />
      {isNarrowed && (
        <button
          type="button"
          class="quiet"
          onClick={() => setQuery({ suite: undefined, test: undefined, agent: undefined })}
        >
          Clear
        </button>
      )}
    </form>
  );
}

function Choose({
  name,
  label,
  values,
  chosen,
}: {
  name: string;
  label: string;
  values: readonly string[];
  chosen: string | undefined;
}): VNode | null {
  const all = [...new Set([...values, ...(chosen === undefined ? [] : [chosen])])].sort();
  if (all.length === 0) return null;
  return (
    <label class="select">
      {label}{' '}
      <select value={chosen ?? ''} onChange={(event) => setQuery({ [name]: event.currentTarget.value })}>
        <option value="">all</option>
        {all.map((value) => (
          <option key={value} value={value}>
            {oneLine(value, 80)}
          </option>
        ))}
      </select>
    </label>
  );
}
