// A list of runs, newest first, with result, confidence interval and origin; two of them can be selected.

import type { VNode } from 'preact';
import { link } from '../route.ts';
import { Line } from '../ui/text.tsx';
import { count, duration, percent, range } from '../ui/words.ts';
import type { ListedRun } from './answers.ts';
import { PREVIOUS } from './previous-run.ts';
import {
  commitText,
  countsText,
  plannedResults,
  rateInterval,
  runName,
  shortId,
  runVerdict,
} from './run-facts.ts';
import { exactTime } from './times.ts';
import { VerdictMark } from './verdict-mark.tsx';

/** The selected runs, in lists that allow a selection. */
type Choice = { chosen?: readonly string[]; choose?(id: string, isChosen: boolean): void };

export function RunList({ runs, ...choice }: { runs: readonly ListedRun[] } & Choice): VNode {
  return (
    <ul class="runs" aria-label="Runs">
      {runs.map((run) => (
        <Row key={run.run_id} run={run} {...choice} />
      ))}
    </ul>
  );
}

function Row({ run, chosen = [], choose }: { run: ListedRun } & Choice): VNode {
  const { run_id, suite, agent_id, git, started_at, summary, is_live } = run;
  const isChosen = chosen.includes(run_id);
  const name = runName(run);
  const what = `${name}, ${exactTime(started_at)}`;
  const commit = commitText(git);
  return (
    <li class={`run-row${is_live ? ' live' : ''}`}>
      {choose !== undefined && (
        <input
          type="checkbox"
          aria-label={`Choose ${what} to compare`}
          checked={isChosen}
          disabled={!isChosen && chosen.length === 2}
          onChange={(event) => choose(run_id, event.currentTarget.checked)}
        />
      )}
      <VerdictMark verdict={runVerdict(run)} />
      <div class="run-what">
        <a href={link(['run', run_id])}>
          <Line text={name} limit={120} />
        </a>
        {run.note !== null && (
          <p class="prose">
            <Line text={run.note} limit={160} />
          </p>
        )}
        <p class="note prose">
          {suite !== null && 'suite · '}
          <Line text={agent_id} limit={60} /> · <time dateTime={started_at}>{exactTime(started_at)}</time> ·{' '}
          <code title={run_id}>{shortId(run_id)}</code>
          {commit !== undefined && (
            <>
              {' · '}
              <code title={git?.dirty === true ? `${git.commit}, with changes` : git?.commit}>{commit}</code>
            </>
          )}
          {run.may_have_previous && !is_live && (
            <>
              {' · '}
              <a
                href={link(['compare', PREVIOUS, run_id])}
                aria-label={`compare with the one before: ${what}`}
              >
                compare with the one before
              </a>
            </>
          )}
        </p>
      </div>
      {summary === null ? <Progress run={run} /> : <Figures summary={summary} />}
    </li>
  );
}

function Figures({ summary }: { summary: NonNullable<ListedRun['summary']> }): VNode {
  const interval = rateInterval(summary);
  return (
    <div class="run-figures">
      <p>
        <b>{percent(summary.overall_pass_rate)}</b>{' '}
        {interval !== undefined && (
          <span class="note" title="95 % confidence interval">
            {range(interval)}
          </span>
        )}
      </p>
      <p class="note">
        {countsText(summary)} · {duration(summary.duration_ms)}
      </p>
    </div>
  );
}

function Progress({ run }: { run: ListedRun }): VNode {
  const results = run.progress?.results ?? 0;
  const planned = plannedResults(run);
  // Some tests may run their cases less often than others.
  const text = `${count(results)} of up to ${count(planned)} results`;
  return (
    <div class="run-figures">
      {run.is_live && <progress value={results} max={Math.max(1, planned)} aria-label={text} />}
      <p class="note">{text}</p>
    </div>
  );
}
