// Side calls in, their values out: user code and agents that are needed outside of any attempt, in a worker process of their own.

import { RuntimeError } from '../errors.ts';
import type { SideCall } from './process/protocol.ts';
import type { SideCallEnd, SideCallSetting } from './side-call-process.ts';
import { SideCallProcess } from './side-call-process.ts';

/** The result of a side call, with its output. */
export type SideCallResult = { value: unknown; logs: string[] };

/** A side call that failed: it threw, took too long or took its process along. */
export class SideCallError extends RuntimeError {
  readonly logs: string[];

  constructor(message: string, logs: string[]) {
    super(message);
    this.logs = logs;
  }
}

/** Owns the worker processes of side calls; none is started before the first call. */
export class SideCalls {
  #setting: SideCallSetting;
  #shared: SideCallProcess | undefined;
  #alone: SideCallProcess | undefined;
  /** Ends when the side calls before it, which run one at a time, have ended. */
  #turn: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(setting: SideCallSetting) {
    this.#setting = setting;
  }

  /** Runs a side call inside its time limit; throws SideCallError. */
  async run(call: SideCall): Promise<SideCallResult> {
    if (this.#shared === undefined || this.#shared.isOver) this.#shared = new SideCallProcess(this.#setting);
    const first = await this.#shared.run(call);
    // A side call that shared a process that hung or died may be innocent: it runs again alone.
    const end = first.type === 'lost' && !first.wasAlone ? await this.#runAlone(call) : first;
    if (end.type === 'lost') throw new SideCallError(end.why, []);
    const logs = end.done.logs ?? [];
    if (end.done.error !== undefined) throw new SideCallError(end.done.error, logs);
    return { value: end.done.value, logs };
  }

  close(): void {
    this.#isClosed = true;
    this.#shared?.kill();
    this.#alone?.kill();
  }

  #runAlone(call: SideCall): Promise<SideCallEnd> {
    const turn = this.#turn.then(async (): Promise<SideCallEnd> => {
      if (this.#isClosed) return { type: 'lost', why: 'was stopped', wasAlone: true };
      this.#alone = new SideCallProcess(this.#setting);
      const end = await this.#alone.run(call);
      this.#alone.kill();
      return end;
    });
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}
