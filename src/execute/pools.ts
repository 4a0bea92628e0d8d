// The pools of a run, one for each kind of test, as the pipeline sees them: attempts in, outcomes out.

import type { Attempt, Kind } from '../model/attempt.ts';
import type { PoolOptions } from './pool.ts';
import { Pool } from './pool.ts';
import { ScriptPool } from './scripts/script-pool.ts';

export type PoolsOptions = PoolOptions & {
  /** How many files of script tests run at the same time. */
  parallelScripts: number;
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
  const agents = new Pool(options);
  const scripts = new ScriptPool({ ...options, parallel: options.parallelScripts });
  let latest: Kind = 'agent-eval';
  return {
    submit(attempt) {
      latest = attempt.kind;
      (attempt.kind === 'script' ? scripts : agents).submit(attempt);
    },
    get size() {
      return agents.size + scripts.size;
    },
    get running() {
      return Math.min(agents.size, options.parallel) + Math.min(scripts.size, options.parallelScripts);
    },
    get room() {
      // A file of tests is taken as a whole.
      return latest === 'script' ? Infinity : agents.room;
    },
    drop() {
      agents.drop();
      scripts.drop();
    },
    dropFiles: () => scripts.drop(),
    close() {
      agents.close();
      scripts.close();
    },
  };
}
