import { afterEach, expect, test } from 'vitest';
import type { PoolOptions } from '../../execute/pool-options.ts';
import type { AgentFailure, FromWorker, ToWorker } from '../../execute/process/protocol.ts';
import type { Item, PoolWorker, WorkerEvents } from '../../execute/process/worker-process.ts';
import type { Attempt } from '../../model/attempt.ts';
import { contextWith } from '../../model/context.fixture.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { AgentSubject } from '../../model/subject.ts';
import { AgentPool } from './pool.ts';

/** A worker without a process: the test decides what it answers and when it ends. */
class ScriptedWorker implements PoolWorker {
  readonly held = new Map<number, Item>();
  readonly sent: ToWorker[] = [];
  heldBytes = 0;
  concurrency = 1;
  isRetiring = false;
  isReady = true;
  isHung = false;
  canHang = true;
  isKilled = false;
  token = '';
  lastHeardAt = performance.now();
  lastProgressAt = performance.now();
  settledCount = 0;
  readonly loaded = new Set<string>();
  #events: WorkerEvents;
  #sequence = 0;

  constructor(events: WorkerEvents) {
    this.#events = events;
  }

  get ids(): string[] {
    return [...this.held.values()].map(({ attempt }) => attempt.case.id);
  }

  add(item: Item): void {
    this.held.set((this.#sequence += 1), item);
  }

  flush(): void {}

  send(message: ToWorker): void {
    this.sent.push(message);
  }

  release(seq: number): Item | undefined {
    const item = this.held.get(seq);
    this.held.delete(seq);
    return item;
  }

  /** Everything that it holds has begun. */
  unsettled(): ReturnType<PoolWorker['unsettled']> {
    const begun = [...this.held.values()];
    return { begun, waiting: [], last: begun.at(-1) };
  }

  waitedFor(): undefined {
    return undefined;
  }

  readRecovery(): ReturnType<PoolWorker['readRecovery']> {
    return { begun: 0, settled: [], logs: [], isClosing: false };
  }

  stderrTail(): string {
    return 'boom';
  }

  kill(): void {
    this.isKilled = true;
  }

  /** The attempt is answered with "yes", or fails. */
  settle(id: string, failure?: AgentFailure, stuck = 0): void {
    const [seq = 0] = [...this.held].find(([, { attempt }]) => attempt.case.id === id) ?? [];
    const content = failure === undefined ? { transcript: { output: 'yes' } } : { failure };
    this.message({ type: 'answered', answers: [{ seq, took_ms: 0, ...content }], stuck });
  }

  message(message: unknown): void {
    // A worker can send anything.
    this.#events.message(this, message as FromWorker);
  }

  distrust(): void {
    this.exit('was ended: something else than an answer came over its channel');
  }

  exit(how = 'was killed by SIGKILL'): void {
    this.#events.exit(this, how);
  }
}

const PASSED: Outcome = {
  status: 'passed',
  duration_ms: 0,
  output: 'yes',
  verdicts: [{ type: 'answered', status: 'passed' }],
};

type Pooled = {
  pool: AgentPool;
  workers: ScriptedWorker[];
  settled: [string, Outcome][];
  dropped: string[];
};

const open: AgentPool[] = [];

afterEach(() => {
  for (const pool of open.splice(0)) pool.close();
});

function openPool(options: Partial<PoolOptions> = {}): Pooled {
  const workers: ScriptedWorker[] = [];
  const settled: [string, Outcome][] = [];
  const dropped: string[] = [];
  const pool = new AgentPool({
    parallel: 2,
    retries: 0,
    exact: true,
    isBlocking: false,
    env: {},
    cwd: '/',
    startWorker(events) {
      const worker = new ScriptedWorker(events);
      workers.push(worker);
      return worker;
    },
    settled: (batch) =>
      void settled.push(...batch.map((one) => [one.attempt.case.id, one.outcome] as [string, Outcome])),
    after: (_attempt, outcome) => Promise.resolve(outcome),
    learn: () => undefined,
    misconfigured: () => undefined,
    dropped: (attempt) => void dropped.push(attempt.case.id),
    ...options,
  });
  open.push(pool);
  return { pool, workers, settled, dropped };
}

function attempt(id: string): Attempt<AgentSubject> {
  return {
    key: id,
    test_id: 'cases.jsonl',
    case: { id, input: 'x' },
    run: 1,
    subject: { kind: 'agent-eval', id: 'agent', run: { type: 'module', file: '/agent.ts' } },
    context: contextWith({ chat_id: 'c', assistant_id: 'agent' }),
    timeout_ms: 60_000,
    base: '/',
    root: '/',
  };
}

/** Attempts are given to workers in a microtask. */
async function assigned(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

test('a worker gets as many attempts as may run at the same time, and the next when one has settled', async () => {
  const { pool, workers, settled } = openPool();
  for (const id of ['a', 'b', 'c']) pool.submit(attempt(id));
  await assigned();
  expect(workers.map(({ ids }) => ids)).toEqual([['a', 'b']]);
  expect([pool.size, pool.room]).toEqual([3, -1]);

  workers[0]?.settle('a');
  await assigned();
  expect(workers.map(({ ids }) => ids)).toEqual([['b', 'c']]);
  expect(settled).toEqual([['a', PASSED]]);
});

test('the attempt that was alone in a worker is to blame for its crash', async () => {
  const { pool, workers, settled } = openPool({ parallel: 1 });
  pool.submit(attempt('a'));
  await assigned();
  workers[0]?.exit();
  expect(settled).toMatchObject([
    ['a', { status: 'error', code: 'agent', error: "the agent's process was killed by SIGKILL: boom" }],
  ]);
  expect(pool.size).toBe(0);
});

test('attempts that shared a crashed worker run again, each alone', async () => {
  const { pool, workers, settled } = openPool();
  pool.submit(attempt('a'));
  pool.submit(attempt('b'));
  await assigned();
  workers[0]?.exit();
  await assigned();
  expect(workers.slice(1).flatMap(({ ids }) => ids)).toContain('a');
  expect(workers.slice(1).every(({ ids }) => ids.length <= 1)).toBe(true);

  workers[1]?.settle('a');
  await assigned();
  const other = workers.slice(1).find(({ ids }) => ids.includes('b'));
  other?.exit();
  expect(settled).toMatchObject([
    ['a', { status: 'passed', restarted: 1 }],
    ['b', { status: 'error', code: 'agent', restarted: 1 }],
  ]);
});

test('an attempt that could not be measured is retried after a delay', async () => {
  const { pool, workers, settled } = openPool({ retries: 1 });
  pool.submit(attempt('a'));
  await assigned();
  workers[0]?.settle('a', { status: 'error', code: 'connection', error: 'refused' });
  expect([settled, pool.size]).toEqual([[], 1]);
  await expect.poll(() => workers[0]?.ids).toEqual(['a']);
  workers[0]?.settle('a');
  expect(settled).toEqual([['a', { ...PASSED, retries: 1 }]]);
});

test('drop returns what has not begun and settles what waits for a retry', async () => {
  const { pool, workers, settled, dropped } = openPool({ parallel: 1, retries: 1 });
  pool.submit(attempt('a'));
  await assigned();
  workers[0]?.settle('a', { status: 'error', code: 'connection', error: 'refused' });
  pool.submit(attempt('b'));
  pool.submit(attempt('c'));
  await assigned();
  pool.drop();
  expect(workers[0]?.ids).toEqual(['b']);
  expect(dropped).toEqual(['c']);
  expect(settled).toMatchObject([['a', { status: 'error', code: 'connection' }]]);
  expect(workers[0]?.sent.at(-1)).toEqual({ type: 'drop' });
});

test('a worker with code that ignores its deadline gets nothing new and ends', async () => {
  const { pool, workers } = openPool({ parallel: 1 });
  pool.submit(attempt('a'));
  await assigned();
  const [worker] = workers;
  worker?.settle('a', { status: 'timeout', error: 'late' }, 1);
  expect(worker?.isKilled).toBe(true);
  pool.submit(attempt('b'));
  await assigned();
  expect(workers.map(({ ids }) => ids)).toEqual([[], ['b']]);
});

test('without a worker that starts, every attempt is an error of the harness', async () => {
  const { pool, workers, settled } = openPool({ parallel: 1 });
  pool.submit(attempt('a'));
  pool.submit(attempt('b'));
  for (let tries = 0; tries < 3; tries += 1) {
    await assigned();
    const worker = workers.at(-1);
    if (worker === undefined) break;
    worker.isReady = false;
    worker.unsettled = () => ({ begun: [], waiting: [...worker.held.values()], last: undefined });
    worker.exit('exited with code 1');
  }
  expect(settled.map(([id, { status, code }]) => [id, status, code])).toEqual([
    ['a', 'error', 'harness'],
    ['b', 'error', 'harness'],
  ]);
  expect(pool.size).toBe(0);
});

test.each([
  ['an outcome', { type: 'settled', settled: [{ seq: 1, outcome: { status: 'passed' } }], stuck: 0 }],
  ['an answer of another attempt', { type: 'answered', answers: [{ seq: 9, took_ms: 0 }], stuck: 0 }],
  ['an answer without a number', { type: 'answered', answers: [{}], stuck: 0 }],
  ['a message of an unknown type', { type: 'constructor' }],
  ['secrets that are no texts', { type: 'secrets', secrets: [1] }],
])('a worker that sends %s is ended, and its attempt runs again', async (_, message) => {
  const { pool, workers, settled } = openPool();
  pool.submit(attempt('a'));
  pool.submit(attempt('b'));
  await assigned();
  workers[0]?.message(message);
  await assigned();
  expect(settled).toEqual([]);
  for (const id of ['a', 'b']) {
    workers.findLast(({ ids }) => ids.includes(id))?.settle(id);
    await assigned();
  }
  expect(settled.map(([id, { status, restarted }]) => [id, status, restarted])).toEqual([
    ['a', 'passed', 1],
    ['b', 'passed', 1],
  ]);
});

test.each([['once more'], ['without waiting for its input']])(
  'an attempt is prepared once: %s',
  async (what) => {
    const { pool, workers } = openPool({ parallel: 1 });
    pool.submit(attempt('a'));
    await assigned();
    const [worker] = workers;
    const item = worker?.held.get(1);
    if (item !== undefined) item.isDeferred = what === 'once more';
    worker?.message({ type: 'prepared', seq: 1 });
    if (what === 'once more') {
      expect(worker?.sent.at(-1)).toEqual({ type: 'go', seq: 1, input: 'x' });
      worker?.message({ type: 'prepared', seq: 1 });
    }
    await assigned();
    expect(workers).toHaveLength(1);
    expect(pool.size).toBe(0);
  },
);

test('what a worker gives back without being asked stays with it', async () => {
  const { pool, workers } = openPool({ parallel: 1 });
  pool.submit(attempt('a'));
  await assigned();
  workers[0]?.message({ type: 'dropped', seqs: [1] });
  await assigned();
  expect(workers.map(({ ids }) => ids)).toEqual([['a']]);
});

test('--isolate: every attempt has a worker of its own', async () => {
  const { pool, workers } = openPool({ isolate: true });
  for (const id of ['a', 'b', 'c']) pool.submit(attempt(id));
  await assigned();
  expect(workers.map(({ ids }) => ids)).toEqual([['a'], ['b']]);
  workers[0]?.settle('a');
  await assigned();
  expect(workers.map(({ ids, isKilled }) => [ids, isKilled])).toEqual([
    [[], true],
    [['b'], false],
    [['c'], false],
  ]);
});
