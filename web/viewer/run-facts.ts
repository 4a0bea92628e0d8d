// Facts about a run of the history, for lists.

import { EXIT } from '../../src/model/exit-code.ts';
import type { Summary } from '../../src/model/event.ts';
import type { GitOrigin } from '../../src/model/origin.ts';
import type { Interval } from '../../src/stats/rates.ts';
import { passRateInterval } from '../../src/stats/rates.ts';
import type { StoredRun } from '../../src/history/store/store.ts';
import { inputsText } from '../../src/history/store/run-subject.ts';
import { count, plural } from '../ui/words.ts';

type Named = Pick<StoredRun, 'agent_id' | 'suite' | 'tests'> &
  (Pick<StoredRun, 'inputs'> | { subject: string });
type Ended = Pick<StoredRun, 'exit_code' | 'finished_at'> & {
  summary: Pick<Summary, 'failed' | 'passed'> | null;
  is_live?: boolean;
};

/** The subject of the run: the suite, the tests, or else the inputs. */
export function runName(run: Named): string {
  const { suite, tests, agent_id } = run;
  if (suite !== null) return suite.name;
  const [first] = tests;
  if (first === undefined) return ('subject' in run ? run.subject : inputsText(run.inputs)) || agent_id;
  return tests.length === 1 ? first.name : `${first.name} and ${plural(tests.length - 1, 'other test')}`;
}

export type Verdict = { word: string; sign: string; tone: 'bad' | 'good' | 'live' | 'warn' };

export function runVerdict({ exit_code, finished_at, summary, is_live = false }: Ended): Verdict {
  if (is_live) return { word: 'Running', sign: '●', tone: 'live' };
  if (finished_at === null || exit_code === null) return { word: 'Unfinished', sign: '◌', tone: 'warn' };
  switch (exit_code) {
    case EXIT.passed:
      // Nothing failed, but nothing passed either.
      if (summary?.passed === 0 && summary.failed === 0)
        return { word: 'Nothing ran', sign: '○', tone: 'warn' };
      return { word: 'Passed', sign: '✓', tone: 'good' };
    case EXIT.failed:
      return { word: 'Failed', sign: '✗', tone: 'bad' };
    case EXIT.interrupted:
      return { word: 'Stopped', sign: '◼', tone: 'warn' };
    case EXIT.unmeasured:
      return { word: 'Not measured', sign: '!', tone: 'warn' };
    default:
      return { word: `Exit ${String(exit_code)}`, sign: '!', tone: 'warn' };
  }
}

/** `48 passed, 2 failed` */
export function countsText({ passed, failed, skipped, errors, timeouts }: Summary): string {
  const wrong = failed - errors - timeouts;
  return [
    `${count(passed)} passed`,
    wrong > 0 || failed === 0 ? `${count(wrong)} failed` : '',
    errors > 0 ? plural(errors, 'error') : '',
    timeouts > 0 ? plural(timeouts, 'timeout') : '',
    skipped > 0 ? `${count(skipped)} skipped` : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** The interval of the pass rate for cases like these; the history does not keep that of a run with repetitions. */
export function rateInterval(summary: Summary): Interval | undefined {
  const rated = ratedCases(summary);
  const { overall_pass_rate, passed, pass_rate_interval } = summary;
  if (pass_rate_interval !== undefined) return pass_rate_interval;
  if (overall_pass_rate === null || rated === undefined || !isOnceEach(summary)) return undefined;
  return passRateInterval({ count: rated, sum: passed, squares: passed });
}

/** The number of measured cases. Only errors of the agent are measured; if every case ran once, the rate shows how many. */
function ratedCases(summary: Summary): number | undefined {
  const { overall_pass_rate, passed, failed, errors } = summary;
  const ran = passed + failed;
  if (errors === 0) return ran;
  if (passed === 0 || !isOnceEach(summary)) return undefined;
  const possible = Array.from({ length: errors + 1 }, (_, measured) => ran - errors + measured).filter(
    (rated) => Math.round((1000 * passed) / rated) / 10 === overall_pass_rate,
  );
  return possible.length === 1 ? possible[0] : undefined;
}

function isOnceEach({ total_runs, passed, failed }: Summary): boolean {
  return total_runs === passed + failed;
}

/** `1a2b3c4+`: seven characters, and a plus if files were changed. */
export function commitText(git: GitOrigin | null): string | undefined {
  return git === null ? undefined : `${git.commit.slice(0, 7)}${git.dirty === true ? '+' : ''}`;
}

/** The number of planned attempts of a run. */
export function plannedResults({
  total_cases,
  runs_per_case,
}: Pick<StoredRun, 'runs_per_case' | 'total_cases'>): number {
  return total_cases * runs_per_case;
}

/** A short form of an id; runs of the same minute may share it. */
export function shortId(runId: string): string {
  return runId.slice(0, 13);
}
