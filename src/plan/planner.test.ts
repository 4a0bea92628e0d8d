import { expect, test } from 'vitest';
import { caseKey } from '../model/case-key.ts';
import type { LoadedCase, TestCase } from '../model/case.ts';
import type { Counted } from '../model/settle.ts';
import { createTally } from '../model/tally.ts';
import { attemptOf } from './attempts.ts';
import type { PlanOptions } from './attempts.ts';
import { createSelect } from './filter.ts';
import { attemptKey } from './key.ts';
import type { Planner } from './planner.ts';
import { createPlanner } from './planner.ts';

const AGENT = {
  kind: 'agent-eval' as const,
  id: 'echo',
  run: { type: 'module' as const, file: '/app/echo.ts' },
};
const TARGETS = [{ test_id: 'cases.jsonl', subject: AGENT, base: '/app', root: '/app', timeout_ms: 1000 }];

function planOptions(
  settings: Partial<PlanOptions['settings']> = {},
  context: PlanOptions['context'] = {},
): PlanOptions {
  return { targets: TARGETS, context, settings: { runs: 1, ...settings } };
}

function loaded(testCase: Partial<TestCase> & { id: string }): LoadedCase {
  return { case: { input: 'hi', ...testCase }, test_id: 'cases.jsonl', input: 0, line: 1 };
}

async function* batches(...lists: LoadedCase[][]): AsyncGenerator<LoadedCase[]> {
  yield* lists;
}

function planner(
  lists: LoadedCase[][],
  options: { runs?: number; failFast?: boolean; prior?: Map<string, Counted> } = {},
): Planner {
  const runs = options.runs ?? 1;
  return createPlanner(batches(...lists), {
    ...planOptions({ runs }),
    select: createSelect({}),
    tally: createTally({ runs }),
    failFast: options.failFast ?? false,
    ...(options.prior === undefined ? {} : { prior: options.prior }),
  });
}

/** Hands out everything; `outcome` decides how each attempt ends. */
async function drain(
  plan: Planner,
  outcome: (name: string) => Counted = () => ({ status: 'passed' }),
): Promise<string[]> {
  const names: string[] = [];
  for (;;) {
    const next = plan.next();
    if (next === 'done') return names;
    if (next === 'wait' || next === 'full') {
      await plan.ready();
      continue;
    }
    const name = `${next.attempt.case.id}#${next.attempt.run}`;
    names.push(next.skip === undefined ? name : `${name} ${next.skip}`);
    plan.settled(next.attempt, next.skip === undefined ? outcome(name) : { status: 'skipped' });
  }
}

test('runs every case once before any case twice, across batches', async () => {
  const plan = planner([[loaded({ id: 'a' })], [], [loaded({ id: 'b' }), loaded({ id: 'c', skip: true })]], {
    runs: 2,
  });
  expect(await drain(plan)).toEqual(['a#1', 'b#1', 'c#1 skip', 'a#2', 'b#2', 'c#2 skip']);
});

test('repeats very many cases block by block, and divides no batch', async () => {
  const batch = (name: string): LoadedCase[] =>
    Array.from({ length: 3000 }, (_, index) => loaded({ id: `${name}${String(index)}` }));
  const names = await drain(planner([batch('a'), batch('b'), batch('c')], { runs: 2 }));
  const steps = names.filter((name) => /^[a-c]0#/.test(name) || /^[a-c]2999#/.test(name));
  expect(names).toHaveLength(18_000);
  expect(steps.map((name) => name.replace('2999', 'z'))).toEqual([
    'a0#1',
    'az#1',
    'b0#1',
    'bz#1',
    'a0#2',
    'az#2',
    'b0#2',
    'bz#2',
    'c0#1',
    'cz#1',
    'c0#2',
    'cz#2',
  ]);
});

test('a test with fewer runs than others drops out of later rounds', async () => {
  const targets = [
    { ...TARGETS[0], runs: 3 },
    { ...TARGETS[0], test_id: 'other.jsonl', runs: 1 },
  ];
  const plan = createPlanner(
    batches([loaded({ id: 'a' }), { ...loaded({ id: 'b' }), test_id: 'other.jsonl', input: 1 }]),
    {
      ...planOptions(),
      targets: targets as PlanOptions['targets'],
      select: createSelect({}),
      tally: createTally({ runs: 1 }),
      failFast: false,
    },
  );
  expect(await drain(plan)).toEqual(['a#1', 'b#1', 'a#2', 'a#3']);
});

test('fail-fast skips the rest of the lost case and all that follow', async () => {
  const plan = planner([[loaded({ id: 'a' }), loaded({ id: 'b' }), loaded({ id: 'c' })]], {
    runs: 2,
    failFast: true,
  });
  const names = await drain(plan, (name) => ({ status: name === 'b#1' ? 'failed' : 'passed' }));
  const rest = ['c#1', 'a#2', 'b#2', 'c#2'].map((name) => `${name} fail_fast`);
  expect(names).toEqual(['a#1', 'b#1', ...rest]);
});

test('what a resumed log holds is counted and not handed out, and an old failure does not stop the run', async () => {
  const prior = new Map<string, Counted>([[attemptKey('cases.jsonl', 'a', 1), { status: 'failed' }]]);
  const plan = planner([[loaded({ id: 'a' }), loaded({ id: 'b' })]], { prior, failFast: true });
  expect(await drain(plan)).toEqual(['b#1']);
});

test('after an interruption everything left is skipped', async () => {
  const plan = planner([[loaded({ id: 'a' }), loaded({ id: 'b' })]]);
  plan.stop('interrupted');
  expect(await drain(plan)).toEqual(['a#1 interrupted', 'b#1 interrupted']);
});

test('user and team: defaults < context file < case < flags', () => {
  const file = { authorized: { user_id: 'file-user', team_id: 'file-team', scope: 'read' } };
  const plain = loaded({ id: 'a' });
  const own = loaded({ id: 'b', user: 'case-user' });
  const who = (testCase: LoadedCase, options: PlanOptions): unknown =>
    attemptOf(testCase, 1, options).context.authorized;

  expect(who(plain, planOptions())).toEqual({ sub: 'test-user', user_id: 'test-user', team_id: 'test-team' });
  expect(who(plain, planOptions({}, file))).toEqual({
    sub: 'file-user',
    scope: 'read',
    user_id: 'file-user',
    team_id: 'file-team',
  });
  expect(who(own, planOptions({}, file))).toEqual({
    sub: 'case-user',
    scope: 'read',
    user_id: 'case-user',
    team_id: 'file-team',
  });
  expect(who(own, planOptions({ user: 'flag-user' }, file))).toEqual({
    sub: 'flag-user',
    scope: 'read',
    user_id: 'flag-user',
    team_id: 'file-team',
  });
});

test('selects by pattern, tags and an earlier log together', () => {
  const select = createSelect({
    pattern: /^a/,
    tags: ['slow', 'smoke'],
    only: new Set([caseKey('t', 'a1'), caseKey('t', 'a2')]),
  });
  const chosen = [
    { id: 'a1', input: '', tags: ['smoke'] },
    { id: 'a2', input: '' },
    { id: 'a3', input: '', tags: ['smoke'] },
    { id: 'b1', input: '', tags: ['smoke'] },
  ].filter((testCase) => select(testCase, { test_id: 't' }));
  expect(chosen.map((testCase) => testCase.id)).toEqual(['a1']);
});

test('deciders hear of whole rounds in order, however outcomes arrive, and stop with what has not begun', async () => {
  const heard: number[] = [];
  const plan = createPlanner(batches([loaded({ id: 'a' }), loaded({ id: 'b' })]), {
    ...planOptions({ runs: 3 }),
    select: createSelect({}),
    tally: createTally({ runs: 3 }),
    failFast: false,
    total: 2,
    deciders: [{ roundEnded: (round) => (heard.push(round) === 2 ? 'decided' : undefined) }],
  });
  const take = async () => {
    let next = plan.next();
    for (; next === 'wait'; next = plan.next()) await plan.ready();
    if (typeof next === 'string') throw new Error(next);
    return next;
  };
  const [a1, b1, a2, b2, a3] = [await take(), await take(), await take(), await take(), await take()];
  const passed: Counted = { status: 'passed' };
  for (const { attempt } of [a2, b2, a1]) plan.settled(attempt, passed);
  expect(heard).toEqual([]);
  plan.settled(b1.attempt, passed);
  expect({ heard, stopped: plan.stopped, skip: (await take()).skip, begun: a3.skip }).toEqual({
    heard: [1, 2],
    stopped: 'decided',
    skip: 'decided',
    begun: undefined,
  });
});
