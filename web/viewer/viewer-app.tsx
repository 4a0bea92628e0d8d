// The viewer: chooses the page for an address.

import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { link, route } from '../route.ts';
import { Frame } from '../ui/frame.tsx';
import { loadAbout } from './about.ts';
import { isConnected } from './api.ts';
import { CaseHistoryPage } from './case-history-page.tsx';
import { ComparePage } from './compare-page.tsx';
import { FlakyPage } from './flaky-page.tsx';
import { LiveRunPage } from './live-run-page.tsx';
import { Page } from './page.tsx';
import { RunsPage } from './runs-page.tsx';
import { StartPage } from './start-page.tsx';
import { SuitePage } from './suite-page.tsx';
import { TestHistoryPage } from './test-history-page.tsx';
import { TestsPage } from './tests-page.tsx';
import { renewals } from './use-answer.ts';

export function ViewerApp(): VNode {
  const renewal = renewals.value;
  useEffect(() => void loadAbout().catch(() => undefined), [renewal]);
  return (
    <Frame nav={<Navigation />}>
      {!isConnected.value && <Gone />}
      {choosePage(route.value.path, route.value.query)}
    </Frame>
  );
}

function choosePage([name = '', one = '', other = '']: readonly string[], query: URLSearchParams): VNode {
  switch (name) {
    case '':
      return <RunsPage />;
    case 'run':
      return one === '' ? <NotFound /> : <LiveRunPage key={one} id={one} />;
    case 'compare':
      return other === '' ? <NotFound /> : <ComparePage before={one} after={other} />;
    case 'tests':
      return <TestsPage />;
    case 'flaky':
      return <FlakyPage />;
    case 'test':
      return <TestHistoryPage test={query.get('test') ?? ''} />;
    case 'case-history':
      return <CaseHistoryPage test={query.get('test') ?? ''} id={query.get('case') ?? ''} />;
    case 'start':
      return (
        <StartPage
          test={query.get('test') ?? ''}
          suite={query.get('suite') ?? ''}
          from={query.get('from') ?? ''}
        />
      );
    case 'suite':
      return one === '' ? <NotFound /> : <SuitePage key={one} id={one} />;
    default:
      return <NotFound />;
  }
}

const PLACES = [
  { label: 'Runs', path: [], names: ['', 'run', 'compare'] },
  { label: 'Tests', path: ['tests'], names: ['tests', 'test', 'case-history', 'suite'] },
  { label: 'Flaky', path: ['flaky'], names: ['flaky'] },
  { label: 'Start a run', path: ['start'], names: ['start'] },
];

function Navigation(): VNode {
  const [name = ''] = route.value.path;
  return (
    <nav class="places" aria-label="Viewer">
      {PLACES.map(({ label, path, names }) => (
        <a key={label} href={link(path)} aria-current={names.includes(name) ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}

/** Shown when the server is not reachable: the page may be out of date. */
function Gone(): VNode {
  const retry = (): void =>
    void loadAbout().then(
      () => (renewals.value += 1),
      () => undefined,
    );
  return (
    <div class="page">
      <div class="banner bad gone" role="alert">
        <p>
          The viewer has stopped; start it again with: <code>assay view</code>
        </p>
        <button type="button" onClick={retry}>
          Try again
        </button>
      </div>
    </div>
  );
}

function NotFound(): VNode {
  return (
    <Page title="There is no such page" id={`not found ${route.value.path.join('/')}`}>
      <p class="prose">
        Perhaps the address is incomplete. <a href={link([])}>All runs</a> are a good place to begin.
      </p>
    </Page>
  );
}
