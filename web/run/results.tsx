// All cases with search, filters and sorting, which are kept in the address.

import type { VNode } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { caseNoun } from '../../src/report/text/run-words.ts';
import { variableText } from '../../src/report/text/variable-text.ts';
import type { Filter } from '../data/filter.ts';
import { filtered, readFilter } from '../data/filter.ts';
import type { Case } from '../data/run-data.ts';
import { route, setQuery } from '../route.ts';
import { QuerySelect } from '../ui/query-select.tsx';
import { STATUSES, statusWord } from '../ui/status.tsx';
import { Menu } from '../ui/menu.tsx';
import { Line } from '../ui/text.tsx';
import { count, plural } from '../ui/words.ts';
import { allColumns, chooseColumns } from './columns.tsx';
import { useReturn } from './last-listed.ts';
import { ResultTable } from './result-table.tsx';
import { useRun } from './run-context.ts';

export function Results(): VNode {
  const { data, version, nameOf, start } = useRun();
  const { query } = route.value;
  const key = query.toString();
  const filter = useMemo(() => readFilter(query), [key]);
  const { found, counts } = useMemo(
    () => filtered(data.listed, filter, nameOf),
    [data, version, filter, nameOf],
  );
  const choices = useMemo(() => choicesIn(data.cases), [data, version]);
  useReturn(found, key);
  return (
    <>
      <h2 class="off-screen">Results</h2>
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <SearchField words={query.get('q') ?? ''} />
        <div class="chips" role="group" aria-label="Status">
          {STATUSES.map((status) => (
            <button
              key={status}
              type="button"
              class={`chip ${status}`}
              aria-pressed={filter.statuses.has(status)}
              onClick={() => setQuery({ status: toggled(filter.statuses, status) })}
            >
              {statusWord(status)} <span class="note">{count(counts[status])}</span>
            </button>
          ))}
        </div>
        <QuerySelect least={2} name="tag" label="Tag" values={choices.tags} chosen={filter.tag} />
        <QuerySelect least={2} name="test" label="Test" values={choices.tests} chosen={filter.test} />
        {choices.variables.map(([name, values]) => (
          <QuerySelect
            least={2}
            key={name}
            name={`var.${name}`}
            label={name}
            values={values}
            chosen={filter.variables.find(([one]) => one === name)?.[1]}
          />
        ))}
        <ColumnMenu />
        {isNarrowed(filter) && (
          <button type="button" class="quiet" onClick={() => setQuery(NOTHING(query))}>
            Clear
          </button>
        )}
      </form>
      <p class="note" role="status" aria-live="polite">
        {found.length === data.cases.length
          ? plural(found.length, caseNoun(start))
          : `${count(found.length)} of ${plural(data.cases.length, caseNoun(start))}`}
        {filter.cause !== undefined && ' with the same cause'}
      </p>
      <ResultTable cases={found} filter={filter} columns={chooseColumns(query.get('columns'), data)} />
    </>
  );
}

function SearchField({ words }: { words: string }): VNode {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof Element && event.target.matches('input, select, textarea');
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);
  return (
    <label class="search">
      <span class="off-screen">Search</span>
      <input
        ref={field}
        type="search"
        placeholder="Search names, inputs, errors, tags …  ( / )"
        value={words}
        onInput={(event) => setQuery({ q: event.currentTarget.value })}
      />
    </label>
  );
}

function ColumnMenu(): VNode {
  const { data } = useRun();
  const columns = allColumns(data);
  const shown = chooseColumns(route.value.query.get('columns'), data);
  const change = (id: string, isOn: boolean): void => {
    const ids = columns
      .filter((column) => (column.id === id ? isOn : shown.includes(column)))
      .map(({ id }) => id);
    setQuery({ columns: ids.join(',') || 'none' });
  };
  return (
    <Menu label="Columns">
      {() =>
        columns.map((column) => (
          <label key={column.id}>
            <input
              type="checkbox"
              checked={shown.includes(column)}
              onChange={(event) => change(column.id, event.currentTarget.checked)}
            />{' '}
            <Line text={column.label} limit={40} />
          </label>
        ))
      }
    </Menu>
  );
}

function toggled(statuses: ReadonlySet<string>, status: string): string {
  const next = new Set(statuses);
  if (!next.delete(status)) next.add(status);
  return [...next].join(',');
}

function isNarrowed({ words, statuses, tag, test, cause, variables }: Filter): boolean {
  return words.length + statuses.size + variables.length > 0 || (tag ?? test ?? cause) !== undefined;
}

/** Clears all filters. */
function NOTHING(query: URLSearchParams): Record<string, undefined> {
  const names = [...query.keys()].filter((name) => !['columns', 'sort'].includes(name));
  return Object.fromEntries(names.map((name) => [name, undefined]));
}

/** Maximum number of values in a select box. */
const MOST = 200;

function choicesIn(cases: readonly Case[]): {
  tags: string[];
  tests: string[];
  variables: [string, string[]][];
} {
  const tags = new Set<string>();
  const tests = new Set<string>();
  const variables = new Map<string, Set<string>>();
  for (const { attempts } of cases) {
    const [{ light }] = attempts;
    tests.add(light.test_id);
    for (const tag of light.tags ?? []) tags.add(tag);
    for (const [name, value] of Object.entries(light.variables ?? {})) {
      const values = variables.get(name) ?? new Set();
      variables.set(name, values);
      if (values.size < MOST) values.add(variableText(value));
    }
  }
  return {
    tags: [...tags].sort().slice(0, MOST),
    tests: [...tests].sort().slice(0, MOST),
    variables: [...variables]
      .filter(([, values]) => values.size > 1)
      .map(([name, values]) => [name, [...values]]),
  };
}
