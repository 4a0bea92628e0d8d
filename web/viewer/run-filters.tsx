// Filters for the list of runs, kept in the address.

import type { VNode } from 'preact';
import { setQuery } from '../route.ts';
import type { RecentTest } from '../../src/history/store/store.ts';
import type { ListedRun } from './answers.ts';
import { QuerySelect } from '../ui/query-select.tsx';
import { address } from './api.ts';
import { useAnswer } from './use-answer.ts';

type Filter = { suite: string | undefined; test: string | undefined; agent: string | undefined };

export function RunFilters({ runs, filter }: { runs: readonly ListedRun[]; filter: Filter }): VNode {
  const tests = useAnswer<{ tests: RecentTest[] }>(address(['tests'])).value?.tests ?? [];
  const suites = runs.flatMap(({ suite }) => (suite === null ? [] : [suite.id]));
  const isNarrowed = Object.values(filter).some((value) => value !== undefined);
  return (
    <form class="filters" aria-label="Filter" onSubmit={(event) => event.preventDefault()}>
      <QuerySelect name="suite" label="Suite" values={distinct(suites)} chosen={filter.suite} />
      <QuerySelect
        name="test"
        label="Test"
        values={distinct(tests.map(({ test_id }) => test_id))}
        chosen={filter.test}
      />
      <QuerySelect
        name="agent"
        label="Agent"
        values={distinct(runs.map(({ agent_id }) => agent_id))}
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

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].sort();
}
