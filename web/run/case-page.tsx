// One case: its runs, and the messages, tool calls, verdicts and logs of the selected run.

import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ResultEvent } from '../../src/model/event.ts';
import { stabilityText, triesText } from '../../src/report/text/case-text.ts';
import { markText } from '../../src/report/text/quarantine-text.ts';
import { listFailures, failureHeadline } from '../../src/report/fold/failures.ts';
import { rerunCommand } from '../../src/report/text/rerun.ts';
import { caseScoresText } from '../../src/report/text/score-words.ts';
import { spendingText } from '../../src/report/text/spending-text.ts';
import { caseResult, settledStatus } from '../data/figures.ts';
import type { Attempt, Case } from '../data/run-data.ts';
import { go, link, route } from '../route.ts';
import { StatusMark } from '../ui/status.tsx';
import { Block, CopyButton, Line } from '../ui/text.tsx';
import { duration, percent, plural } from '../ui/words.ts';
import { CaseVariables } from './case-variables.tsx';
import { Conversation } from './conversation.tsx';
import { lastListed } from './last-listed.ts';
import type { RunContextValue } from './run-context.ts';
import { caseLink, resultsLink, useRun } from './run-context.ts';
import { RunStrip } from './run-strip.tsx';
import { Checkpoints, SentMessages, Subtests, ToolCalls, Trace, Verdicts } from './what-happened.tsx';
import { useEvent } from './use-event.ts';

export function CasePage({ one }: { one: Case }): VNode {
  const run = useRun();
  const { attempts, settled } = one;
  const asked = Number(route.value.query.get('run'));
  const status = settledStatus(settled);
  const chosen =
    attempts.find(({ light }) => light.run === asked) ??
    attempts.find(({ light }) => light.status === status) ??
    attempts[0];
  useSteps(one, chosen, run);
  const { light } = chosen;
  const command = rerunCommand(run.start, light);
  return (
    <article class="case">
      <Neighbours one={one} run={run} />
      <h2>
        <StatusMark status={status} /> <Line text={run.nameOf(one)} limit={300} />
      </h2>
      {light.description !== undefined && (
        <p>
          <Line text={light.description} />
        </p>
      )}
      <p class="note">
        <Line text={light.test_id} />
        {light.line !== undefined && light.kind === 'agent-eval' && `, line ${String(light.line)}`}
        {light.tags !== undefined && light.tags.length > 0 && (
          <>
            {' · '}
            <Line text={light.tags.join(', ')} />
          </>
        )}
      </p>
      {light.quarantined !== undefined && (
        <p class="quarantined">
          <Line text={markText(light.quarantined)} limit={300} />
        </p>
      )}
      <CaseScores one={one} />
      {attempts.length > 1 && <RunsCard one={one} chosen={light.run} />}
      <AttemptView key={light.run} attempt={chosen} hasRuns={attempts.length > 1} />
      <CaseVariables variables={light.variables} testId={light.test_id} />
      {command !== undefined && (
        <section>
          <h3>Run it again</h3>
          <p class="command">
            <code>{command}</code> <CopyButton text={command} />
          </p>
        </section>
      )}
    </article>
  );
}

/** The score of each metric; with several runs their mean. */
function CaseScores({ one }: { one: Case }): VNode | null {
  const text = caseScoresText(caseResult(one)?.scores);
  if (text === undefined) return null;
  return (
    <p class="scores">
      Scores{one.attempts.length > 1 && ' (mean of its runs)'}: <Line text={text} limit={400} />
    </p>
  );
}

function RunsCard({ one, chosen }: { one: Case; chosen: number }): VNode {
  const result = caseResult(one);
  const hasAnswers = one.attempts.some(({ light }) => light.output !== undefined);
  return (
    <section class="card" aria-label="Runs">
      <RunStrip one={one} chosen={chosen} />
      {result !== undefined && (
        <p class="note">
          {result.passed} of {result.runs} runs passed ({percent(result.pass_rate)}), {stabilityText(result)}
          {result.undecided === true && ', undecided'}, {duration(result.min_duration_ms)} to{' '}
          {duration(result.max_duration_ms)}
          {result.consistency !== null &&
            hasAnswers &&
            `, ${percent(result.consistency * 100)} gave the same answer`}
        </p>
      )}
    </section>
  );
}

function AttemptView({ attempt, hasRuns }: { attempt: Attempt; hasRuns: boolean }): VNode {
  const { data } = useRun();
  const event = useEvent(data, attempt);
  const { light } = attempt;
  return (
    <section aria-label={hasRuns ? `Run ${String(light.run)}` : 'Result'} class={`attempt ${light.status}`}>
      {hasRuns && (
        <h3>
          Run {light.run} <StatusMark status={light.status} />
        </h3>
      )}
      <p class="note">{attemptFacts(attempt)}</p>
      {event === undefined ? <p class="note">Reading …</p> : <Details event={event} />}
    </section>
  );
}

function Details({ event }: { event: ResultEvent }): VNode {
  const failures = listFailures(event, event.kind);
  const { logs = [], stack, expected, after_error } = event;
  return (
    <>
      {event.status === 'skipped' && (
        <p>
          <Line text={event.skip_message ?? event.reason ?? 'skipped'} />
        </p>
      )}
      {failures.length > 0 && (
        <section class="reasons" aria-label="Why it did not pass">
          {failures.map((failure, at) => (
            <p key={at}>
              <Line text={failureHeadline(failure)} limit={1000} />
              {failure.at !== undefined && (
                <span class="note">
                  {' '}
                  at <Line text={failure.at} />
                </span>
              )}
            </p>
          ))}
        </section>
      )}
      <Conversation event={event} />
      <ToolCalls calls={event.tool_calls ?? []} />
      <SentMessages messages={event.sent_messages ?? []} />
      <Trace entries={event.trace ?? []} />
      <Verdicts {...event} />
      {expected !== undefined && expected !== null && (
        <Part title="Expected">
          <Block value={expected} label="Expected" />
        </Part>
      )}
      <Checkpoints states={event.checkpoints ?? []} />
      <Subtests subtests={event.subtests ?? []} />
      {event.leaks !== undefined && (
        <p class="note">
          <Line text={event.leaks} />
        </p>
      )}
      {after_error !== undefined && after_error !== event.error && (
        <Part title="After hook">
          <Block value={after_error} label="After hook" />
        </Part>
      )}
      {stack !== undefined && (
        <Part title="Stack">
          <Block value={stack} label="Stack" />
        </Part>
      )}
      {logs.length > 0 && (
        <Part title="Logs">
          <Block value={logs.join('\n')} label="Logs" />
        </Part>
      )}
    </>
  );
}

function Part({ title, children }: { title: string; children: VNode }): VNode {
  return (
    <section>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function attemptFacts({ light }: Attempt): string {
  const { first_token_ms: first, turns, assertions, checks, code } = light;
  return [
    duration(light.duration_ms),
    first === undefined ? undefined : `first token after ${duration(first)}`,
    turns === undefined ? undefined : plural(turns, 'turn'),
    spendingText(light),
    triesText(light),
    assertions === undefined ? undefined : plural(assertions, 'assertion'),
    checks === undefined
      ? undefined
      : `${String(checks.passed)} of ${String(checks.passed + checks.failed)} checks passed`,
    code === undefined ? undefined : `error: ${code}`,
  ]
    .filter((fact) => fact !== undefined && fact !== '')
    .join(' · ');
}

function Neighbours({ one, run }: { one: Case; run: RunContextValue }): VNode {
  const { before, after, back } = findNeighbours(one, run);
  return (
    <nav class="neighbours" aria-label="Other cases">
      <a href={back}>← All results</a>
      <span>
        {before !== undefined && (
          <a href={caseLink(run, before)} title="k">
            Previous
          </a>
        )}{' '}
        {after !== undefined && (
          <a href={caseLink(run, after)} title="j">
            Next
          </a>
        )}
      </span>
    </nav>
  );
}

/** The neighbours in the list that the user came from. */
function findNeighbours(
  one: Case,
  run: RunContextValue,
): { before: Case | undefined; after: Case | undefined; back: string } {
  const listed = lastListed.value?.cases.includes(one) === true ? lastListed.value : undefined;
  const cases = listed?.cases ?? run.data.cases;
  const at = cases.indexOf(one);
  const query = Object.fromEntries(new URLSearchParams(listed?.query ?? ''));
  return { before: cases[at - 1], after: cases[at + 1], back: link([...run.base, 'results'], query) };
}

/** The keys j and k step through the cases, arrows through the runs of this case. */
function useSteps(one: Case, chosen: Attempt, run: RunContextValue): void {
  useEffect(() => {
    const step = (event: KeyboardEvent): void => {
      const isElsewhere =
        event.target instanceof Element &&
        event.target.matches('input, select, textarea, pre, [role=region]');
      if (isElsewhere || event.ctrlKey || event.metaKey || event.altKey) return;
      const { before, after } = findNeighbours(one, run);
      const at = one.attempts.indexOf(chosen);
      const runs: Record<string, Attempt | undefined> = {
        ArrowLeft: one.attempts[at - 1],
        ArrowRight: one.attempts[at + 1],
      };
      const cases: Record<string, Case | undefined> = { j: after, k: before };
      const nextRun = runs[event.key];
      const nextCase = cases[event.key];
      if (nextRun !== undefined) go(caseLink(run, one, { run: String(nextRun.light.run) }));
      else if (nextCase !== undefined) go(caseLink(run, nextCase));
      else if (event.key === 'Escape')
        go(resultsLink(run, Object.fromEntries(new URLSearchParams(lastListed.value?.query ?? ''))));
    };
    addEventListener('keydown', step);
    return () => removeEventListener('keydown', step);
  });
}
