// Every suite that was run, with its latest results.

import type { VNode } from 'preact';
import { link } from '../route.ts';
import { Line } from '../ui/text.tsx';
import { percent, when } from '../ui/words.ts';
import type { ListedRun } from './answers.ts';
import { runVerdict } from './run-facts.ts';
import { Sparkline } from './sparkline.tsx';
import { VerdictMark } from './verdict-mark.tsx';

const RECENT = 12;

/** `runs`: newest first. */
export function SuiteList({ runs }: { runs: readonly ListedRun[] }): VNode | null {
  const suites = new Map<string, ListedRun[]>();
  for (const run of runs) {
    if (run.suite === null) continue;
    suites.set(run.suite.id, [...(suites.get(run.suite.id) ?? []), run]);
  }
  if (suites.size === 0) return null;
  return (
    <section>
      <h2>Suites</h2>
      <ul class="suites">
        {[...suites].map(([id, ofSuite]) => (
          <SuiteCard key={id} id={id} runs={ofSuite} />
        ))}
      </ul>
    </section>
  );
}

function SuiteCard({ id, runs }: { id: string; runs: readonly ListedRun[] }): VNode {
  const [latest] = runs;
  const rates = runs.slice(0, RECENT).map(({ summary }) => summary?.overall_pass_rate ?? null);
  const name = latest?.suite?.name ?? id;
  return (
    <li class="card">
      <h3>
        <a href={link(['suite', id])}>
          <Line text={name} limit={100} />
        </a>
      </h3>
      {latest !== undefined && (
        <p>
          <a
            href={link(['run', latest.run_id])}
            aria-label={`Latest run of ${name}: ${runVerdict(latest).word}`}
          >
            <VerdictMark verdict={runVerdict(latest)} />
          </a>{' '}
          {percent(latest.summary?.overall_pass_rate)} <Sparkline rates={[...rates].reverse()} />
        </p>
      )}
      <p class="note prose">
        {latest !== undefined && when(latest.started_at)} · <a href={link([], { suite: id })}>its runs</a> ·{' '}
        <a href={link(['start'], { suite: id })}>start</a>
      </p>
    </li>
  );
}
