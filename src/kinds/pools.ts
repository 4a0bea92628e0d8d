// The pools of a run, one for each kind of test, as the pipeline sees them: attempts in, outcomes out.

import type { PoolOptions, TestPool } from '../execute/pool-options.ts';
import type { Attempt } from '../model/attempt.ts';
import type { KindId } from '../model/subject.ts';
import type { Kind } from './kind.ts';
import { parallelOf } from './kind.ts';
import { KINDS } from './registry.ts';

export type PoolsOptions = Omit<PoolOptions, 'parallel'> & {
  /** How many attempts run at the same time; without it, every kind has its own default. */
  parallel: number | undefined;
  kinds?: readonly Kind[];
};

export type Pools = Pick<TestPool, 'close' | 'drop' | 'room' | 'size' | 'submit'> & {
  /** Upper bound of the attempts that are executing. */
  readonly running: number;
  /** Returns what has not begun from pools that take whole files. */
  dropFiles(): void;
};

/** Opens the pools; each starts its processes when it gets its first attempt. */
export function openPools({ kinds = KINDS, ...options }: PoolsOptions): Pools {
  const pools = new Map<KindId, { pool: TestPool; parallel: number }>();
  for (const kind of kinds) {
    const parallel = parallelOf(kind, options.parallel);
    pools.set(kind.id, { pool: kind.openPool({ ...options, parallel }), parallel });
  }
  const all = [...pools.values()];
  let [latest] = all;

  return {
    submit(attempt: Attempt) {
      latest = pools.get(attempt.subject.kind);
      if (latest === undefined) throw new Error(`there is no pool for a ${attempt.subject.kind} test`);
      latest.pool.submit(attempt);
    },
    get size() {
      return all.reduce((sum, { pool }) => sum + pool.size, 0);
    },
    get running() {
      return all.reduce((sum, { pool, parallel }) => sum + Math.min(pool.size, parallel), 0);
    },
    get room() {
      return latest?.pool.room ?? 0;
    },
    drop() {
      for (const { pool } of all) pool.drop();
    },
    dropFiles() {
      for (const { pool } of all) if (pool.takesWholeFiles === true) pool.drop();
    },
    close() {
      for (const { pool } of all) pool.close();
    },
  };
}
