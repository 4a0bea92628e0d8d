// Which value of a matrix is best, and which cases fail for one value only: with several runs, costs and groups.

import { expect, test } from 'vitest';
import type { ResultEvent, StartEvent } from '../../model/event.ts';
import { resultEvent, sourceOf, startEvent } from '../../../test/fixtures/logs/agent-log.ts';
import { variableVerdict } from '../text/best-text.ts';
import { foldByVariable } from './by-variable.ts';
import { readOverview } from './overview.ts';

/** `passes['c1']` has the passed runs of case c1 with each value. */
type Passes = Record<string, readonly number[]>;

const MODELS = ['sonnet', 'gpt', 'haiku'];

function results(passes: Passes, runs: number, fields: Partial<ResultEvent> = {}): ResultEvent[] {
  return Object.entries(passes).flatMap(([id, byModel]) =>
    byModel.flatMap((passed, model) =>
      Array.from({ length: runs }, (_, at) =>
        resultEvent(id, {
          key: `${id} ${model} ${at}`,
          test_id: 'qa',
          run: at + 1,
          status: at < passed ? 'passed' : 'failed',
          variables: { Model: MODELS[model] },
          duration_ms: 10,
          ...fields,
        }),
      ),
    ),
  );
}

async function fold(events: readonly ResultEvent[], runs: number, start: Partial<StartEvent> = {}) {
  const values = [...new Set(events.map(({ variables }) => variables?.['Model']))];
  const opening = startEvent({ matrix: { Model: values }, runs_per_case: runs, total_cases: 1, ...start });
  const source = sourceOf([opening, ...events]);
  const found = await foldByVariable(source, await readOverview(source));
  if (found === undefined) throw new Error('no matrix');
  const words = Object.keys(found.by_variable).map((name) => variableVerdict(found, name, 'case'));
  return { ...found, words };
}

/** As many cases, each with the same passes. */
function many(count: number, byModel: readonly number[], name = 'c'): Passes {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, byModel]));
}

test('a clear winner has the first rank alone', async () => {
  const spent = { usage: { input_tokens: 100, output_tokens: 20 }, cost_usd: 0.002 };
  const passes = { ...many(12, [5, 5]), ...many(8, [5, 3], 'hard') };
  const { by_variable, best, words } = await fold(results(passes, 5, spent), 5);
  const none = { skipped: 0, errors: 0, timeouts: 0 };
  const spending = { avg_duration_ms: 10, cost_usd: 0.002, tokens: 120 };
  expect({ by_variable, best, words }).toEqual({
    by_variable: {
      Model: [
        {
          value: 'sonnet',
          total: 20,
          passed: 20,
          failed: 0,
          ...none,
          pass_rate: 100,
          interval: { low: 83.9, high: 100 },
          ...spending,
          rank: [1, 1],
          may_be_best: true,
        },
        {
          value: 'gpt',
          total: 20,
          passed: 12,
          failed: 8,
          ...none,
          pass_rate: 84,
          interval: { low: 68.1, high: 92.8 },
          ...spending,
          rank: [2, 2],
          may_be_best: false,
        },
      ],
    },
    best: [
      {
        variable: 'Model',
        value: 'sonnet',
        clear: true,
        p: 0.002095,
        candidates: ['sonnet'],
        more_runs: null,
      },
    ],
    words: ['Best: sonnet, clear.'],
  });
});

test('a lead that chance explains is not clear, and says how many runs would decide', async () => {
  const passes = { ...many(16, [2, 2]), ...many(10, [2, 1], 'a'), ...many(4, [1, 2], 'b') };
  const { best, by_variable, words } = await fold(results(passes, 2), 2);
  expect(best).toEqual([
    {
      variable: 'Model',
      value: 'sonnet',
      clear: false,
      p: 0.1185,
      candidates: ['sonnet', 'gpt'],
      more_runs: 6,
    },
  ]);
  expect(words).toEqual(['Not clear: sonnet or gpt (p 0.12); 6 more runs of both would decide.']);
  expect(by_variable['Model']?.map(({ rank, may_be_best }) => [rank, may_be_best])).toEqual([
    [[1, 2], true],
    [[1, 2], true],
  ]);
});

test('three values: those that may be best, and a third that is surely not', async () => {
  const passes = { ...many(20, [3, 3, 3]), ...many(6, [3, 2, 0], 'a'), ...many(5, [2, 3, 0], 'b') };
  const { best, by_variable, words } = await fold(results(passes, 3), 3);
  expect(words).toEqual([
    'Not clear: sonnet or gpt (p 0.77); more runs would hardly decide, more cases might.',
  ]);
  expect(best[0]?.candidates).toEqual(['sonnet', 'gpt']);
  expect(by_variable['Model']?.map(({ rank }) => rank)).toEqual([
    [1, 2],
    [1, 2],
    [3, 3],
  ]);
});

test('pairs are matched on all other variables', async () => {
  // Easy cases ran with one language only, so that they say nothing about the models.
  const easy = many(10, [3], 'easy');
  const events = [
    ...results(easy, 3, { variables: { Model: 'sonnet', Language: 'de' } }),
    ...results(easy, 3, { variables: { Model: 'gpt', Language: 'fr' }, status: 'failed' }),
  ].map((event, at) => Object.assign(event, { key: String(at) }));
  const matrix = { Model: ['sonnet', 'gpt'], Language: ['de', 'fr'] };
  const { best, by_variable, words } = await fold(events, 3, { matrix });
  const none = 'Not compared: no case has results with two of these values and otherwise equal ones.';
  expect([best, words]).toEqual([[], [none, none]]);
  expect(by_variable['Model']?.map(({ pass_rate, rank }) => [pass_rate, rank])).toEqual([
    [100, undefined],
    [0, undefined],
  ]);
});

test('the combinations of a case are related: the interval of a value counts cases', async () => {
  const events = ['de', 'fr', 'it'].flatMap((Language) =>
    results({ ...many(6, [1]), ...many(4, [0], 'bad') }, 1, { variables: { Model: 'sonnet', Language } }),
  );
  const keyed = events.map((event, at) => Object.assign(event, { key: String(at) }));
  const matrix = { Model: ['sonnet'], Language: ['de', 'fr', 'it'] };
  const { by_variable } = await fold(keyed, 1, { matrix });
  expect(by_variable['Model']?.[0]?.interval).toEqual({ low: 27.9, high: 85.3 });
  expect(by_variable['Language']?.[0]?.interval).toEqual({ low: 31.3, high: 83.2 });
});

test('an unknown price makes the cost of a value unknown', async () => {
  const events = results(many(2, [1, 1]), 1).map((event) => {
    const cost_usd = event.variables?.['Model'] === 'gpt' && event.id === 'c1' ? null : 0.5;
    return Object.assign(event, { cost_usd, usage: { output_tokens: 7 } });
  });
  const { by_variable } = await fold(events, 1);
  expect(by_variable['Model']?.map(({ cost_usd, tokens }) => [cost_usd, tokens])).toEqual([
    [0.5, 7],
    [null, 7],
  ]);
});

test('a case fails for one value only if chance does not explain it', async () => {
  const passes = { ...many(10, [6, 6]), broken: [6, 0], shaky: [6, 4] };
  const named = { test_id: 'qa', variable: 'Model', value: 'gpt' };
  const { only_fails_for, may_only_fail_for } = await fold(results(passes, 6), 6);
  expect(only_fails_for).toEqual([{ ...named, id: 'broken', p: 0.002163 }]);
  expect(may_only_fail_for).toEqual([{ ...named, id: 'shaky', p: 0.4268, runs: 6 }]);
});

test('results that do not vary need no test: one failure is proof', async () => {
  const events = results({ ...many(3, [1, 1]), broken: [1, 0] }, 1, { kind: 'script' });
  const failure = { test_id: 'qa', id: 'broken', variable: 'Model', value: 'gpt', p: null };
  const found = await fold(events, 1);
  expect({ ...found, by_variable: found.by_variable['Model']?.map(({ rank }) => rank) }).toEqual({
    by_variable: [
      [1, 1],
      [2, 2],
    ],
    best: [
      { variable: 'Model', value: 'sonnet', clear: true, p: null, candidates: ['sonnet'], more_runs: null },
    ],
    only_fails_for: [failure],
    may_only_fail_for: [],
    words: ['Best: sonnet (4 of 4 cases passed); then gpt (3 of 4 cases passed).'],
  });

  const replayed = results({ same: [1, 1], broken: [1, 0], other: [0, 1] }, 1);
  expect(await fold(replayed, 1, { flags: { replay: 'tapes' } })).toMatchObject({
    only_fails_for: [failure, { ...failure, id: 'other', value: 'sonnet' }],
    words: ['Equal: sonnet (2 of 3 cases passed) and gpt (2 of 3 cases passed).'],
  });
  // What is recorded anew may vary, and so does what was seen to.
  const anew = await fold(replayed, 1, { flags: { replay: 'tapes', record_missing: true } });
  expect(anew.only_fails_for).toEqual([]);
  const flipping = results({ broken: [2, 1], same: [2, 2] }, 2, { kind: 'script' });
  expect((await fold(flipping, 2)).only_fails_for).toEqual([]);
});

test('related cases prove less about cases like them', async () => {
  const passes = { ...many(8, [3, 1], 'a'), ...many(8, [3, 3], 'b') };
  const events = results(passes, 3).map((event) =>
    Object.assign(event, { tags: [`template:${event.id.charAt(0)}`] }),
  );
  const [plain, grouped] = [
    await fold(events, 3),
    await fold(events, 3, { flags: { cluster: 'tag:template' } }),
  ];
  expect([plain.best[0]?.clear, grouped.best[0]?.clear]).toEqual([true, false]);
  expect(grouped.by_variable['Model']?.[1]?.interval).toEqual({ low: 0.5, high: 99.9 });
});
