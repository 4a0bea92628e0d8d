// The kind of test whose agent answers from sessions: each session is one case, judged by the case that it belongs to.

import { agentKind } from '../../kinds/agent/kind.ts';
import type { CaseSource } from '../../kinds/agent/source.ts';
import type { Kind, PreparedInput, PrepareInput, PrepareOptions } from '../../kinds/kind.ts';
import type { Attempt } from '../../model/attempt.ts';
import type { LoadedCase, TestCase } from '../../model/case.ts';
import { isConversation } from '../../model/case.ts';
import type { AgentSubject } from '../../model/subject.ts';
import { recordedAgent, recordedSubjects } from '../recorded-agent.ts';
import type { Recorded } from '../recorded.ts';
import { notGraded } from '../recorded.ts';
import { RecordedPool } from '../recorded-pool.ts';
import type { GradedSession, Matches } from './match-sessions.ts';
import { isPattern, matchSessions } from './match-sessions.ts';
import type { Session } from './session.ts';

const MOST_NAMED = 10;
/** Cases are handed on in groups of this size. */
const BATCH = 1000;

type Prepared = readonly (PreparedInput | undefined)[];

/** What a case of the run stands for: a session, or the reason why it has none. */
type Bound = { session: Session } | { reason: string };

export function sessionKind(sessions: readonly Session[]): Kind<CaseSource, AgentSubject> {
  const bound = new WeakMap<TestCase, Bound>();
  const agents = [...new Set(sessions.map(({ agent }) => agent))].sort().join(', ');
  const recorded = recordedAgent(agents);
  return {
    ...agentKind,
    defaults: { ...agentKind.defaults, parallel: 'cores' },
    async prepare(inputs, options) {
      const prepared = await agentKind.prepare(inputs, { ...options, recorded });
      // What is wrong with the cases is told first.
      if (options.problems.length > 0) return prepared;
      const matches = await matchSessions(sessions, () => allCases(prepared));
      const graded: (PreparedInput | undefined)[] = [];
      for (const [position, { target, index }] of inputs.entries()) {
        const input = prepared[position];
        if (input === undefined) continue;
        const left = position === 0 ? matches.left : [];
        const place = { input: position, index, test_id: target.test_id };
        const cases = (): AsyncGenerator<LoadedCase[]> => expand(input, matches, left, place, bound);
        const counts = await countCases(cases, (one) => options.select(one, target));
        const note = notesOn(input, left);
        graded[position] = {
          ...input,
          ...recordedSubjects(recorded, agents),
          ...counts,
          ...(note !== undefined && { note }),
          cases,
        };
      }
      refuseNothing(inputs, matches, sessions, options);
      return graded;
    },
    openPool: (options) => new RecordedPool(options, (attempt) => findRecorded(attempt, bound)),
  };
}

async function* allCases(prepared: Prepared): AsyncGenerator<{ input: number; case: TestCase }> {
  for (const [input, one] of prepared.entries())
    for await (const batch of one?.cases() ?? [])
      for (const loaded of batch) yield { input, case: loaded.case };
}

/** A case for every session, and one for each case that has no session. */
async function* expand(
  prepared: PreparedInput,
  matches: Matches,
  left: readonly GradedSession[],
  { input, index, test_id }: { input: number; index: number; test_id: string },
  bound: WeakMap<TestCase, Bound>,
): AsyncGenerator<LoadedCase[]> {
  let batch: LoadedCase[] = [];
  const add = (testCase: TestCase, line: number, what: Bound): void => {
    bound.set(testCase, what);
    batch.push({ case: testCase, test_id, input: index, line });
  };
  for await (const loaded of prepared.cases()) {
    for (const { case: testCase, line } of loaded) {
      const own = matches.of(input, testCase.id);
      for (const { session, id } of own) add(sessionCase(testCase, session, id), line, { session });
      if (own.length === 0)
        add({ ...testCase, input: emptyIfNone(testCase) }, line, {
          reason: isPattern(testCase.id)
            ? 'no session is left that fits it'
            : 'no session has this id or begins with this input',
        });
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
  }
  for (const { session, id } of left)
    add({ id, input: session.input ?? '' }, 1, { reason: 'no case is for this session' });
  if (batch.length > 0) yield batch;
}

/** The case as it is for one session: the question is the one that was asked. */
function sessionCase(testCase: TestCase, session: Session, id: string): TestCase {
  return { ...testCase, id, input: session.input ?? emptyIfNone(testCase), agent: session.agent };
}

/** A case without an input has an empty list. */
function emptyIfNone({ input }: TestCase): TestCase['input'] {
  return Array.isArray(input) && input.length === 0 ? '' : input;
}

async function countCases(
  cases: () => AsyncIterable<LoadedCase[]>,
  isSelected: (testCase: TestCase) => boolean,
): Promise<Pick<PreparedInput, 'selected' | 'total'>> {
  const sizes = { total: 0, selected: 0 };
  for await (const batch of cases()) {
    sizes.total += batch.length;
    sizes.selected += batch.filter((loaded) => isSelected(loaded.case)).length;
  }
  return sizes;
}

function notesOn({ note }: PreparedInput, left: readonly GradedSession[]): string | undefined {
  const notes = note === undefined ? [] : [note];
  if (left.length > 0) {
    const names = left.slice(0, MOST_NAMED).map(({ session }) => `${session.id} (${session.file})`);
    const more = left.length > MOST_NAMED ? ` and ${left.length - MOST_NAMED} more` : '';
    notes.push(
      `${left.length === 1 ? '1 session has' : `${left.length} sessions have`} no case and ${left.length === 1 ? 'is' : 'are'} skipped: ${names.join(', ')}${more}`,
    );
  }
  return notes.length === 0 ? undefined : notes.join('\n');
}

function refuseNothing(
  inputs: readonly PrepareInput<CaseSource>[],
  { left }: Matches,
  sessions: readonly Session[],
  { problems }: PrepareOptions,
): void {
  if (left.length < sessions.length) return;
  const [{ id, file } = { id: '', file: '' }] = sessions;
  problems.push({
    message: `no case is for any of the ${sessions.length} sessions; the first is ${id} (${file})`,
    ...(inputs[0] !== undefined && { at: inputs[0].target.test_id }),
    hint: 'the id of a case must be that of a session or its file, or its input the first message; "id": "*" is for every session',
  });
}

async function findRecorded({ case: testCase }: Attempt, bound: WeakMap<TestCase, Bound>): Promise<Recorded> {
  const what = bound.get(testCase) ?? { reason: 'it has no session' };
  if ('reason' in what) return notGraded(what.reason);
  const { session } = what;
  const agent = session.agent;
  if (isConversation(testCase))
    return {
      ...notGraded(
        'a session is one conversation that has been: cases with turns or a simulator cannot judge it',
      ),
      agent,
    };
  const { transcript, duration_ms, error } = await session.read();
  const failed =
    error === undefined ? undefined : { status: 'error' as const, code: 'agent' as const, error };
  if (failed !== undefined)
    return { outcome: { ...failed, duration_ms: Math.round(duration_ms ?? 0), ...transcript }, agent };
  return { answer: { transcript, duration_ms: duration_ms ?? Number.NaN, input: session.input }, agent };
}
