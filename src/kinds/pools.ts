// The pools of a run, one for each kind of test, as the pipeline sees them: attempts in, outcomes out.

import type { Attempt, Kind } from '../model/attempt.ts';
import type { PoolOptions } from '../execute/pool-options.ts';
import { Pool } from './agent/pool.ts';
import { ScriptPool } from './script/pool.ts';
import { SkillPool } from './skill/pool.ts';

export type PoolsOptions = Omit<PoolOptions, 'parallel'> & {
  /** How many attempts of each kind run at the same time; of script tests whole files. */
  parallel: Record<Kind, number>;
  /** The folder that coverage is written to. */
  coverage?: string | undefined;
};

export type Pools = {
  submit(attempt: Attempt): void;
  /** How many attempts it has been given and not settled. */
  readonly size: number;
  /** How many of them are executing at most. */
  readonly running: number;
  /** How many more attempts are of use now. */
  readonly room: number;
  /** Gives back everything that has not begun; what is executing goes on. */
  drop(): void;
  /** The same for tests that come in whole files, which were given more than they have begun. */
  dropFiles(): void;
  close(): void;
};

/** Opens the pools; each starts its processes when it gets something to do. */
export function openPools(options: PoolsOptions): Pools {
  const { parallel } = options;
  const pools = {
    'agent-eval': new Pool({ ...options, parallel: parallel['agent-eval'] }),
    script: new ScriptPool({ ...options, parallel: parallel.script }),
    skill: new SkillPool({ ...options, parallel: parallel.skill }),
  } satisfies Record<Kind, unknown>;
  const all = Object.values(pools);
  let latest: Kind = 'agent-eval';
  return {
    submit(attempt) {
      latest = attempt.kind;
      pools[latest].submit(attempt);
    },
    get size() {
      return all.reduce((sum, pool) => sum + pool.size, 0);
    },
    get running() {
      const runningOf = (kind: Kind): number => Math.min(pools[kind].size, parallel[kind]);
      return runningOf('agent-eval') + runningOf('script') + runningOf('skill');
    },
    get room() {
      // A file of script tests is taken as a whole.
      return latest === 'script' ? Infinity : pools[latest].room;
    },
    drop() {
      for (const pool of all) pool.drop();
    },
    dropFiles: () => pools.script.drop(),
    close() {
      for (const pool of all) pool.close();
    },
  };
}
