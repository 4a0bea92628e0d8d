// After the run: for each case with `select_best`, asks a judge which variant of the matrix has the best answer.

import { messageOf } from '../../errors.ts';
import { readChoice, selectionCall } from '../../kinds/agent/choose-answer.ts';
import { listSelections } from '../../kinds/agent/list-selections.ts';
import { openLog } from '../../log/reader.ts';
import type { Transcript } from '../../model/agent.ts';
import type { Assertion, CaseInput } from '../../model/case.ts';
import type { ResultEvent, SelectionEvent } from '../../model/event.ts';
import { isMeasured } from '../../model/outcome.ts';
import { hash96 } from '../../platform/hash.ts';
import { canonicalJson } from '../../stats/canonical.ts';
import { runContext } from '../context.ts';
import type { SideCallRunner } from '../lazy-side-calls.ts';
import type { RunPlan } from '../plan.ts';

const DEFAULT_TIMEOUT_MS = 5 * 60_000;
const DEFAULT_PARALLEL = 4;

type Answer = { variables: Record<string, unknown>; result: ResultEvent };

/** The answers of all variants to one case in one run. */
type Group = {
  test_id: string;
  id: string;
  run: number;
  input: CaseInput | undefined;
  answers: Map<string, Answer>;
  /** The criteria that an earlier part of the run has chosen by, since the last of these answers. */
  chosen: Set<string>;
};

type Deps = { log: string; sideCalls: SideCallRunner; interrupt: AbortSignal };

/** The choices that the log does not have yet, in the order of the log. */
export async function selectBest(plan: RunPlan, deps: Deps): Promise<SelectionEvent[]> {
  const wanted = await readSelections(plan);
  const groups = await readGroups(deps.log, wanted, Object.keys(plan.inputs.matrix ?? {}));
  const open = groups.flatMap((group) =>
    (wanted.get(caseName(group)) ?? [])
      .filter((assertion) => !group.chosen.has(criteriaKey(assertion.value)))
      .map((assertion) => ({ group, assertion })),
  );
  const events: SelectionEvent[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < open.length && !deps.interrupt.aborted; at = next++) {
      const { group, assertion } = open[at] as (typeof open)[number];
      events[at] = await selectOne(group, assertion, plan, deps);
    }
  };
  await Promise.all(
    Array.from({ length: Math.max(1, plan.inputs.settings.parallel ?? DEFAULT_PARALLEL) }, work),
  );
  // An interrupted run has gaps; they are chosen when it is resumed.
  return events.filter((event) => event !== undefined);
}

/** Reads the cases again: most runs have no such assertion, and keep nothing for it. */
async function readSelections({ prepared }: RunPlan): Promise<Map<string, readonly Assertion[]>> {
  const wanted = new Map<string, readonly Assertion[]>();
  for await (const batch of prepared.cases())
    for (const { case: testCase, test_id } of batch) {
      const selections = listSelections(testCase);
      if (selections.length > 0) wanted.set(caseName({ test_id, id: testCase.id }), selections);
    }
  return wanted;
}

async function readGroups(
  log: string,
  wanted: ReadonlyMap<string, unknown>,
  names: readonly string[],
): Promise<Group[]> {
  const groups = new Map<string, Group>();
  for await (const event of openLog(log).events()) {
    if (event.type !== 'result' && event.type !== 'selection') continue;
    const { test_id, id, run } = event;
    if (!wanted.has(caseName(event))) continue;
    const key = `${caseName(event)}\n${String(run)}`;
    const group = groups.get(key) ?? {
      test_id,
      id,
      run,
      input: undefined,
      answers: new Map<string, Answer>(),
      chosen: new Set<string>(),
    };
    groups.set(key, group);
    if (event.type === 'selection') {
      if (event.error === undefined) group.chosen.add(criteriaKey(event.criteria));
      continue;
    }
    const variables = pick(event.variables ?? {}, names);
    group.input ??= event.input;
    group.answers.set(canonicalJson(variables), { variables, result: event });
    group.chosen.clear();
  }
  return [...groups.values()].filter(({ answers }) => answers.size > 0);
}

async function selectOne(
  group: Group,
  assertion: Assertion,
  plan: RunPlan,
  { sideCalls }: Deps,
): Promise<SelectionEvent> {
  const { test_id, id, run } = group;
  const answers = shuffled(group);
  const event: SelectionEvent = {
    type: 'selection',
    test_id,
    id,
    run,
    criteria: assertion.value,
    choices: answers.map(({ variables }) => variables),
  };
  try {
    const candidates = answered(answers);
    if (candidates.length === 1)
      return { ...event, best: candidates[0]?.variables, reason: 'the only variant with an answer' };
    const outputs = candidates.map(({ result }) => result.output);
    const { value } = await sideCalls.run(
      selectionCall(assertion, { input: group.input, outputs }, judgePlace(plan, test_id)),
    );
    // Both calls give a transcript.
    const { output, usage, cost_usd } = value as Transcript;
    Object.assign(event, { ...(usage && { usage }), ...(cost_usd !== undefined && { cost_usd }) });
    const { index, reason } = readChoice(output, outputs.length);
    return { ...event, best: candidates[index]?.variables, ...(reason !== undefined && { reason }) };
  } catch (error) {
    return { ...event, error: messageOf(error) };
  }
}

/** The variants with an answer; one that timed out or crashed has lost. Throws if there is nothing to choose between. */
function answered(answers: readonly Answer[]): Answer[] {
  const unknown = answers.filter(({ result }) => result.output === undefined && !isMeasured(result));
  if (unknown.length > 0)
    throw new Error(`${String(unknown.length)} of ${String(answers.length)} variants could not be measured`);
  if (answers.length < 2) throw new Error('only one variant of the case ran');
  const candidates = answers.filter(({ result }) => (result.output ?? null) !== null);
  if (candidates.length === 0) throw new Error('no variant has an answer');
  return candidates;
}

/** In an order that depends on the case and not on the matrix: judges prefer some positions. The same run has the same order. */
function shuffled({ test_id, id, run, answers }: Group): Answer[] {
  const place = (key: string): string => hash96(JSON.stringify([test_id, id, run, key]));
  return [...answers].sort(([a], [b]) => (place(a) < place(b) ? -1 : 1)).map(([, answer]) => answer);
}

function judgePlace({ application, inputs, prepared }: RunPlan, testId: string) {
  const target = prepared.targets.find(({ test_id }) => test_id === testId) ?? prepared.targets[0];
  if (target === undefined) throw new Error(`there is no test ${testId}`);
  const context = runContext(target, prepared.context, inputs.settings);
  return { context, root: application.root, timeout_ms: target.timeout_ms || DEFAULT_TIMEOUT_MS };
}

function caseName({ test_id, id }: { test_id: string; id: string }): string {
  return `${test_id}\n${id}`;
}

function criteriaKey(criteria: unknown): string {
  return canonicalJson(criteria);
}

function pick(values: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(values, name)).map((name) => [name, values[name]]),
  );
}
