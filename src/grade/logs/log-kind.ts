// The kind of test whose agent answers from a run log: cases as they are now, answers as they were then.

import { basename } from 'node:path';
import type { ResolvedAgent } from '../../agents/resolve/resolve.ts';
import type { Problem } from '../../errors.ts';
import { agentKind } from '../../kinds/agent/kind.ts';
import type { CaseSource } from '../../kinds/agent/source.ts';
import type { Kind, PreparedInput, PrepareInput, PrepareOptions, TargetBase } from '../../kinds/kind.ts';
import type { LoadedCase, TestCase } from '../../model/case.ts';
import { caseKey } from '../../model/case-key.ts';
import type { AgentSubject } from '../../model/subject.ts';
import { attemptKey } from '../../plan/key.ts';
import { variablesKey } from '../../variables/variables-key.ts';
import { recordedAgent, recordedSubjects } from '../recorded-agent.ts';
import type { Recorded } from '../recorded.ts';
import { notGraded } from '../recorded.ts';
import { RecordedPool } from '../recorded-pool.ts';
import type { LogAnswers } from './log-answers.ts';
import { recordedResult } from './recorded-result.ts';

/** Cases of a log that have no case any more, by the target they belong to. */
type Orphans = Map<string, Orphan[]>;
type Orphan = Pick<LoadedCase, 'case' | 'line'>;

const MOST_NAMED = 10;

export function logKind(answers: LogAnswers): Kind<CaseSource, AgentSubject> {
  const orphans = new WeakSet<TestCase>();
  const find = async (attempt: { case: TestCase; key: string }): Promise<Recorded> => {
    if (orphans.has(attempt.case)) return notGraded('it is in the log, but no case has this id now');
    const event = await answers.result(attempt.key);
    if (event === undefined) return notGraded('the log has no answer to it');
    return { ...recordedResult(event, attempt.case), agent: event.agent_id };
  };
  return {
    ...agentKind,
    defaults: { ...agentKind.defaults, parallel: 'cores' },
    testIds: (sources, root) => loggedTests(agentKind.testIds(sources, root), answers.tests),
    async prepare(inputs, options) {
      const recorded = recordedAgent(answers.start.agent_id, answers.start.inputs);
      const prepared = await agentKind.prepare(inputs, { ...options, recorded });
      // What is wrong with the cases is told first.
      if (options.problems.length > 0) return prepared;
      const found = await claimAnswers(inputs, prepared, answers);
      if (found === 0) {
        options.problems.push(nothingMatches(inputs, answers));
        return prepared;
      }
      const left = await findOrphans(inputs, answers, orphans);
      return inputs.map(({ target, index }, position) => {
        const input = prepared[position];
        const own = left.orphans.get(targetKey(target)) ?? [];
        const note = position === 0 ? left.note : undefined;
        return input && gradedInput(input, { target, index, own, answers, options, recorded, note });
      });
    },
    openPool: (options) => new RecordedPool(options, find),
  };
}

/** A file of `-i` is the test of the log with its name; a single one is that of a log with a single test. */
function loggedTests(ids: readonly string[], tests: ReadonlySet<string>): string[] {
  return ids.map((id) => {
    if (tests.has(id)) return id;
    const alike = [...tests].filter((test) => basename(test) === basename(id));
    const [only] = alike.length > 0 ? alike : [...tests];
    const isClear = alike.length === 1 || (alike.length === 0 && tests.size === 1 && ids.length === 1);
    return isClear && only !== undefined ? only : id;
  });
}

/** Marks the answers of all cases as used, and counts them. */
async function claimAnswers(
  inputs: readonly PrepareInput<CaseSource>[],
  prepared: readonly (PreparedInput | undefined)[],
  { index, mostRuns }: LogAnswers,
): Promise<number> {
  let found = 0;
  for (const [position, { target }] of inputs.entries()) {
    for await (const batch of prepared[position]?.cases() ?? []) {
      for (const { case: testCase } of batch) {
        for (let run = 1; run <= mostRuns; run += 1)
          if (index.claim(keyOf(target, testCase.id, run))) found += 1;
      }
    }
  }
  return found;
}

/** Answers that no case has asked for. */
async function findOrphans(
  inputs: readonly PrepareInput<CaseSource>[],
  answers: LogAnswers,
  known: WeakSet<TestCase>,
): Promise<{ orphans: Orphans; note: string | undefined }> {
  const targets = new Set(inputs.map(({ target }) => targetKey(target)));
  const orphans: Orphans = new Map();
  const seen = new Set<string>();
  const elsewhere = new Set<string>();
  const names: string[] = [];
  for (const place of answers.index.unclaimed()) {
    const { test_id, id, variables, input = '', line = 1 } = await answers.read(place);
    const variant = variablesKey(variables);
    const key = caseKey(test_id, id, variant);
    if (seen.has(key)) continue;
    seen.add(key);
    const target = `${test_id}\0${variant}`;
    if (!targets.has(target)) {
      elsewhere.add(test_id);
      continue;
    }
    const testCase: TestCase = { id, input };
    known.add(testCase);
    names.push(id);
    const own = orphans.get(target) ?? [];
    own.push({ case: testCase, line });
    orphans.set(target, own);
  }
  return { orphans, note: noteOn(names, elsewhere, answers.others) };
}

function noteOn(
  names: readonly string[],
  elsewhere: ReadonlySet<string>,
  others: number,
): string | undefined {
  const notes: string[] = [];
  if (names.length > 0)
    notes.push(
      `${count(names.length, 'case')} of the log ${names.length === 1 ? 'has' : 'have'} no case now and ${names.length === 1 ? 'is' : 'are'} skipped: ${shortList(names)}`,
    );
  if (elsewhere.size > 0)
    notes.push(`not graded, because no -i names their cases: ${shortList([...elsewhere])}`);
  if (others > 0)
    notes.push(
      `${count(others, 'result')} of script and skill tests in the log are left out: they have no answers`,
    );
  return notes.length === 0 ? undefined : notes.join('\n');
}

function nothingMatches(inputs: readonly PrepareInput<CaseSource>[], { path, tests }: LogAnswers): Problem {
  const tested = [...new Set(inputs.map(({ target }) => target.test_id))];
  const isOther = !tested.some((id) => tests.has(id));
  return {
    message: isOther
      ? `the log has no answers of ${shortList(tested)}; its tests are ${shortList([...tests])}`
      : 'no case has an answer in the log: ids, variables or runs differ',
    at: path,
    hint: isOther
      ? 'name the case file of such a test with -i'
      : 'cases are found by their id; a log of a matrix is graded without -i',
  };
}

type GradedInput = {
  target: TargetBase;
  index: number;
  own: readonly Orphan[];
  answers: LogAnswers;
  options: PrepareOptions;
  recorded: ResolvedAgent;
  note: string | undefined;
};

function gradedInput(input: PreparedInput, parts: GradedInput): PreparedInput {
  const { target, index, own, answers, options, recorded, note } = parts;
  const notes = [input.note, note].filter((one) => one !== undefined);
  return {
    ...input,
    ...recordedSubjects(recorded, answers.start.agent_id),
    total: input.total + own.length,
    selected: input.selected + own.filter((one) => options.select(one.case, target)).length,
    ...(notes.length > 0 && { note: notes.join('\n') }),
    async *cases() {
      for await (const batch of input.cases()) yield await withInputs(batch, target, answers);
      if (own.length > 0)
        yield own.map(({ case: testCase, line }) => ({
          case: testCase,
          line,
          test_id: target.test_id,
          input: index,
        }));
    },
  };
}

/** A case without an input gets the one that was answered. */
async function withInputs(
  batch: LoadedCase[],
  target: TargetBase,
  answers: LogAnswers,
): Promise<LoadedCase[]> {
  const hasNone = ({ case: { input, turns } }: LoadedCase): boolean =>
    turns === undefined && Array.isArray(input) && input.length === 0;
  if (!batch.some(hasNone)) return batch;
  return Promise.all(
    batch.map(async (loaded) => {
      if (!hasNone(loaded)) return loaded;
      const event = await answers.result(keyOf(target, loaded.case.id, 1));
      return { ...loaded, case: { ...loaded.case, input: event?.input ?? '' } };
    }),
  );
}

function keyOf({ test_id, variables }: TargetBase, id: string, run: number): string {
  return attemptKey(test_id, id, run, variables?.variant);
}

function targetKey({ test_id, variables }: TargetBase): string {
  return `${test_id}\0${variables?.variant ?? ''}`;
}

function shortList(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`;
}

function count(number: number, noun: string): string {
  return `${String(number)} ${noun}${number === 1 ? '' : 's'}`;
}
