// What watch mode remembers between runs: the cases with their content, what they depend on, and how they ended.

import { subjectOf } from '../../model/attempt.ts';
import { caseKey } from '../../model/case-key.ts';
import type { ResultEvent } from '../../model/event.ts';
import { readLines } from '../../log/reader.ts';
import { targetOf } from '../../plan/attempts.ts';
import type { Select } from '../../plan/filter.ts';
import { hash96 } from '../../platform/hash.ts';
import { lastLog } from '../../platform/state-folder.ts';
import type { InputSource } from '../../kinds/registry.ts';
import { variablesKey } from '../../variables/variables-key.ts';
import { readNotPassed } from '../earlier/earlier-run.ts';
import type { RunPlan } from '../plan.ts';
import type { Focus } from '../planning/request.ts';

/** What the next run is about. */
export type Wish =
  | { type: 'all' }
  /** The cases that did not pass. */
  | { type: 'failed' }
  /** The cases of the last run. */
  | { type: 'again' }
  | { type: 'changed'; files: readonly string[] };

/** A case that ran, as it was then. */
type KnownCase = { content: string; agent: string; source: InputSource | undefined };

/** A case that did not pass, with the results of its runs. */
export type FailedCase = { source: InputSource | undefined; results: ResultEvent[] };

/** More results of failed cases are not kept. */
const MAX_RESULTS = 10_000;

export class WatchMemory {
  readonly #known = new Map<string, KnownCase>();
  readonly #failed = new Map<string, ResultEvent[]>();
  #lastRun: ReadonlySet<string> = new Set();
  /** The files of script and skill tests, by the test's name. */
  readonly #reach = new Map<string, readonly string[]>();
  #agentFiles: ReadonlyMap<string, readonly string[]> = new Map();
  #caseFiles: ReadonlySet<string> = new Set();
  #others: ReadonlySet<string> = new Set();

  get failedCount(): number {
    return this.#failed.size;
  }

  /** The cases that did not pass and whose results are known. */
  failed(): FailedCase[] {
    return [...this.#failed].map(([key, results]) => ({ source: this.#known.get(key)?.source, results }));
  }

  /** The part of the run that a wish means. */
  focus(wish: Wish): Focus {
    const first = new Set([...this.#failed.keys()].map((key) => key.slice(0, key.indexOf('\n'))));
    switch (wish.type) {
      case 'all':
        return { first };
      case 'failed':
        return { first, cases: this.#among(this.#failed) };
      case 'again':
        return this.#lastRun.size === 0 ? { first } : { first, cases: this.#among(this.#lastRun) };
      case 'changed':
        return { first, ...this.#changed(wish.files) };
    }
  }

  /** A file of a judge, a hook, the configuration or a definition concerns everything. */
  #changed(files: readonly string[]): Pick<Focus, 'cases' | 'only'> {
    const agents = new Set<string>();
    const names = new Set<string>();
    let hasCaseFile = false;
    for (const file of files) {
      const tests = namesWith(this.#reach, file);
      const tested = namesWith(this.#agentFiles, file);
      const isCaseFile = this.#caseFiles.has(file);
      if (this.#others.has(file) || tests.length + tested.length + Number(isCaseFile) === 0) return {};
      for (const name of tests) names.add(name);
      for (const id of tested) agents.add(id);
      hasCaseFile ||= isCaseFile;
    }
    if (agents.size === 0 && !hasCaseFile) return { only: names };
    const cases: Select = (testCase, origin) => {
      const known = this.#known.get(keyOf(testCase, origin));
      if (known === undefined || known.content !== contentOf(testCase)) return true;
      return agents.has(known.agent) || names.has(origin.test_id);
    };
    // Cases of agents have no name.
    return this.#reach.size === 0 ? { cases } : { cases, only: new Set([...names, '']) };
  }

  #among(keys: { has(key: string): boolean }): Select {
    return (testCase, origin) => keys.has(keyOf(testCase, origin));
  }

  /** Learns what a plan reads. Limits the log to the cases of the focus, so that `--resume` means the same. */
  async learn(plan: RunPlan): Promise<LearnedPlan> {
    const { prepared, inputs, request } = plan;
    for (const [name, files] of prepared.reach) this.#reach.set(name, files);
    this.#agentFiles = new Map([...this.#agentFiles, ...prepared.agentFiles]);
    this.#caseFiles = new Set([...this.#caseFiles, ...prepared.caseFiles]);
    const special = new Set([
      ...this.#caseFiles,
      ...[...this.#agentFiles.values(), ...this.#reach.values()].flat(),
    ]);
    this.#others = new Set([...prepared.files.filter((file) => !special.has(file)), ...prepared.judges]);

    const cases = new Map<string, KnownCase>();
    for await (const batch of prepared.cases()) {
      for (const loaded of batch) {
        const target = targetOf(loaded, prepared);
        if (!inputs.select(loaded.case, target)) continue;
        cases.set(keyOf(loaded.case, target), {
          content: contentOf(loaded.case),
          agent: subjectOf(target, loaded.case).id,
          source: inputs.sources[loaded.input],
        });
      }
    }
    if (request.focus.cases !== undefined) request.only = [...cases.keys()];
    return { cases, root: plan.application.root };
  }

  /** Learns how a run ended that came to its end. */
  async remember({ cases, root }: LearnedPlan): Promise<void> {
    this.#lastRun = new Set(cases.keys());
    for (const [key, known] of cases) {
      this.#known.set(key, known);
      this.#failed.delete(key);
    }
    const log = lastLog(root);
    if (log === undefined) return;
    const { notPassed } = await readNotPassed(log).catch(() => ({ notPassed: new Set<string>() }));
    for (const key of notPassed) if (cases.has(key)) this.#failed.set(key, []);
    for (const { key, result } of await readResults(log, notPassed)) this.#failed.get(key)?.push(result);
  }
}

/** The cases of a planned run. */
export type LearnedPlan = { cases: ReadonlyMap<string, KnownCase>; root: string };

function namesWith(files: ReadonlyMap<string, readonly string[]>, file: string): string[] {
  return [...files].filter(([, own]) => own.includes(file)).map(([name]) => name);
}

function keyOf(
  testCase: { id: string },
  origin: { test_id: string; variables?: { variant: string } },
): string {
  return caseKey(origin.test_id, testCase.id, origin.variables?.variant);
}

function contentOf(testCase: unknown): string {
  return hash96(JSON.stringify(testCase));
}

async function readResults(
  log: string,
  wanted: ReadonlySet<string>,
): Promise<{ key: string; result: ResultEvent }[]> {
  const found: { key: string; result: ResultEvent }[] = [];
  if (wanted.size === 0) return found;
  for await (const { lines } of readLines(log)) {
    for (const { event } of lines) {
      if (event?.type !== 'result') continue;
      const key = caseKey(event.test_id, event.id, variablesKey(event.variables));
      if (wanted.has(key)) found.push({ key, result: event });
      if (found.length === MAX_RESULTS) return found;
    }
  }
  return found;
}
