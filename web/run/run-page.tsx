// One run: overview, results, charts and facts, each with its own address.

import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { runTitle } from '../../src/report/text/run-words.ts';
import { canonicalJson } from '../../src/stats/canonical.ts';
import { computeFigures } from '../data/figures.ts';
import type { Case, RunData } from '../data/run-data.ts';
import { link, route } from '../route.ts';
import { Guarded } from '../ui/guarded.tsx';
import { Line } from '../ui/text.tsx';
import { when } from '../ui/words.ts';
import { CasePage } from './case-page.tsx';
import { Charts } from './charts.tsx';
import { ExportMenu } from './export-menu.tsx';
import { Facts } from './facts.tsx';
import { Overview } from './overview.tsx';
import { Results } from './results.tsx';
import type { RunContextValue } from './run-context.ts';
import { createNamer, RunContext } from './run-context.ts';

type Props = { data: RunData; version: number; base: string[]; isLive?: boolean; actions?: VNode };

const TABS = [
  { id: 'overview', label: 'Overview' },
  { id: 'results', label: 'Results' },
  { id: 'charts', label: 'Charts' },
  { id: 'facts', label: 'About this run' },
] as const;

export function RunPage({ data, version, base, isLive = false, actions }: Props): VNode {
  const { start } = data;
  const context = useMemo<RunContextValue | undefined>(() => {
    if (start === undefined) return undefined;
    return {
      data,
      start,
      version,
      base,
      isLive,
      figures: computeFigures(data),
      nameOf: createNamer(start),
      shortNameOf: createNamer({ inputs: start.inputs }),
    };
  }, [data, start, version, base.join('/'), isLive]);
  if (context === undefined || start === undefined) return <p class="page">This run has no beginning.</p>;
  const section = route.value.path[base.length] ?? 'overview';
  return (
    <RunContext.Provider value={context}>
      <header class="run-head page">
        <div>
          <h1>
            <Line text={start.suite === undefined ? runTitle(start) : `Suite: ${start.suite}`} limit={160} />
          </h1>
          <p class="note">
            {when(start.timestamp)} · run <code>{start.run_id}</code>
          </p>
          {start.note !== undefined && (
            <p class="prose">
              <Line text={start.note} limit={500} />
            </p>
          )}
        </div>
        <div class="actions">
          {actions}
          <ExportMenu />
        </div>
      </header>
      <nav class="tabs page" aria-label="Parts of the report">
        {TABS.map(({ id, label }) => (
          <a
            key={id}
            href={link(id === 'overview' ? base : [...base, id])}
            aria-current={
              id === section || (id === 'results' && section.startsWith('case')) ? 'page' : undefined
            }
          >
            {label}
          </a>
        ))}
      </nav>
      <main class="page" id="main">
        <Guarded key={section}>{renderSection(section, context)}</Guarded>
      </main>
    </RunContext.Provider>
  );
}

function renderSection(section: string, { data, base }: RunContextValue): VNode {
  switch (section) {
    case 'results':
      return <Results />;
    case 'charts':
      return <Charts />;
    case 'facts':
      return <Facts />;
    case 'case':
      return <FoundCase one={data.cases[Number(route.value.path[base.length + 1])]} />;
    case 'case-of':
      return <FoundCase one={findCase(data, route.value.query)} />;
    case 'overview':
      return <Overview />;
    default:
      return <p>There is nothing here.</p>;
  }
}

function FoundCase({ one }: { one: Case | undefined }): VNode {
  if (one === undefined) return <p>There is no such case in this run.</p>;
  return <CasePage one={one} key={one.number} />;
}

/** Finds a case by name, for links from lists that do not know its number. */
function findCase({ cases }: RunData, query: URLSearchParams): Case | undefined {
  const [test, id, variables] = [query.get('test'), query.get('id'), query.get('v')];
  const found = cases.filter(({ attempts: [{ light }] }) => light.test_id === test && light.id === id);
  const same = found.find(
    ({ attempts: [{ light }] }) =>
      canonicalJson(light.variables ?? null) === canonicalJson(parsed(variables)),
  );
  return same ?? (found.length === 1 ? found[0] : undefined);
}

function parsed(json: string | null): unknown {
  try {
    return JSON.parse(json ?? 'null') as unknown;
  } catch {
    return null;
  }
}
