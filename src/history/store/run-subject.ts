// The subject of a run: its name for users, and the previous run with the same subject.

import { EXIT } from '../../model/exit-code.ts';
import type { LoggedInput } from '../../model/event.ts';
import { variablesKey } from '../../variables/variables-key.ts';
import type { Store, StoredRun } from './store.ts';
import { ellipsize } from '../../text/cut-text.ts';

/** How many earlier runs to search. */
const LOOK_BACK = 200;
/** Maximum number of inputs to name. */
const MAX_NAMED = 2;
const MESSAGE_LENGTH = 60;

type Tested = Pick<StoredRun, 'agent_id' | 'inputs' | 'suite' | 'tests'>;

/** `tests/inputs.jsonl`, or `scripts.expense, scripts.travel and 2 more`. */
export function inputsText(inputs: readonly LoggedInput[]): string {
  const names = [...new Set(inputs.map(shownName))];
  const more = names.length - MAX_NAMED;
  return names.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${String(more)} more` : '');
}

/** True if two runs have the same inputs, or the same suite or tests. */
export function isSameSubject(a: Tested, b: Tested): boolean {
  const [one, other] = [toSubject(a), toSubject(b)];
  return one.all === other.all || (one.defined !== undefined && one.defined === other.defined);
}

/**
 * The newest run before this one with the same subject, preferably a finished one. A suite or tests that changed since still
 * match as long as they share an input.
 */
export async function previousRun(store: Store, run: StoredRun): Promise<StoredRun | undefined> {
  const earlier = await store.runs({ before: run.run_id, limit: LOOK_BACK, ...narrowFilter(run) });
  const wanted = toSubject(run);
  const found = earlier.map((one) => ({ one, likeness: compareSubjects(wanted, toSubject(one)) }));
  const complete = found.filter(({ one }) => hasEnded(one));
  const [best] = [
    ...complete.filter(({ likeness }) => likeness === 'same'),
    ...complete.filter(({ likeness }) => likeness === 'changed'),
    ...found.filter(({ likeness }) => likeness !== 'other'),
  ];
  return best?.one;
}

/** Takes runs, newest first; returns the ids of those with an earlier run of the same subject in the list. */
export function withPrevious(runs: readonly StoredRun[]): Set<string> {
  const all = new Set<string>();
  const defined = new Map<string, Set<string>>();
  const found = new Set<string>();
  for (const run of runs.toReversed()) {
    const subject = toSubject(run);
    const known = defined.get(subject.defined ?? '') ?? new Set();
    if (all.has(subject.all) || subject.inputs.some((input) => known.has(input))) found.add(run.run_id);
    all.add(subject.all);
    if (subject.defined === undefined) continue;
    defined.set(subject.defined, known);
    for (const input of subject.inputs) known.add(input);
  }
  return found;
}

type Subject = {
  /** Each with its variables: a case with other variables is another case. */
  inputs: string[];
  /** The agent and all inputs. */
  all: string;
  /** The suite or the tests, if there are definitions. */
  defined: string | undefined;
};

function toSubject({ agent_id, inputs, suite, tests }: Tested): Subject {
  // Sorted, because combinations may run in another order.
  const names = inputs
    .map((input) => `${inputName(input)} ${variablesKey(input.resolved_variables?.values)}`)
    .sort();
  const ids = tests.map(({ id }) => id).sort();
  const defined =
    suite === null ? (ids.length === 0 ? undefined : `tests ${JSON.stringify(ids)}`) : `suite ${suite.id}`;
  return { inputs: names, all: JSON.stringify([agent_id, names]), defined };
}

function compareSubjects(a: Subject, b: Subject): 'changed' | 'other' | 'same' {
  if (a.all === b.all) return 'same';
  if (a.defined === undefined || a.defined !== b.defined) return 'other';
  const known = new Set(a.inputs);
  return b.inputs.some((input) => known.has(input)) ? 'changed' : 'other';
}

function hasEnded({ finished_at, exit_code }: StoredRun): boolean {
  return finished_at !== null && exit_code !== EXIT.interrupted;
}

/** A filter that excludes most runs with another subject. */
function narrowFilter({ suite, tests: [first], agent_id }: StoredRun): {
  suite?: string;
  test?: string;
  agent?: string;
} {
  if (suite !== null) return { suite: suite.id };
  return first === undefined ? { agent: agent_id } : { test: first.id };
}

function inputName(input: LoggedInput): string {
  if (input.test_id !== undefined) return input.test_id;
  if (input.type === 'file' || input.type === 'cases') return input.path;
  return input.type === 'message' ? input.message : input.input;
}

function shownName(input: LoggedInput): string {
  if (input.type === 'file' && input.generated !== undefined) return input.generated;
  if (input.type !== 'message') return inputName(input);
  return JSON.stringify(ellipsize(input.message, MESSAGE_LENGTH));
}
