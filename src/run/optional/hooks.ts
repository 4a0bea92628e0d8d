// `--before-all` and `--after-all`: functions of the user around a whole run.

import { ConfigError, collectProblems, messageOf, RuntimeError } from '../../errors.ts';
import type { Problem } from '../../errors.ts';
import { AFTER_MS } from './after-hook.ts';
import { checkFunction } from '../../scripts/check-function.ts';
import { readHookResult } from '../../scripts/hook-result.ts';
import { hookFolder } from '../../scripts/locate-function.ts';
import type { Target } from '../../model/attempt.ts';
import type { SuiteDefinition } from '../../model/definition.ts';
import type { ResultEvent } from '../../model/event.ts';
import type { Settings } from '../../application/options/options.ts';
import { DEFAULTS } from '../../model/settings.ts';
import { testedAgent } from '../../model/subject.ts';
import { targetOf } from '../../plan/attempts.ts';
import { openLog } from '../../log/reader.ts';
import type { SideCallRunner } from '../lazy-side-calls.ts';
import { logsOf, printed } from './user-output.ts';
import { runContext } from '../context.ts';
import type { Io } from '../io.ts';
import type { RunPlan } from '../plan.ts';
import { escapeControls } from '../../text/untrusted.ts';

/** The parts of a plan that hooks need. */
type HookedRun = Pick<RunPlan, 'application' | 'inputs' | 'prepared'>;

/** Receives the lines that a hook prints. */
type Tell = (line: string) => void;

/** Cap on the cases and results that the hooks get. */
const MANY = 1000;

/** Checks that the hooks of a run can be called, and gives the files they are made of. */
export async function checkRunHooks(
  { before_all, after_all }: Pick<Settings, 'after_all' | 'before_all'>,
  target: Target,
  { cwd, suite }: { cwd: string; suite?: SuiteDefinition | undefined },
): Promise<string[]> {
  const problems: Problem[] = [];
  const files: string[] = [];
  const ofSuite = (field: 'setUp' | 'tearDown', reference: string | undefined): string | undefined =>
    suite !== undefined && suite[field] === reference ? `suite ${suite.id}, ${field}` : undefined;
  const hooks: [string, string | undefined][] = [
    [ofSuite('setUp', before_all) ?? '--before-all', before_all],
    [ofSuite('tearDown', after_all) ?? '--after-all', after_all],
  ];
  for (const [at, reference] of hooks) {
    if (reference === undefined) continue;
    const { root } = target;
    const folder = hookFolder(reference, { ...target, agent: testedAgent(target.subject) });
    const own: Problem[] = [];
    const found = await collectProblems(own, () => checkFunction(reference, { root, folder, cwd }));
    for (const problem of own) problems.push({ ...problem, at: problem.at ?? at });
    files.push(...(found?.files ?? []));
  }
  if (problems.length > 0) throw ConfigError.of(problems);
  return files;
}

/** The functions around a run. */
export type RunHooks = {
  before(): Promise<void>;
  /** Gives what went wrong. */
  after(log: string | undefined): Promise<string | undefined>;
};

/** `after` gets what `before` returned, and is called even if `before` failed. */
export function openRunHooks(plan: HookedRun, sideCalls: SideCallRunner, io: Pick<Io, 'stderr'>): RunHooks {
  const tell = (line: string): void => {
    if (plan.inputs.settings.verbose) io.stderr.write(`${escapeControls(line)}\n`);
  };
  let before: unknown;
  return {
    async before() {
      before = readHookResult(await runBeforeAll(plan, sideCalls, tell)).data;
    },
    after: (log) => runAfterAll(plan, sideCalls, { log, before, tell }),
  };
}

/** Calls `--before-all` with the first cases; what it returns is for `--after-all`. */
async function runBeforeAll(plan: HookedRun, sideCalls: SideCallRunner, tell: Tell): Promise<unknown> {
  const reference = plan.inputs.settings.before_all;
  if (reference === undefined) return undefined;
  try {
    return await callHook(reference, [await firstCases(plan)], plan, sideCalls, {
      tell,
      timeout_ms: plan.inputs.settings.timeout_ms ?? DEFAULTS.timeout_ms,
    });
  } catch (cause) {
    throw new RuntimeError(`nothing was executed: ${failure(`before-all ${reference}`, cause, plan)}`);
  }
}

/** Calls `--after-all` with the first results of the log; gives what went wrong. */
async function runAfterAll(
  plan: HookedRun,
  sideCalls: SideCallRunner,
  { log, before, tell }: { log: string | undefined; before: unknown; tell: Tell },
): Promise<string | undefined> {
  const reference = plan.inputs.settings.after_all;
  if (reference === undefined) return undefined;
  try {
    await callHook(reference, [await firstResults(log), before], plan, sideCalls, {
      tell,
      timeout_ms: AFTER_MS,
    });
    return undefined;
  } catch (error) {
    return failure(`after-all ${reference}`, error, plan);
  }
}

/** The lines that the hook printed may say why it failed, so they are shown even without `--verbose`. */
function failure(hook: string, error: unknown, { application: { redactor } }: HookedRun): string {
  const message = redactor.text(`${hook}: ${messageOf(error)}`);
  return `${message}${printed(logsOf(error), redactor.text)}`;
}

async function callHook(
  reference: string,
  args: unknown[],
  { application, inputs, prepared }: HookedRun,
  sideCalls: SideCallRunner,
  { tell, timeout_ms }: { tell: Tell; timeout_ms: number },
): Promise<unknown> {
  const { settings, defined } = inputs;
  const [target] = prepared.targets;
  if (target === undefined) throw new Error('a run has at least one target');
  const { value, logs } = await sideCalls.run({
    type: 'call',
    reference,
    args,
    context_at: 'start',
    // Only the values that all tests have in common: those of the first test are not those of the others.
    context: {
      ...runContext(target, prepared.context, settings),
      ...(defined !== undefined && { variables: defined.logged.resolved_variables?.values ?? {} }),
    },
    root: application.root,
    folder: hookFolder(reference, { ...target, agent: testedAgent(target.subject) }),
    timeout_ms,
  });
  for (const line of logs) tell(application.redactor.text(`${reference}: ${line}`));
  return value;
}

async function firstCases({ inputs: { select }, prepared }: HookedRun): Promise<unknown[]> {
  const cases: unknown[] = [];
  for await (const batch of prepared.cases()) {
    for (const loaded of batch) {
      if (select(loaded.case, targetOf(loaded, prepared))) cases.push(loaded.case);
      if (cases.length === MANY) return cases;
    }
  }
  return cases;
}

async function firstResults(log: string | undefined): Promise<unknown[]> {
  const results: unknown[] = [];
  if (log === undefined) return results;
  for await (const event of openLog(log).events()) {
    if (event.type === 'result') results.push(shortResult(event));
    if (results.length === MANY) break;
  }
  return results;
}

function shortResult({ id, status, duration_ms, error, output }: ResultEvent): Record<string, unknown> {
  return { id, status, duration_ms, error, output };
}
