// The run as people watch it: header, a line per case as it settles, failures with their diff, the summary.

import type { LoggedInput, StartEvent, SummaryEvent } from '../model/event.ts';
import type { SkipReason } from '../model/outcome.ts';
import type { Sink } from '../model/sink.ts';
import { formatDuration } from '../platform/duration.ts';
import type { CaseLook } from './case-lines.ts';
import { caseLine, caseLines } from './case-lines.ts';
import type { SettledCase } from './case-result.ts';
import { caseNamer } from './case-text.ts';
import type { CaseFold } from './fold.ts';
import { createCaseFold, minPassRateOf } from './fold.ts';
import type { Screen } from './live-screen.ts';
import { createScreen } from './live-screen.ts';
import { progressLine } from './progress.ts';
import { spendingText } from './spending-text.ts';
import type { Style } from './style.ts';
import { createStyle } from './style.ts';
import { oneLine } from './untrusted.ts';

export type TerminalOptions = {
  stream: { write(text: string): unknown; columns?: number | undefined; isTTY?: boolean | undefined };
  color: boolean;
  /** Shows a progress bar in the last line. */
  interactive: boolean;
  verbose: boolean;
  unicode: boolean;
  /** How the run began if it is taken up again, and how many attempts of it stay; shown at its `resume` event. */
  resumed?: { start: StartEvent; kept: number } | undefined;
  /** Milliseconds on any clock. */
  now?: () => number;
};

const WIDTH = 79;
const LISTED_INPUTS = 5;

/** Shows a run on a terminal; one write per batch. */
export function createTerminal(options: TerminalOptions): Sink {
  const { stream, verbose, unicode, resumed, now = () => performance.now() } = options;
  const style = createStyle(options);
  const look: CaseLook = { style, nameOf: caseNamer({ inputs: [] }), verbose };
  const progress = { done: 0, kept: 0, total: 0, passed: 0, failed: 0, running: 0, isStopping: false };
  const notRun = new Map<SkipReason, number>();
  let fold: CaseFold = createCaseFold({ runs_per_case: 1, flags: {} });
  let screen: Screen | undefined;
  /** One run a case and few words: a pass needs no figures. */
  let isPlain = false;
  // A terminal that does not know its size says 0.
  const columns = (): number => stream.columns || WIDTH;
  const width = Math.min(WIDTH, columns());

  function begin(start: StartEvent, kept?: number): string {
    fold = createCaseFold(start);
    look.nameOf = caseNamer(start, style.within);
    isPlain = start.runs_per_case <= 1 && !verbose;
    progress.done = kept ?? 0;
    progress.kept = progress.done;
    progress.total = start.total_cases * Math.max(1, start.runs_per_case);
    if (options.interactive) {
      const startedAt = now();
      const lastLine = () => progressLine({ ...progress, elapsedMs: now() - startedAt }, columns(), style);
      screen ??= createScreen(stream, { lastLine, now });
    }
    return headerLines(start, { kept, width, style });
  }

  function show(settled: SettledCase): string {
    if (settled.ran) {
      progress[settled.result.status === 'passed' ? 'passed' : 'failed'] += 1;
      return caseLines(settled.result, look);
    }
    const { reason } = settled.skipped;
    if (reason === 'skip') {
      const name = oneLine(look.nameOf(settled.skipped));
      return `${style.status.skipped(style.symbols.skipped)} ${name} (skipped)\n`;
    }
    // One line for all of them: after a fail-fast there may be a million.
    notRun.set(reason, (notRun.get(reason) ?? 0) + 1);
    return '';
  }

  function end(summary: SummaryEvent): string {
    // Runs that are missing here were shown before the run was taken up again.
    let text = fold.rest({ isElsewhere: true }).map(show).join('');
    for (const [reason, count] of notRun) text += notRunLine(reason, count, style);
    return text + summaryLines(summary, width, style);
  }

  function print(text: string): void {
    if (text === '') return;
    const shown = unicode ? text : text.replaceAll('…', '...');
    if (screen === undefined) stream.write(shown);
    else screen.print(shown);
  }

  return {
    write(batch) {
      // The window may have changed its size.
      look.columns = stream.isTTY === true ? stream.columns || undefined : undefined;
      let text = '';
      let isOver = false;
      for (const { event } of batch) {
        if (event.type === 'start') text += begin(event);
        else if (event.type === 'resume' && resumed !== undefined) text += begin(resumed.start, resumed.kept);
        else if (event.type === 'summary') {
          text += end(event);
          isOver = true;
        } else if (event.type === 'result') {
          progress.done += 1;
          if (event.reason === 'interrupted' || event.reason === 'fail_fast') progress.isStopping = true;
          if (isPlain && event.status === 'passed') {
            progress.passed += 1;
            text += `${caseLine(event, look)}\n`;
            continue;
          }
          const settled = fold.add(event);
          if (settled !== undefined) text += show(settled);
        }
      }
      print(text);
      if (isOver) screen?.close();
    },
    running(count) {
      progress.running = count;
    },
    close() {
      screen?.close();
    },
  };
}

function headerLines(
  start: StartEvent,
  { kept, width, style }: { kept: number | undefined; width: number; style: Style },
): string {
  const double = `${style.doubleLine.repeat(width)}\n`;
  const single = `${style.line.repeat(width)}\n`;
  const facts = start.inputs.slice(0, LISTED_INPUTS).map((input) => `Input: ${inputName(input)}`);
  if (start.inputs.length > LISTED_INPUTS)
    facts.push(`… and ${start.inputs.length - LISTED_INPUTS} more inputs`);
  if (start.connector !== undefined) facts.push(`Connector: ${start.connector}`);
  facts.push(`Cases: ${start.total_cases}`);
  if (start.runs_per_case > 1) facts.push(`Runs: ${start.runs_per_case} per case`);
  const minPassRate = minPassRateOf(start);
  if (minPassRate !== undefined) facts.push(`Min pass rate: ${minPassRate}%`);
  if (kept !== undefined) facts.push(`Resumed: ${kept} results stay`);
  facts.push(`User: ${start.environment.user_id}`, `Team: ${start.environment.team_id}`);
  const lines = facts.map((fact) => `  ${oneLine(fact)}\n`).join('');
  const title = `  ${style.bold(`Agent Test: ${oneLine(start.agent_id)}`)}\n`;
  return `${double}${title}${double}${lines}${single}  Running Tests\n${single}`;
}

function inputName(input: LoggedInput): string {
  if (input.type === 'script') return input.script_path;
  return input.type === 'file' ? input.path : JSON.stringify(oneLine(input.message, 60));
}

function notRunLine(reason: SkipReason, count: number, style: Style): string {
  const why = reason === 'fail_fast' ? 'stopped after the first failure' : 'interrupted';
  const cases = count === 1 ? '1 case' : `${count} cases`;
  return `${style.status.skipped(style.symbols.skipped)} ${cases} not run (${why})\n`;
}

function summaryLines(summary: SummaryEvent, width: number, style: Style): string {
  const double = `${style.doubleLine.repeat(width)}\n`;
  const { passed, failed, skipped, errors, timeouts } = summary;
  const parts = [
    passed > 0 ? style.green(`${passed} passed`) : `${passed} passed`,
    failed > 0 ? style.red(`${failed} failed`) : `${failed} failed`,
    `${skipped} skipped`,
  ];
  let text = `\n${double}  Summary: ${parts.join(', ')} (${formatDuration(summary.duration_ms)})\n`;
  if (errors > 0) text += `  Errors: ${errors}\n`;
  if (timeouts > 0) text += `  Timeouts: ${timeouts}\n`;
  if (summary.runs_per_case > 1) {
    const rate = summary.overall_pass_rate;
    const runs = `${summary.total_runs} runs`;
    text +=
      rate === null
        ? `  Pass rate: not measured (${runs})\n`
        : `  Pass rate: ${rate}% (mean of ${ratedCases(summary)}, ${runs})\n`;
    text += `  Stability: ${summary.stable_cases} stable, ${summary.unstable_cases} unstable\n`;
  }
  const spent = spendingText(summary);
  if (spent !== undefined) text += `  Models: ${spent}\n`;
  return text + double;
}

/** The cases with a pass rate; an error may have none, and the counts do not tell which. */
function ratedCases({ passed, failed, errors }: SummaryEvent): string {
  if (errors > 0) return 'the cases measured';
  return passed + failed === 1 ? '1 case' : `${passed + failed} cases`;
}
