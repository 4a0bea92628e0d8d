// The details of an attempt: tool calls, verdicts, checkpoints, subtests.

import type { VNode } from 'preact';
import type { SentMessage, ToolCall, TraceEntry } from '../../src/model/agent.ts';
import type { CheckpointState, Verdict } from '../../src/model/outcome.ts';
import type { Subtest } from '../../src/model/script.ts';
import { judgeName, sentText, traceLines } from '../../src/report/text/activity-text.ts';
import { DiffView } from '../ui/diff-view.tsx';
import { StatusMark } from '../ui/status.tsx';
import { Block, Line } from '../ui/text.tsx';
import { duration } from '../ui/words.ts';

export function ToolCalls({ calls }: { calls: readonly ToolCall[] }): VNode | null {
  if (calls.length === 0) return null;
  return (
    <section>
      <h3>Tool calls</h3>
      <ol class="calls">
        {calls.map((call, at) => (
          <li key={at}>
            <details open={calls.length <= 3 || call.error !== undefined}>
              <summary>
                <code>
                  <Line text={call.name} limit={120} />
                </code>{' '}
                {call.error !== undefined && <span class="status error">failed</span>}{' '}
                {call.duration_ms !== undefined && <span class="note">{duration(call.duration_ms)}</span>}
              </summary>
              {call.arguments !== undefined && (
                <>
                  <h4>Arguments</h4>
                  <Block value={call.arguments} label="Arguments" />
                </>
              )}
              {call.result !== undefined && (
                <>
                  <h4>Result</h4>
                  <Block value={call.result} label="Result" />
                </>
              )}
              {call.error !== undefined && (
                <>
                  <h4>Error</h4>
                  <Block value={call.error} label="Error" />
                </>
              )}
            </details>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** What hooks sent to the user, beside the answer. */
export function SentMessages({ messages }: { messages: readonly SentMessage[] }): VNode | null {
  if (messages.length === 0) return null;
  return (
    <section>
      <h3>Sent to the user</h3>
      {messages.map((message, at) => (
        <Block key={at} value={sentText(message)} label={`Message ${message.id}`} />
      ))}
    </section>
  );
}

export function Trace({ entries }: { entries: readonly TraceEntry[] }): VNode | null {
  if (entries.length === 0) return null;
  return (
    <section>
      <h3>Trace</h3>
      <Block value={traceLines(entries).join('\n')} label="Trace" />
    </section>
  );
}

export function Verdicts({ verdicts }: { verdicts: readonly Verdict[] }): VNode | null {
  if (verdicts.length === 0) return null;
  return (
    <section>
      <h3>Assertions</h3>
      <ul class="verdicts">
        {verdicts.map((verdict, at) => (
          <li key={at} class={verdict.status}>
            <details open={verdict.status !== 'passed'}>
              <summary>
                <StatusMark status={verdict.status} />{' '}
                <code>
                  <Line text={verdictTitle(verdict)} />
                </code>{' '}
                {verdict.score !== undefined && (
                  <span class="note">
                    {verdict.metric !== undefined && (
                      <>
                        <Line text={verdict.metric} limit={80} />{' '}
                      </>
                    )}
                    score {verdict.score.toFixed(2)}
                  </span>
                )}
              </summary>
              <VerdictDetails verdict={verdict} />
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}

function verdictTitle(verdict: Verdict): string {
  const { negate, path, turn, checkpoint, subtest } = verdict;
  return [
    turn === undefined ? undefined : `turn ${String(turn)}:`,
    checkpoint === undefined ? undefined : `${checkpoint}:`,
    subtest === undefined ? undefined : `${subtest}:`,
    negate === true ? 'not' : undefined,
    judgeName(verdict),
    path,
  ]
    .filter((part) => part !== undefined)
    .join(' ');
}

function VerdictDetails({ verdict }: { verdict: Verdict }): VNode {
  const { message, reason, expected, actual, diff, at } = verdict;
  const hasBoth = expected !== undefined && actual !== undefined;
  return (
    <>
      {message !== undefined && (
        <p>
          <Line text={message} limit={2000} />
        </p>
      )}
      {reason !== undefined && (
        <p class="reason">
          <Line text={reason} limit={2000} />
        </p>
      )}
      {hasBoth && <DiffView expected={expected} actual={actual} />}
      {!hasBoth && diff !== undefined && diff !== '' && <DiffText text={diff} />}
      {!hasBoth && diff === undefined && expected !== undefined && (
        <>
          <h4>Expected</h4>
          <Block value={expected} label="Expected" />
        </>
      )}
      {at !== undefined && (
        <p class="note">
          at <Line text={at} />
        </p>
      )}
    </>
  );
}

/** A diff from the log: lines with - are expected, lines with + are actual. */
function DiffText({ text }: { text: string }): VNode {
  const of = (sign: string, other: string): string =>
    text
      .split('\n')
      .filter((line) => !line.startsWith(other))
      .map((line) => (line.startsWith(sign) ? line.slice(1).replace(/^ /, '') : line.replace(/^ {2}/, '')))
      .join('\n');
  return <DiffView expected={of('-', '+')} actual={of('+', '-')} />;
}

export function Checkpoints({ states }: { states: readonly CheckpointState[] }): VNode | null {
  if (states.length === 0) return null;
  return (
    <section>
      <h3>Checkpoints</h3>
      <ul>
        {states.map(({ id, reached, required, turn }) => (
          <li key={id}>
            <StatusMark status={reached ? 'passed' : required ? 'failed' : 'skipped'} /> <Line text={id} />{' '}
            <span class="note">
              {reached
                ? `in turn ${String(turn ?? '')}`
                : required
                  ? 'not reached'
                  : 'not reached (not required)'}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Subtests({ subtests }: { subtests: readonly Subtest[] }): VNode | null {
  if (subtests.length === 0) return null;
  return (
    <section>
      <h3>Subtests</h3>
      <ul>
        {subtests.map(({ name, status, duration_ms, error }) => (
          <li key={name}>
            <StatusMark status={status} /> <Line text={name} />{' '}
            <span class="note">{duration(duration_ms)}</span>
            {error !== undefined && ' '}
            {error !== undefined && (
              <span class="why">
                <Line text={error} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
