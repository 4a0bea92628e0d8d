// The comparison of two runs: regressions first.

import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { isSameSubject } from '../../src/history/store/run-subject.ts';
import type { CaseVerdict, Change, ComparedCase, Comparison } from '../../src/model/comparison.ts';
import { scoreSentences } from '../../src/compare/score-words.ts';
import { closingSentences, moreRunsSentence, verdictSentence } from '../../src/compare/words.ts';
import type { StoredRun } from '../../src/history/store/store.ts';
import { link } from '../route.ts';
import { Line } from '../ui/text.tsx';
import { count, duration, percent, plural } from '../ui/words.ts';
import { address } from './api.ts';
import { ChangedCases } from './changed-cases.tsx';
import { Page, Waiting } from './page.tsx';
import type { PreviousRun } from './previous-run.ts';
import { PREVIOUS, previousAddress } from './previous-run.ts';
import { commitText, countsText, runName, shortId, runVerdict } from './run-facts.ts';
import { exactTime } from './times.ts';
import { useAnswer } from './use-answer.ts';
import { VerdictMark } from './verdict-mark.tsx';

export function ComparePage({ before, after }: { before: string; after: string }): VNode {
  if (before === PREVIOUS) return <FindPrevious key={after} after={after} />;
  return <Compared before={before} after={after} />;
}

function Compared({ before, after }: { before: string; after: string }): VNode {
  const asked = useAnswer<ComparedRuns>(address(['compare'], { before, after }));
  return (
    <Page
      title="Compare two runs"
      id={`compare ${before} ${after}`}
      actions={
        <a class="button" href={link(['compare', after, before])}>
          Swap
        </a>
      }
    >
      {asked.value === undefined ? <Waiting {...asked} /> : <Differences of={asked.value} />}
    </Page>
  );
}

/** The answer of the server: a comparison with the two runs. */
type ComparedRuns = Comparison & { before: StoredRun; after: StoredRun };

/** The most important first. Cases with a verdict are grouped by it, others by the plain fact. */
const GROUPS: { id: CaseVerdict | Change; title: string; tile: string }[] = [
  { id: 'regressed', title: 'Regressed', tile: 'regressed' },
  { id: 'suspect', title: 'Suspects: they fell, but noise does this too', tile: 'suspected' },
  { id: 'unproven', title: 'Lower, not proven', tile: 'lower, not proven' },
  { id: 'improved', title: 'Higher', tile: 'higher' },
  { id: 'changed', title: 'Changed: input, expected value or assertions differ', tile: 'changed' },
  { id: 'new', title: 'New', tile: 'new' },
  { id: 'removed', title: 'Removed', tile: 'removed' },
  { id: 'unmeasured', title: 'Not measured in one of them', tile: 'not measured in one of them' },
];

const VERDICTS = new Set<string>(['improved', 'regressed', 'suspect', 'unproven']);

function Differences({ of: comparison }: { of: ComparedRuns }): VNode {
  const { before, after, counts, cases } = comparison;
  const groups = GROUPS.map(({ id, title, tile }) => ({
    id,
    title,
    tile,
    cases: cases.filter((one) => (one.verdict ?? one.change) === id),
    total: totalOf(id, comparison),
  }));
  const changed = groups.reduce((sum, { total }) => sum + total, 0);
  return (
    <>
      <Verdict of={comparison} />
      <div class="two">
        <Head run={before} label="Before" />
        <Head run={after} label="After" />
      </div>
      {!isSameSubject(before, after) && (
        <p class="banner warn">
          These are runs of different things: cases are paired by test, case and variables.
        </p>
      )}
      <Tiles groups={groups} unchanged={counts.unchanged} />
      {hasOtherVariables(cases) && (
        <p class="note">
          Cases that ran with other variables than before are other cases: they are both new and removed.
        </p>
      )}
      {changed === 0 && <p class="card">{sameText(before, after, counts.unchanged)}</p>}
      {groups.map(({ id, title, cases: some, total }) =>
        total === 0 ? null : (
          <ChangedCases
            key={id}
            title={title}
            cases={some}
            total={total}
            before={before.run_id}
            after={after.run_id}
          />
        ),
      )}
      {changed > 0 && counts.unchanged > 0 && (
        <p class="note">{plural(counts.unchanged, 'case')} ended the same in both runs.</p>
      )}
    </>
  );
}

type Group = { id: CaseVerdict | Change; tile: string; total: number };

function Tiles({ groups, unchanged }: { groups: readonly Group[]; unchanged: number }): VNode {
  return (
    <ul class="tiles" aria-label="Changes">
      {groups
        .filter(({ id, total }) => total > 0 || id === 'regressed')
        .map(({ id, tile, total }) => (
          <li key={id}>
            <span>
              <b class={total === 0 ? '' : TONES[id]}>{count(total)}</b> {tile}
            </span>
          </li>
        ))}
      <li>
        <span>
          <b>{count(unchanged)}</b> unchanged
        </span>
      </li>
    </ul>
  );
}

function totalOf(id: CaseVerdict | Change, { counts, verdicts }: ComparedRuns): number {
  return VERDICTS.has(id) ? verdicts[id as CaseVerdict] : counts[id as Change];
}

/** The verdict in the words of `assay compare`. */
function Verdict({ of: comparison }: { of: ComparedRuns }): VNode {
  const more = moreRunsSentence(comparison);
  const tone = comparison.fails ? 'bad' : comparison.verdict === 'undecided' ? 'warn' : 'good';
  return (
    <section class={`banner ${tone}`} aria-label="Verdict">
      <p>
        <b>{verdictSentence(comparison)}</b>
        {more !== undefined && ` ${more}`}
      </p>
      {scoreSentences(comparison).map((sentence) => (
        <p key={sentence}>
          <Line text={sentence} limit={400} />
        </p>
      ))}
      {closingSentences(comparison).map((sentence) => (
        <p key={sentence} class="note">
          <Line text={sentence} limit={400} />
        </p>
      ))}
    </section>
  );
}

function hasOtherVariables(cases: readonly ComparedCase[]): boolean {
  const key = ({ test_id, case_id }: ComparedCase): string => JSON.stringify([test_id, case_id]);
  const removed = new Set(cases.filter(({ change }) => change === 'removed').map(key));
  return cases.some((one) => one.change === 'new' && removed.has(key(one)));
}

const TONES: Partial<Record<CaseVerdict | Change, string>> = {
  regressed: 'failed',
  suspect: 'error',
  improved: 'passed',
  unmeasured: 'error',
};

function sameText(before: StoredRun, after: StoredRun, unchanged: number): string {
  if (before.run_id === after.run_id) return 'This is the same run twice.';
  if (unchanged === 0) return 'Neither run has a case that could be compared.';
  return `Nothing changed: ${plural(unchanged, 'case')} ended the same in both runs. Durations may still differ.`;
}

function Head({ run, label }: { run: StoredRun; label: string }): VNode {
  const { summary, git } = run;
  const commit = commitText(git);
  return (
    <section class="card" aria-label={label}>
      <h2>
        {label}: <Line text={runName(run)} limit={100} />
      </h2>
      <p>
        <VerdictMark verdict={runVerdict(run)} /> {percent(summary?.overall_pass_rate)}
        {summary !== null && <span class="note"> {countsText(summary)}</span>}
      </p>
      <p class="note">
        {exactTime(run.started_at)} · <code title={run.run_id}>{shortId(run.run_id)}</code> ·{' '}
        <Line text={run.agent_id} limit={60} />
        {summary !== null && ` · ${duration(summary.duration_ms)}`}
        {commit !== undefined && (
          <>
            {' · '}
            <code>{commit}</code>
          </>
        )}
      </p>
      <p>
        <a href={link(['run', run.run_id])}>Open the run</a>
      </p>
    </section>
  );
}

/** Finds the previous run and opens the comparison under an address that can be shared. */
function FindPrevious({ after }: { after: string }): VNode {
  const asked = useAnswer<PreviousRun>(previousAddress(after));
  const previous = asked.value?.run_id;
  useEffect(() => {
    if (typeof previous === 'string') location.replace(link(['compare', previous, after]));
  }, [previous, after]);
  return (
    <Page title="Compare with the run before" id={`compare previous ${after}`}>
      {previous === null ? (
        <p class="card prose">
          There is no earlier run of the same in the history.{' '}
          <a href={link(['run', after])}>Back to the run</a>
        </p>
      ) : (
        <Waiting {...asked} />
      )}
    </Page>
  );
}
