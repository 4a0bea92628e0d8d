import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ResultEvent, RunEvent, StartEvent } from '../../src/model/event.ts';
import { resultEvent, startEvent, summaryEvent } from '../fixtures/logs/agent-log.ts';
import { openStore } from '../../src/history/store/open-store.ts';
import { previousRun, withPrevious } from '../../src/history/store/run-subject.ts';
import { createSideFold } from '../../src/compare/side-fold.ts';
import type { Side } from '../../src/compare/side.ts';
import { compareSides } from '../../src/compare/compare-sides.ts';
import type { ComparedCase, Comparison } from '../../src/model/comparison.ts';
import type { Store } from '../../src/history/store/store.ts';
import { DATABASES } from './databases.ts';

const FIRST = '01939f0a-0000-7000-8000-00000000000a';
const SECOND = '01939f0a-0000-7000-8000-00000000000b';
const TEST = 'tests/inputs.jsonl';

describe.each(DATABASES)('the history in $name', (database) => {
  let store: Store;
  beforeEach(async () => {
    store = await openStore(await database.create());
  });
  afterEach(() => store.close());

  test('scores are those of the verdicts that count, in a log and in the history alike', async () => {
    const verdicts = (score: number) => [
      { type: 'contains', status: 'passed' as const },
      { type: 'agent', metric: 'tone', status: 'passed' as const, score },
      { type: 'similar', status: 'failed' as const, score: score / 2 },
    ];
    const events: RunEvent[] = [
      startEvent({ run_id: FIRST, runs_per_case: 2 }),
      resultEvent('a', { key: 'a1', verdicts: verdicts(0.5) }),
      resultEvent('a', { key: 'a2', run: 2, verdicts: verdicts(1) }),
      resultEvent('a', { key: 'a3', run: 3, verdicts: verdicts(0), uncounted: 'confirm' }),
      resultEvent('b', { key: 'b1', status: 'error', code: 'judge', error: 'x', verdicts: verdicts(0) }),
      resultEvent('c', { key: 'c1', output: 'says "score"' }),
    ];
    await store.importRun(events);
    const fold = createSideFold(startEvent({ run_id: FIRST, runs_per_case: 2 }));
    for (const event of events) if (event.type === 'result') fold.add(event);
    const scores = ({ cases }: Side) => cases.map((one) => [one.case_id, [...(one.scores ?? [])]]);
    expect(scores(await store.side(FIRST))).toEqual([
      [
        'a',
        [
          ['tone', { sum: 1.5, count: 2 }],
          ['similar', { sum: 0.75, count: 2 }],
        ],
      ],
      ['b', []],
      ['c', []],
    ]);
    expect(scores(fold.side())).toEqual(scores(await store.side(FIRST)));
  });

  test('compares only cases with equal test, id and variables', async () => {
    const results = (list: ResultEvent[], run_id: string, timestamp: string): RunEvent[] => [
      startEvent({ run_id, timestamp }),
      ...list,
    ];
    const failed = { status: 'failed' as const, duration_ms: 40 };
    const de = { variables: { locale: 'de', model: { a: 1, b: 2 } } };
    const sameDe = { variables: { locale: 'de', model: { b: 2, a: 1 } } };
    await store.importRun(
      results(
        [
          resultEvent('worse'),
          resultEvent('better', failed),
          resultEvent('same'),
          resultEvent('variant', { ...de, key: 'v1' }),
          resultEvent('gone'),
          resultEvent('moved', { test_id: 'a' }),
          resultEvent('unknown'),
          resultEvent('left out', { status: 'skipped' }),
          resultEvent('never run', { status: 'skipped' }),
        ],
        FIRST,
        '2024-12-17T10:00:00Z',
      ),
    );
    await store.importRun(
      results(
        [
          resultEvent('worse', failed),
          resultEvent('better'),
          resultEvent('same'),
          resultEvent('variant', { ...failed, ...sameDe, key: 'v1' }),
          resultEvent('variant', { variables: { locale: 'fr' }, key: 'v2' }),
          resultEvent('moved', { test_id: 'b' }),
          resultEvent('unknown', { status: 'error', code: 'connection', error: 'x' }),
          resultEvent('left out'),
          resultEvent('never run', { status: 'skipped' }),
        ],
        SECOND,
        '2024-12-17T11:00:00Z',
      ),
    );
    const { runs, counts, cases } = await compare(store, FIRST, 'latest');
    const once = { runs: 1, measured: 1, cost_usd: null };
    const side = { ...once, status: 'passed', passed: 1, pass_rate: 100, avg_duration_ms: 12 };
    const bad = { ...once, status: 'failed', passed: 0, pass_rate: 0, avg_duration_ms: 40 };
    const none = { passed: 0, measured: 0, pass_rate: null, avg_duration_ms: null, cost_usd: null };
    const unmeasured = { ...none, status: 'error', runs: 1 };
    const skipped = { ...none, status: 'skipped', runs: 0 };
    const one = (case_id: string, change: string, then: object | null, now: object | null, more = {}) => ({
      test_id: TEST,
      case_id,
      variables: null,
      change,
      before: then,
      after: now,
      ...more,
    });
    expect([runs.before[0]?.run_id, runs.after[0]?.run_id]).toEqual([FIRST, SECOND]);
    expect(counts).toEqual({
      changed: 0,
      improved: 1,
      new: 2,
      regressed: 2,
      removed: 2,
      unchanged: 2,
      unmeasured: 2,
    });
    const facts = cases.map(({ test_id, case_id, variables, change, before, after }) => ({
      test_id,
      case_id,
      variables,
      change,
      before,
      after,
    }));
    expect(facts.toSorted(byKey)).toEqual([
      one('better', 'improved', bad, side),
      one('gone', 'removed', side, null),
      one('left out', 'unmeasured', skipped, side),
      one('moved', 'removed', side, null, { test_id: 'a' }),
      one('moved', 'new', null, side, { test_id: 'b' }),
      one('never run', 'unchanged', skipped, skipped),
      one('same', 'unchanged', side, side),
      one('unknown', 'unmeasured', side, unmeasured),
      one('variant', 'regressed', side, bad, sameDe),
      one('variant', 'new', null, side, { variables: { locale: 'fr' } }),
      one('worse', 'regressed', side, bad),
    ]);
  });

  test('a side has the content, cost and tokens of each case, and whether it flips', async () => {
    await store.importRun([
      startEvent({ run_id: FIRST, runs_per_case: 2, connector: 'gpt', judge_sha256: 'j1' }),
      resultEvent('a', { case_sha: 'sha-a', usage: { input_tokens: 10, output_tokens: 5 }, cost_usd: 0.5 }),
      resultEvent('a', {
        run: 2,
        case_sha: 'sha-a',
        status: 'failed',
        usage: { input_tokens: 4, output_tokens: 1 },
        cost_usd: 0.1,
      }),
      resultEvent('b', { usage: { input_tokens: 1 }, cost_usd: null }),
      resultEvent('b', { run: 2, uncounted: 'confirm', status: 'failed' }),
    ]);
    expect(await store.side('latest')).toEqual({
      runs: [
        {
          run_id: FIRST,
          started_at: '2024-12-17T10:00:00.000Z',
          commit: null,
          agent_id: 'keyword',
          agent_sha256: 'bb',
          connector: 'gpt',
          judge_sha256: 'j1',
          is_auto: false,
          replayed_from: null,
        },
      ],
      cases: [
        {
          test_id: TEST,
          case_id: 'a',
          variables: null,
          kind: 'agent-eval',
          status: 'failed',
          content: 'sha-a',
          passed: 1,
          measured: 2,
          unmeasured: 0,
          duration_ms: 12,
          cost_usd: 0.3,
          tokens: 10,
          flips: true,
        },
        {
          test_id: TEST,
          case_id: 'b',
          variables: null,
          kind: 'agent-eval',
          status: 'passed',
          content: null,
          passed: 1,
          measured: 1,
          unmeasured: 0,
          duration_ms: 12,
          cost_usd: null,
          tokens: 1,
          flips: false,
        },
      ],
    });
  });

  test('of a run that chose its repetitions, the first three attempts count', async () => {
    await store.importRun([
      startEvent({ run_id: FIRST, runs_per_case: 20, flags: { runs: 'auto' } }),
      ...[1, 2, 3, 4, 5].map((run) => resultEvent('a', { run, status: run > 2 ? 'failed' : 'passed' })),
    ]);
    const { runs, cases } = await store.side('latest');
    expect([runs[0]?.is_auto, cases.map(({ passed, measured }) => [passed, measured])]).toEqual([
      true,
      [[2, 3]],
    ]);
  });

  test('a script test that flipped on one clean commit is known to flip', async () => {
    const git = { commit: 'c1', branch: 'main', dirty: false };
    const script = (run_id: string, hour: number, status: 'failed' | 'passed', commit: string) => [
      startEvent({
        run_id,
        timestamp: `2024-12-17T${String(hour)}:00:00Z`,
        inputs: [
          {
            type: 'script',
            input: 's',
            script: 's',
            script_path: 's',
            file: 's',
            sha256: 'x',
            agent_id: 'a',
            agent_sha256: 'b',
          },
        ],
        origin: { git: { ...git, commit } },
      }),
      resultEvent('TestA', { kind: 'script', status }),
      resultEvent('TestB', { kind: 'script', status: commit === 'c1' ? 'passed' : status }),
    ];
    for (const [at, [status, commit]] of (
      [
        ['passed', 'c1'],
        ['failed', 'c1'],
        ['passed', 'c2'],
      ] as const
    ).entries())
      await store.importRun(script(`01939f0a-0000-7000-8000-00000000001${at}`, 10 + at, status, commit));
    const { cases } = await store.side('latest');
    expect(cases.map(({ case_id, flips }) => [case_id, flips])).toEqual([
      ['TestA', true],
      ['TestB', false],
    ]);
  });

  test('the run before is one of the same inputs, with the same values, that came to its end', async () => {
    const input = (path: string, more = {}): StartEvent['inputs'][number] => ({
      type: 'file',
      path,
      sha256: 'aa',
      agent_id: 'keyword',
      agent_sha256: 'bb',
      ...more,
    });
    const id = (number: number): string => `01939f0a-0000-7000-8000-00000000000${String(number)}`;
    const record = async (number: number, fields: Partial<StartEvent>, exit_code?: number): Promise<void> => {
      const timestamp = `2024-12-17T10:0${String(number)}:00Z`;
      const end = exit_code === undefined ? [] : [summaryEvent({ exit_code })];
      await store.importRun([startEvent({ run_id: id(number), timestamp, ...fields }), ...end]);
    };
    const test = { id: 't', name: 'T', type: 'agent-eval' };
    const ofTest = (language: string): Partial<StartEvent> => ({
      inputs: [
        input('t.jsonl', {
          test: 't',
          test_id: 't',
          resolved_variables: { values: { Language: language }, sources: {} },
        }),
      ],
      definitions: { types: [], tests: [test] },
    });
    await record(1, { inputs: [input('a.jsonl')] }, 130);
    await record(2, { inputs: [input('a.jsonl')] }, 1);
    await record(3, { inputs: [input('b.jsonl')] }, 0);
    await record(4, { inputs: [input('a.jsonl')] }, 130);
    await record(5, { inputs: [input('a.jsonl')] });
    await record(6, { inputs: [input('a.jsonl')] }, 0);
    await record(7, ofTest('de'), 0);
    await record(8, ofTest('fr'), 0);
    await record(9, ofTest('de'), 0);
    const previous = async (number: number): Promise<string | undefined> =>
      (await previousRun(store, await store.run(id(number))))?.run_id;
    expect(await Promise.all([6, 4, 2, 3, 9, 8].map(previous))).toEqual([
      id(2),
      id(2),
      // Better than none.
      id(1),
      undefined,
      id(7),
      undefined,
    ]);
    expect([...withPrevious(await store.runs())].sort()).toEqual([2, 4, 5, 6, 9].map(id));
  });
});

async function compare(store: Store, before: string, after: string): Promise<Comparison> {
  return compareSides(await store.side(before), await store.side(after));
}

type Named = Pick<ComparedCase, 'case_id' | 'test_id' | 'variables'>;

function byKey(a: Named, b: Named): number {
  return key(a).localeCompare(key(b));
}

function key(one: Named): string {
  return `${one.case_id} ${one.test_id} ${JSON.stringify(one.variables)?.slice(0, 20)}`;
}
