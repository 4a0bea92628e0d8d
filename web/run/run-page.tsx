// One run: overview, results, charts and facts, each with an address.

import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { titleOf } from '../../src/report/run-words.ts';
import { figuresOf } from '../data/figures.ts';
import type { RunData } from '../data/run-data.ts';
import { link, route } from '../route.ts';
import { Line } from '../ui/text.tsx';
import { when } from '../ui/words.ts';
import { CasePage } from './case-page.tsx';
import { Charts } from './charts.tsx';
import { ExportMenu } from './export-menu.tsx';
import { Facts } from './facts.tsx';
import { Overview } from './overview.tsx';
import { Results } from './results.tsx';
import type { RunContextValue } from './run-context.ts';
import { namerOf, RunContext } from './run-context.ts';

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
    return { data, start, version, base, isLive, figures: figuresOf(data), nameOf: namerOf(start) };
  }, [data, start, version, base.join('/'), isLive]);
  if (context === undefined || start === undefined) return <p class="page">This run has no beginning.</p>;
  const section = route.value.path[base.length] ?? 'overview';
  return (
    <RunContext.Provider value={context}>
      <header class="run-head page">
        <div>
          <h1>
            <Line text={start.suite === undefined ? titleOf(start) : `Suite: ${start.suite}`} limit={160} />
          </h1>
          <p class="note">
            {when(start.timestamp)} · run <code>{start.run_id}</code>
          </p>
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
            aria-current={id === section || (id === 'results' && section === 'case') ? 'page' : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      <main class="page" id="main">
        {sectionOf(section, context)}
      </main>
    </RunContext.Provider>
  );
}

function sectionOf(section: string, { data, base }: RunContextValue): VNode {
  switch (section) {
    case 'results':
      return <Results />;
    case 'charts':
      return <Charts />;
    case 'facts':
      return <Facts />;
    case 'case': {
      const one = data.cases[Number(route.value.path[base.length + 1])];
      return one === undefined ? (
        <p>There is no such case in this run.</p>
      ) : (
        <CasePage one={one} key={one.number} />
      );
    }
    default:
      return <Overview />;
  }
}
