// The overview: result and confidence first, then the causes of failures and the cases worth a look.

import type { VNode } from 'preact';
import { groupNamer } from '../../src/model/cluster.ts';
import type { DecidedFields } from '../../src/model/event.ts';
import { EXIT } from '../../src/model/exit-code.ts';
import type { Spending } from '../../src/model/spending.ts';
import { addFigures, loggedK } from '../../src/report/fold/k-figures.ts';
import { createKFold } from '../../src/stats/pass-at-k.ts';
import { comparedTexts } from '../../src/compare/words.ts';
import { autoTexts, ruleText } from '../../src/report/text/auto-words.ts';
import { gateTexts } from '../../src/report/text/gate-words.ts';
import {
  counted,
  caseNoun,
  kTexts,
  runsText,
  clusterNote,
  groupsText,
} from '../../src/report/text/run-words.ts';
import { worseTexts } from '../../src/report/text/quarantine-text.ts';
import type { Cause } from '../../src/report/fold/causes.ts';
import { caseResult } from '../data/figures.ts';
import type { Case } from '../data/run-data.ts';
import { StatusMark } from '../ui/status.tsx';
import { Line } from '../ui/text.tsx';
import { cost, count, duration, percent, plural } from '../ui/words.ts';
import { ByVariable } from './by-variable.tsx';
import { Scores } from './scores.tsx';
import { RunStrip } from './run-strip.tsx';
import type { RunContextValue } from './run-context.ts';
import { caseLink, resultsLink, useRun } from './run-context.ts';

const CAUSES = 8;
const EXAMPLES = 4;

export function Overview(): VNode {
  const run = useRun();
  const { figures, start, data, isLive } = run;
  const hasRuns = data.cases.some(({ attempts }) => attempts.length > 1);
  return (
    <>
      {data.summary === undefined && !isLive && (
        <p class="banner warn" role="status">
          Unfinished: the run stopped early; {count(figures.total)} of{' '}
          {counted(start.total_cases, caseNoun(start))} have a result.
        </p>
      )}
      {data.summary?.exit_code === EXIT.interrupted && (
        <p class="banner warn" role="status">
          Stopped: the run was interrupted; {counted(figures.ended.skipped, caseNoun(start))} did not run.
        </p>
      )}
      <Verdict run={run} />
      <Tiles run={run} />
      {figures.causes.length > 0 && <Causes causes={figures.causes} run={run} />}
      <Scores />
      {start.matrix !== undefined && <ByVariable />}
      <div class="two">
        {hasRuns && figures.unstable.length > 0 && (
          <Short title="Most unstable" cases={figures.unstable} tell={instabilityText} run={run} />
        )}
        <Short
          title="Slowest"
          cases={figures.slowest}
          tell={(one) => duration(caseResult(one)?.duration_ms)}
          run={run}
        />
      </div>
    </>
  );
}

/** What was decided while the run was on: gates, and the comparison with a baseline. */
function Decided({ summary, start }: { summary: DecidedFields; start: RunContextValue['start'] }): VNode {
  return (
    <>
      {autoTexts({ runs_per_case: start.runs_per_case, ...summary }).map((text) => (
        <p key={text}>{text}</p>
      ))}
      {start.runs_rule !== undefined && <p class="note">Runs auto: {ruleText(start.runs_rule)}</p>}
      {gateTexts(summary).map((text) => (
        <p key={text}>
          Gate <Line text={text} />
        </p>
      ))}
      {comparedTexts(summary).map((text) => (
        <p key={text}>
          Compared with <Line text={text} />
        </p>
      ))}
    </>
  );
}

function Verdict({ run: { data, figures, start, isLive } }: { run: RunContextValue }): VNode {
  const { ended, total, unmeasured, quarantined, rate, interval, rated, clusters } = figures;
  const noun = caseNoun(start);
  const note = clusterNote({ clusters }, noun);
  const related = groupsText(clusters);
  const wrong = ended.failed + ended.timeout + ended.error - unmeasured;
  const ran = total - ended.skipped;
  // A case that is proven worse than its history fails the run although it is in quarantine.
  const isExcused = wrong === quarantined && data.summary?.exit_code !== EXIT.failed;
  const tone = wrong > 0 && !isExcused ? 'bad' : wrong + unmeasured > 0 || ran === 0 ? 'warn' : 'good';
  return (
    <section class={`verdict ${tone}`} aria-label="Verdict">
      <p class="verdict-line">{verdictText({ wrong, unmeasured, ran, noun, isLive })}</p>
      {rate !== null && interval !== undefined && (
        <p>
          Pass rate <b>{percent(rate)}</b>
          <span class="note">
            {`; for ${noun}s like these${related === '' ? '' : `${related},`} between ${String(interval.low)} and ${String(interval.high)} % with 95 % certainty `}
            ({plural(rated, noun)}
            {start.runs_per_case > 1 ? `, ${runsText(start)} runs each` : ''})
          </span>
        </p>
      )}
      {note !== undefined && (
        <p class="note">
          <Line text={note} />
        </p>
      )}
      {quarantined > 0 && (
        <p class="note">
          {count(quarantined)} of them {quarantined === 1 ? 'is' : 'are'} in quarantine
          {isExcused &&
            `, so that ${quarantined === 1 ? 'its failure does' : 'their failures do'} not fail the run`}
          .
        </p>
      )}
      {(data.summary?.quarantined?.worse ?? []).length > 0 && (
        <ul>
          {worseTexts(data.summary?.quarantined ?? { cases: 0, failed: 0 }).map((text) => (
            <li key={text}>
              <Line text={text} limit={300} />
            </li>
          ))}
        </ul>
      )}
      <KFigures />
      <Decided summary={data.summary ?? {}} start={start} />
      {unmeasured > 0 && (
        <p class="note">{plural(unmeasured, noun)} could not be measured; no rate counts them.</p>
      )}
      <Bar figures={figures} />
    </section>
  );
}

/** pass@k and pass^k, if the run or the report asks for them. */
function KFigures(): VNode | null {
  const { data, start } = useRun();
  const ks = loggedK(start);
  if (ks.length === 0) return null;
  const fold = createKFold(ks);
  const groupOf = groupNamer(start);
  for (const { settled } of data.cases) if (settled.ran) addFigures(fold, settled.result, groupOf);
  return (
    <ul>
      {kTexts(fold.result(), caseNoun(start)).map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

function verdictText(verdict: {
  wrong: number;
  unmeasured: number;
  ran: number;
  noun: string;
  isLive: boolean;
}): string {
  const { wrong, unmeasured, ran, noun, isLive } = verdict;
  const sofar = isLive ? ' so far' : '';
  if (ran === 0) return isLive ? 'Nothing has ended yet' : 'Nothing was run';
  if (wrong > 0) {
    const unknown = unmeasured > 0 ? `, and ${count(unmeasured)} could not be measured` : '';
    return `${count(wrong)} of ${plural(ran, noun)} did not pass${unknown}${sofar}`;
  }
  if (unmeasured > 0) return `${count(unmeasured)} of ${plural(ran, noun)} could not be measured${sofar}`;
  return ran === 1 ? `The only ${noun} passed${sofar}` : `All ${plural(ran, noun)} passed${sofar}`;
}

const PARTS = ['passed', 'failed', 'timeout', 'error', 'skipped'] as const;

/** The counts as one stacked bar. */
function Bar({ figures: { ended, total } }: Pick<RunContextValue, 'figures'>): VNode {
  return (
    <div class="bar" aria-hidden="true">
      {PARTS.map((status) =>
        ended[status] === 0 ? null : (
          <span key={status} class={status} style={{ flexGrow: Math.max(ended[status], total / 200) }} />
        ),
      )}
    </div>
  );
}

function Tiles({ run }: { run: RunContextValue }): VNode {
  const { figures, data, start } = run;
  const { ended } = figures;
  const spending: Spending = data.summary ?? {};
  const { usage, cost_usd } = spending;
  const stable = data.summary?.stable_cases;
  return (
    <ul class="tiles" aria-label="Figures">
      <Tile name="total" value={count(figures.total)} href={resultsLink(run)} />
      {PARTS.map(
        (status) =>
          (ended[status] > 0 || status === 'passed' || status === 'failed') && (
            <Tile
              key={status}
              name={status === 'error' ? 'errors' : status === 'timeout' ? 'timeouts' : status}
              value={count(ended[status])}
              tone={status}
              href={resultsLink(run, { status })}
            />
          ),
      )}
      <Tile name="duration" value={data.summary === undefined ? '–' : duration(data.summary.duration_ms)} />
      {start.runs_per_case > 1 && <Tile name="runs" value={count(runsIn(data))} />}
      {start.runs_per_case > 1 && stable !== undefined && <Tile name="stable" value={count(stable)} />}
      {data.summary?.checks !== undefined && (
        <Tile
          name="checks passed"
          value={`${count(data.summary.checks.passed)}/${count(data.summary.checks.passed + data.summary.checks.failed)}`}
        />
      )}
      {usage !== undefined && (
        <Tile
          name="tokens in / out"
          value={`${count(usage.input_tokens ?? 0)} / ${count(usage.output_tokens ?? 0)}`}
        />
      )}
      {usage !== undefined && cost_usd !== undefined && <Tile name="cost" value={cost(cost_usd)} />}
    </ul>
  );
}

/** The executed attempts, without skipped ones. */
function runsIn({ summary, cases }: RunContextValue['data']): number {
  if (summary !== undefined) return summary.total_runs;
  let runs = 0;
  for (const { attempts } of cases)
    for (const { light } of attempts) if (light.status !== 'skipped') runs += 1;
  return runs;
}

function Tile({
  name,
  value,
  tone,
  href,
}: {
  name: string;
  value: string;
  tone?: string;
  href?: string;
}): VNode {
  const content = (
    <>
      <b class={tone}>{value}</b> {name}
    </>
  );
  return <li>{href === undefined ? <span>{content}</span> : <a href={href}>{content}</a>}</li>;
}

function Causes({ causes, run }: { causes: readonly Cause[]; run: RunContextValue }): VNode {
  const rest = causes.length - CAUSES;
  return (
    <section>
      <h2>Why</h2>
      <ol class="causes">
        {causes.slice(0, CAUSES).map(({ key, message, status, cases }) => (
          <li key={key} class="card">
            <p>
              <StatusMark status={status} />{' '}
              <span class="note">{plural(cases.length, caseNoun(run.start))}</span>
            </p>
            <p class="cause">
              <Line text={message} />
            </p>
            <p class="chips">
              {cases.slice(0, EXAMPLES).map((place) => {
                const one = run.data.cases[place];
                return (
                  one && (
                    <a key={place} class="chip" href={caseLink(run, one)}>
                      <Line text={run.nameOf(one)} limit={140} />
                    </a>
                  )
                );
              })}
              {cases.length > EXAMPLES && (
                <a class="chip" href={resultsLink(run, { cause: key })}>
                  all {count(cases.length)}
                </a>
              )}
            </p>
          </li>
        ))}
      </ol>
      {rest > 0 && (
        <p>
          <a href={resultsLink(run, { status: 'failed,error,timeout' })}>
            {plural(rest, 'further cause')}: see all that did not pass
          </a>
        </p>
      )}
    </section>
  );
}

function Short({
  title,
  cases,
  tell,
  run,
}: {
  title: string;
  cases: readonly Case[];
  tell: (one: Case) => string;
  run: RunContextValue;
}): VNode | null {
  if (cases.length === 0) return null;
  return (
    <section class="card">
      <h2>{title}</h2>
      <ul class="short">
        {cases.map((one) => (
          <li key={one.number}>
            <a href={caseLink(run, one)}>
              <Line text={run.nameOf(one)} limit={80} />
            </a>
            <span class="note">{tell(one)}</span>
            {one.attempts.length > 1 && <RunStrip one={one} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

function instabilityText(one: Case): string {
  const result = caseResult(one);
  return result === undefined ? '' : `${String(result.passed)}/${String(result.runs)} passed`;
}
