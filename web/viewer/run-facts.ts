// A run of the history in, what a list says about it out.

import { EXIT } from '../../src/model/exit-code.ts';
import type { Summary } from '../../src/model/event.ts';
import type { GitOrigin } from '../../src/model/origin.ts';
import type { Interval } from '../../src/stats/interval.ts';
import { intervalOf } from '../../src/stats/interval.ts';
import type { StoredRun } from '../../src/store/store.ts';
import { count, plural } from '../ui/words.ts';

type Named = Pick<StoredRun, 'agent_id' | 'kinds' | 'suite' | 'tests'>;
type Ended = Pick<StoredRun, 'exit_code' | 'finished_at'> & { is_live?: boolean };

/** What was run: the suite, the tests, or the agent. */
export function runName({ suite, tests, agent_id }: Named): string {
  if (suite !== null) return suite.name;
  const [first] = tests;
  if (first === undefined) return agent_id;
  return tests.length === 1 ? first.name : `${first.name} and ${plural(tests.length - 1, 'other test')}`;
}

/** Two runs of the same can be compared case by case. */
export function isSameSubject(a: Named, b: Named): boolean {
  if (a.suite !== null || b.suite !== null) return a.suite?.id === b.suite?.id;
  const ids = ({ tests }: Named): string => JSON.stringify(tests.map(({ id }) => id).sort());
  return (
    ids(a) === ids(b) &&
    (a.tests.length > 0 || (a.agent_id === b.agent_id && a.kinds.join() === b.kinds.join()))
  );
}

export type Verdict = { word: string; sign: string; tone: 'bad' | 'good' | 'live' | 'warn' };

export function verdictOf({ exit_code, finished_at, is_live = false }: Ended): Verdict {
  if (is_live) return { word: 'Running', sign: '●', tone: 'live' };
  if (finished_at === null || exit_code === null) return { word: 'Unfinished', sign: '◌', tone: 'warn' };
  switch (exit_code) {
    case EXIT.passed:
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

/** How sure the pass rate is. Errors may not have been measured: without them, the interval is at most too wide. */
export function rateInterval({ overall_pass_rate, passed, failed, errors }: Summary): Interval | undefined {
  if (overall_pass_rate === null) return undefined;
  const rated = Math.max(1, passed + failed - errors);
  return intervalOf((overall_pass_rate / 100) * rated, rated);
}

/** `1a2b3c4+`: seven characters, and a plus if files had changed. */
export function commitText(git: GitOrigin | null): string | undefined {
  return git === null ? undefined : `${git.commit.slice(0, 7)}${git.dirty === true ? '+' : ''}`;
}

/** All attempts that a run has planned. */
export function plannedResults({
  total_cases,
  runs_per_case,
}: Pick<StoredRun, 'runs_per_case' | 'total_cases'>): number {
  return total_cases * runs_per_case;
}
