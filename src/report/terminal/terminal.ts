// Shows a run on the terminal: header, a line per settled case, failures with their diffs, summary.

import type { GroupNamer } from '../../model/cluster.ts';
import { groupNamer } from '../../model/cluster.ts';
import type { ResultEvent, StartEvent, SummaryEvent } from '../../model/event.ts';
import type { SkipReason } from '../../model/outcome.ts';
import { runsByTest, runsRange } from '../../model/runs-per-case.ts';
import type { RunCounts } from '../../model/settle.ts';
import type { Sink } from '../../model/sink.ts';
import type { VariableFold } from '../fold/by-variable.ts';
import { createVariableFold } from '../fold/by-variable.ts';
import type { CaseLook } from './case-lines.ts';
import type { SettledCase } from '../fold/case-result.ts';
import { isUnmeasured } from '../fold/case-result.ts';
import { caseNamer } from '../text/case-text.ts';
import { addFigures, loggedK } from '../fold/k-figures.ts';
import type { KFold } from '../../stats/pass-at-k.ts';
import { createKFold } from '../../stats/pass-at-k.ts';
import { createSelectionFold } from '../fold/selections.ts';
import type { CaseFold } from '../fold/fold.ts';
import { createCaseFold } from '../fold/fold.ts';
import { headerLines } from './header-lines.ts';
import type { Layout } from './layout.ts';
import { AGENT_LAYOUT, chooseLayout } from './layout.ts';
import type { Screen } from './live-screen.ts';
import { createScreen } from './live-screen.ts';
import type { Progress } from './progress.ts';
import { createNotPassed } from './not-passed.ts';
import { progressLine } from './progress.ts';
import { progressSteps } from './steps.ts';
import { createStyle } from './style.ts';
import { notRunLine, summaryLines } from './summary-lines.ts';

export type TerminalOptions = {
  stream: { write(text: string): unknown; columns?: number | undefined; isTTY?: boolean | undefined };
  color: boolean;
  /** Shows a progress bar in the last line. */
  interactive: boolean;
  verbose: boolean;
  /** Shows only the end: what did not pass, and the summary. */
  quiet?: boolean;
  unicode: boolean;
  /** For a resumed run: its start, and the number of attempts it keeps. Shown at its `resume` event. */
  resumed?:
    { start: StartEvent; kept: number; counts?: ReadonlyMap<string, RunCounts> | undefined } | undefined;
  /** The current time in milliseconds. */
  now?: () => number;
};

const WIDTH = 79;
/** With more cases than this, one that passed is a dot. */
const MOST_LINES = 1000;

/** With more cases than this, failures may have left the screen: the end lists them again. */
const MOST_ON_SCREEN = 20;

/** Shows a run on a terminal; one write per batch. */
// oxlint-disable-next-line max-lines-per-function -- small handlers that share the state of the screen
export function createTerminal(options: TerminalOptions): Sink {
  const { stream, verbose, quiet = false, unicode, resumed, now = () => performance.now() } = options;
  const style = createStyle(options);
  const look: CaseLook = { style, nameOf: caseNamer({ inputs: [] }), verbose };
  const progress: Omit<Progress, 'elapsedMs'> = {
    done: 0,
    kept: 0,
    total: 0,
    passed: 0,
    failed: 0,
    unmeasured: 0,
    running: 0,
    isStopping: false,
  };
  const notRun = new Map<SkipReason, number>();
  const nothing = { runs_per_case: 1, total_cases: 0, flags: {}, inputs: [] };
  let fold: CaseFold = createCaseFold(nothing);
  let steps = progressSteps(nothing);
  let runsOfTest = runsByTest(nothing);
  /** Undefined for a resumed run, whose first cases are not seen here. */
  let byVariable: VariableFold | undefined;
  const selections = createSelectionFold();
  const notPassed = createNotPassed();
  /** True if the end lists what did not pass. */
  let isListed = quiet;
  /** Undefined without `--k`, and for a resumed run. */
  let figures: KFold | undefined;
  let groupOf: GroupNamer = () => undefined;
  let isRepeated = false;
  let rule: StartEvent['runs_rule'];
  let layout: Layout = AGENT_LAYOUT;
  let screen: Screen | undefined;
  /** True if a case that passed in a single run needs only one line and no counting by variable. */
  let isPlain = false;
  /** True if a case that passed is a dot; where the progress is shown, it is nothing. */
  let isDotted = false;
  /** Dots in the current line. */
  let dots = 0;
  // A terminal of unknown size reports 0 columns.
  const columns = (): number => stream.columns || WIDTH;
  const width = Math.min(WIDTH, columns());

  function begin(start: StartEvent, kept?: number): string {
    fold = createCaseFold(start, undefined, kept === undefined ? undefined : resumed?.counts);
    rule = start.runs_rule;
    layout = chooseLayout(start);
    look.nameOf = layout.namer(start, style);
    const { matrix } = start;
    byVariable = matrix === undefined || kept !== undefined ? undefined : createVariableFold(start);
    const ks = kept === undefined ? loggedK(start) : [];
    figures = ks.length === 0 ? undefined : createKFold(ks);
    groupOf = groupNamer(start);
    isPlain = byVariable === undefined && figures === undefined && !verbose;
    isDotted = isPlain && start.total_cases > MOST_LINES && layout === AGENT_LAYOUT;
    isListed = quiet || (start.total_cases > MOST_ON_SCREEN && layout === AGENT_LAYOUT);
    const { most } = runsRange(start);
    isRepeated = most > 1;
    progress.round = isRepeated ? { run: 1, of: most } : undefined;
    runsOfTest = runsByTest(start);
    steps = progressSteps(start);
    progress.done = steps.ofAttempts(kept ?? 0);
    progress.kept = progress.done;
    progress.total = steps.total;
    if (options.interactive && !quiet) {
      const startedAt = now();
      const lastLine = () => progressLine({ ...progress, elapsedMs: now() - startedAt }, columns(), style);
      screen ??= createScreen(stream, { lastLine, now });
    }
    return quiet ? '' : headerLines(start, { kept, width, style });
  }

  function show(settled: SettledCase): string {
    byVariable?.add(settled);
    progress.done += steps.ofCase;
    if (settled.ran) {
      const { result } = settled;
      const end = result.status === 'passed' ? 'passed' : isUnmeasured(result) ? 'unmeasured' : 'failed';
      progress[end] += 1;
      if (figures !== undefined) addFigures(figures, result, groupOf);
      if (isListed) notPassed.add(result, settled.kind, look.nameOf(result));
      return quiet ? '' : layout.settled(result, settled.kind, look);
    }
    const { reason } = settled.skipped;
    if (reason === 'skip') return quiet ? '' : layout.skipped(settled.skipped, look);
    notRun.set(reason, (notRun.get(reason) ?? 0) + 1);
    return '';
  }

  function end(summary: SummaryEvent): string {
    const { noun } = layout;
    // Missing runs were shown before the run was resumed.
    const rest = fold.rest({ isElsewhere: true }).map(show).join('');
    const left = [...notRun].map(([reason, count]) => notRunLine(reason, count, noun, style)).join('');
    const list = isListed ? notPassed.lines(noun, style) : '';
    const isFirst = quiet || list === '';
    return (
      rest +
      (isFirst ? list : `\n${list}`) +
      (quiet && list + left === '' ? '' : layout.beforeSummary(left)) +
      summaryLines(summary, {
        width,
        noun,
        style,
        isRepeated,
        rule,
        byVariable: byVariable?.result(),
        selections: selections.result(),
        figures: figures?.result(),
      })
    );
  }

  /** One dot, and the end of its line. */
  function dot(): string {
    if (screen !== undefined) return '';
    dots += 1;
    if (dots < width) return '.';
    dots = 0;
    return '.\n';
  }

  /** Text that begins on a line of its own. */
  function afterDots(text: string): string {
    if (dots === 0 || text === '') return text;
    dots = 0;
    return `\n${text}`;
  }

  function print(text: string): void {
    if (text === '') return;
    const shown = unicode ? text : text.replaceAll('…', '...').replaceAll(' · ', ', ');
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
          text += afterDots(end(event));
          isOver = true;
        } else if (event.type === 'result') {
          progress.done += steps.of(event.test_id);
          if (progress.round !== undefined) progress.round.run = event.run;
          if (event.reason !== undefined && event.reason !== 'skip') progress.isStopping = true;
          if (isPlain && event.status === 'passed' && runsOfTest(event.test_id) <= 1) {
            progress.passed += 1;
            if (!quiet)
              text += isDotted && isUneventful(event) ? dot() : afterDots(layout.passed(event, look));
            continue;
          }
          const settled = fold.add(event);
          if (settled !== undefined) text += afterDots(show(settled));
        } else if (event.type === 'selection') selections.add(event);
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

/** A case that passed at once and has nothing else to show. */
function isUneventful({ quarantined, restarted, retries, verdicts }: ResultEvent): boolean {
  if (quarantined !== undefined || restarted !== undefined || (retries ?? 0) > 0) return false;
  return verdicts?.some(({ advisory }) => advisory === true) !== true;
}
