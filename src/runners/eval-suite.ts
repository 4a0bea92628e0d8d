// The cases of `describeEval`: listed before anything runs, then run together, each with a promise of its result.

import { RuntimeError } from '../errors.ts';
import { evaluateCases, readReport } from '../evaluate/evaluate.ts';
import type { EvaluateRun } from '../evaluate/evaluate.ts';
import type { EvaluateOptions } from '../evaluate/options.ts';
import type { ListedCase } from '../evaluate/list-cases.ts';
import type { ResultEvent, StartEvent } from '../model/event.ts';
import { caseKeyOf } from '../report/fold/fold.ts';
import type { SkippedCase } from '../report/fold/case-result.ts';
import type { ReportResult } from '../report/formats/json-report.ts';
import { withAllProblems } from './failure-text.ts';
import { withIsolation } from './matchers.ts';

/** The title of the test that fails if the options, the agent or the cases are wrong. */
export const CONFIGURATION = 'configuration';

/** The end of a case: its result, or why it did not run. */
export type CaseEnd = { result: ReportResult } | { skipped: SkippedCase };

type Waiting = { resolve(end: CaseEnd): void; reject(error: unknown): void; end: Promise<CaseEnd> };

/** A case with the title of its test. */
export type TitledCase = ListedCase & { title: string };

export class EvalSuite {
  readonly #options: EvaluateOptions;
  readonly #cases = new Map<string, Waiting>();
  readonly #runs: Promise<EvaluateRun | undefined>[] = [];
  #wanted: string[] | undefined;
  #total = 0;

  private constructor(options: EvaluateOptions) {
    this.#options = options;
  }

  /** Reads and checks the cases; a ConfigError has all problems in its message. */
  static async open(
    options: EvaluateOptions,
  ): Promise<{ suite: EvalSuite; cases: TitledCase[] } | { error: Error }> {
    try {
      const { listCases } = await import('../evaluate/list-cases.ts');
      // A generator gives its cases once.
      const { cases } = options;
      const known = typeof cases === 'string' ? cases : await collect(cases);
      const own = withIsolation({ ...options, cases: known });
      const listed = await listCases(own);
      const suite = new EvalSuite(own);
      suite.#total = listed.length;
      const isSeveral = new Set(listed.map(({ test_id }) => test_id)).size > 1;
      const titled = listed.map((one): TitledCase =>
        Object.assign(one, { title: isSeveral ? `${one.test_id} › ${one.id}` : one.id }),
      );
      return { suite, cases: titled };
    } catch (error) {
      return { error: withAllProblems(error) };
    }
  }

  /** Runs these cases now. */
  start(keys: readonly string[]): void {
    const mine = keys.filter((key) => !this.#cases.has(key));
    if (mine.length === 0) return;
    for (const key of mine) this.#cases.set(key, waiting());
    const running = this.#run(mine);
    this.#runs.push(running.catch(() => undefined));
    running.catch((error: unknown) => {
      for (const key of mine) this.#cases.get(key)?.reject(withAllProblems(error));
    });
  }

  /** The end of a case. Cases that are asked for in the same turn of the event loop run together. */
  async end(key: string): Promise<CaseEnd> {
    if (!this.#cases.has(key)) {
      if (this.#wanted === undefined) {
        this.#wanted = [];
        setImmediate(() => {
          const keys = this.#wanted ?? [];
          this.#wanted = undefined;
          this.start(keys);
        });
      }
      this.#wanted.push(key);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const found = this.#cases.get(key);
    if (found === undefined) throw new Error(`case ${key} was not started`);
    return found.end;
  }

  /** True if the failure of the case fails its test: a case in quarantine does not, nor one of a run that only reports. */
  counts({ status, quarantined }: ReportResult): boolean {
    return status !== 'passed' && quarantined === undefined && this.#options.minPassRate !== 0;
  }

  /** Throws if a run as a whole did not pass although its cases did, because of a gate, a baseline or a log that is lost. */
  async check(): Promise<void> {
    for (const run of await Promise.all(this.#runs)) {
      if (run === undefined || run.exit_code === 0) continue;
      if (run.results.some((result) => this.counts(result))) continue;
      const gates = (run.summary.gates ?? []).filter(({ status }) => status !== 'passed');
      const words = gates.map(
        ({ gate, status, message }) =>
          `gate ${gate}: ${status}${message === undefined ? '' : `, ${message}`}`,
      );
      const told =
        words.length === 0 ? `the run ended with exit code ${String(run.exit_code)}` : words.join('\n');
      throw new RuntimeError(told);
    }
  }

  async #run(keys: readonly string[]): Promise<EvaluateRun> {
    const early = new EarlyResults((key, end) => this.#cases.get(key)?.resolve(end));
    const only = keys.length === this.#total ? undefined : keys;
    const run = await evaluateCases(this.#options, { only, onEvent: (event) => early.take(event) });
    for (const result of run.results) this.#cases.get(caseKeyOf(result))?.resolve({ result });
    for (const skipped of run.skipped_cases) this.#cases.get(caseKeyOf(skipped))?.resolve({ skipped });
    for (const key of keys)
      this.#cases.get(key)?.reject(new RuntimeError('the run has no result of this case'));
    return run;
  }
}

/** Settles cases whose number of runs is fixed as soon as they have all of them. */
class EarlyResults {
  readonly #settled: (key: string, end: CaseEnd) => void;
  readonly #events = new Map<string, ResultEvent[]>();
  #start: StartEvent | undefined;

  constructor(settled: (key: string, end: CaseEnd) => void) {
    this.#settled = settled;
  }

  take(event: { type: string }): void {
    if (event.type === 'start') {
      const start = event as StartEvent;
      const isOpen = start.runs_rule !== undefined || start.flags['against'] !== undefined;
      this.#start = isOpen ? undefined : start;
    }
    if (event.type !== 'result' || this.#start === undefined) return;
    const result = event as ResultEvent;
    const key = caseKeyOf(result);
    const events = [...(this.#events.get(key) ?? []), result];
    this.#events.set(key, events);
    if (events.length < this.#start.runs_per_case) return;
    this.#events.delete(key);
    void readReport([this.#start, ...events]).then(({ results: [settled], skipped_cases: [skipped] }) => {
      if (settled !== undefined) this.#settled(key, { result: settled });
      else if (skipped !== undefined) this.#settled(key, { skipped });
    });
  }
}

function waiting(): Waiting {
  let resolve: Waiting['resolve'] = () => undefined;
  let reject: Waiting['reject'] = () => undefined;
  const end = new Promise<CaseEnd>((done, failed) => {
    resolve = done;
    reject = failed;
  });
  // Whoever asks for it gets the error.
  end.catch(() => undefined);
  return { resolve, reject, end };
}

async function collect(
  cases: Exclude<EvaluateOptions['cases'], string>,
): Promise<Exclude<EvaluateOptions['cases'], string>> {
  if (Array.isArray(cases) || typeof cases !== 'object' || cases === null) return cases;
  const all = [];
  for await (const one of cases) all.push(one);
  return all;
}
