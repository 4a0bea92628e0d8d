// In the coordinator: what pools of a run are given, what they offer, and whom they tell.

import type { Problem } from '../errors.ts';
import type { Attempt } from '../model/attempt.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Subject } from '../model/subject.ts';
import type { RunTapes } from '../tapes/run-tapes.ts';
import type { PoolWorker, WorkerEvents, WorkerRole } from './process/worker-process.ts';

export type Settled = { attempt: Attempt; outcome: Outcome };

/** Owns the processes that run the attempts of a kind. */
export type TestPool<Tested extends Subject = Subject> = {
  /** Attempts submitted and not settled. */
  readonly size: number;
  /** How many more attempts the pool can use now. */
  readonly room: number;
  /** The pool takes more than it has begun, because tests of a file run together. */
  readonly takesWholeFiles?: true;
  submit(attempt: Attempt<Tested>): void;
  /** Returns every attempt that has not begun; running attempts go on. */
  drop(): void;
  /** Ends all processes. */
  close(): void;
};

/** The options of a pool. */
export type PoolOptions = {
  parallel: number;
  retries: number;
  /** Nothing is sent to a worker before it may start; needed to stop exactly at a failure. */
  exact: boolean;
  /** Agents call synchronous globals: a worker takes one attempt at a time, and there are more of them. */
  isBlocking: boolean;
  /** Every attempt has a worker of its own, so that no attempt can affect another. */
  isolate?: boolean;
  /** Environment that workers get besides this process's. */
  env: Record<string, string>;
  /** Where the run began, which is where agents work. */
  cwd: string;
  /** Where the traffic of attempts is recorded or played from. */
  tapes?: Pick<RunTapes, 'late' | 'settings' | 'settled' | 'tapePath' | 'times'> | undefined;
  /** The folder that coverage is written to. */
  coverage?: string | undefined;
  /** Starts a worker, if it is not a process of this program. */
  startWorker?(events: WorkerEvents): PoolWorker;
  /** A worker that was started early. */
  first?: WorkerStarter | undefined;
  settled(batch: readonly Settled[]): void;
  /** Runs the `after` hook of an attempt that had begun, and gives the outcome as it is then; never rejects. */
  after(attempt: Attempt, outcome: Outcome, before: unknown): Promise<Outcome>;
  /** Called instead of `settled` for an attempt whose agent is set up wrongly. */
  misconfigured(problem: Problem): void;
  /** Told what must never be shown, before any outcome that may hold it. */
  learn(secrets: readonly string[]): void;
  /** An attempt that was given back because of `drop`. */
  dropped(attempt: Attempt): void;
};

/** A worker process started before it is known who will listen to it. */
export type WorkerStarter = { role: WorkerRole; attach(events: WorkerEvents): PoolWorker };
