// Skill tests in, outcomes out: a process of its own for each, several at the same time.

import type { Attempt } from '../../model/attempt.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { SkillSubject } from '../../model/skill.ts';
import { timeoutText } from '../../text/duration.ts';
import { NO_TEST } from './last-results.ts';
import type { Ran } from './run-file.ts';
import type { PoolOptions, TestPool } from '../../execute/pool-options.ts';

type SkillAttempt = Attempt<SkillSubject>;

export type SkillPoolOptions = Pick<PoolOptions, 'dropped' | 'env' | 'exact' | 'parallel' | 'settled'>;

/** Owns the processes of skill tests. */
export class SkillPool implements TestPool<SkillSubject> {
  #options: SkillPoolOptions;
  #waiting: SkillAttempt[] = [];
  #running = 0;
  /** About to be settled without having run. */
  #known = 0;
  #stop = new AbortController();

  constructor(options: SkillPoolOptions) {
    this.#options = options;
  }

  /** How many tests it has been given and not settled. */
  get size(): number {
    return this.#waiting.length + this.#running + this.#known;
  }

  /** How many more are of use now: one for every test that may end, unless it may be the last one to run. */
  get room(): number {
    const { parallel, exact } = this.#options;
    return (exact ? parallel : 2 * parallel) - this.size;
  }

  submit(attempt: SkillAttempt): void {
    this.#waiting.push(attempt);
    this.#assign();
  }

  drop(): void {
    for (const attempt of this.#waiting.splice(0)) this.#options.dropped(attempt);
  }

  close(): void {
    this.#stop.abort();
  }

  #assign(): void {
    while (this.#running < this.#options.parallel) {
      const attempt = this.#waiting.shift();
      if (attempt === undefined) return;
      const known = outcomeWithoutRun(attempt);
      if (known !== undefined) {
        this.#known += 1;
        queueMicrotask(() => {
          this.#known -= 1;
          this.#settle(attempt, known);
        });
        continue;
      }
      this.#running += 1;
      void this.#run(attempt).then((outcome) => {
        this.#running -= 1;
        // The next one starts while this one is counted and told.
        this.#assign();
        this.#settle(attempt, outcome);
      });
    }
  }

  #settle(attempt: Attempt, outcome: Outcome): void {
    if (!this.#stop.signal.aborted) this.#options.settled([{ attempt, outcome }]);
  }

  async #run(attempt: SkillAttempt): Promise<Outcome> {
    const { file, root, allow_empty: allowEmpty } = attempt.subject;
    const { runFile } = await import('./run-file.ts');
    const ran = await runFile(file, {
      timeout: attempt.timeout_ms,
      verbose: true,
      allowEmpty,
      root,
      env: this.#options.env,
      signal: this.#stop.signal,
    });
    return outcomeOf(ran, attempt);
  }
}

/** Of a skill without a test. */
function outcomeWithoutRun(attempt: SkillAttempt): Outcome | undefined {
  const { untested } = attempt.subject;
  if (untested === undefined) return undefined;
  if (untested === 'failure') return { status: 'failed', duration_ms: 0, error: NO_TEST };
  return { status: 'skipped', reason: 'skip', duration_ms: 0, skip_message: 'untested' };
}

function outcomeOf({ result, end }: Ran, { timeout_ms }: Attempt): Outcome {
  const {
    passed,
    failed,
    skipped,
    errors,
    duration: duration_ms,
    empty,
    leaks,
    output,
    stderr = '',
  } = result;
  const logs = [...linesOf(output), ...linesOf(stderr).map((line) => `[stderr] ${line}`)];
  const isCounted = empty === true || passed > 0 || end === 'checks';
  const outcome: Outcome = {
    status: 'passed',
    duration_ms,
    // A crash is no check, although it counts as a failure of the file.
    ...(isCounted && {
      checks: {
        passed,
        failed: end === 'checks' ? failed : 0,
        ...(skipped !== undefined && { skipped }),
      },
    }),
    ...(leaks !== undefined && { leaks }),
    ...(logs.length > 0 && { logs }),
  };
  const [first = 'it failed, and no reason was given'] = errors;
  if (end === undefined) return outcome;
  switch (end) {
    case 'checks':
      return { ...outcome, status: 'failed', error: headOf(first), verdicts: errors.map(verdictOf) };
    case 'empty':
      return { ...outcome, status: 'failed', error: first };
    case 'timeout':
      return { ...outcome, status: 'timeout', error: timeoutText(timeout_ms) };
    case 'broken':
      return { ...outcome, status: 'error', code: 'agent', error: headOf(first), ...stackOf(first) };
    case 'unmeasured':
      return { ...outcome, status: 'error', code: 'harness', error: first };
  }
}

function verdictOf(message: string): NonNullable<Outcome['verdicts']>[number] {
  return { type: 'check', status: 'failed', message };
}

/** The text before the first frame of a stack. */
function headOf(error: string): string {
  const at = error.search(/\n {4}at /);
  return at === -1 ? error : error.slice(0, at);
}

function stackOf(error: string): { stack?: string } {
  return /\n {4}at /.test(error) ? { stack: error } : {};
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
