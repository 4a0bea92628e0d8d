// Side calls in, their values out: user code and agents that are needed outside of any attempt, in a worker process of their own.

import { RuntimeError } from '../errors.ts';
import type { Status } from '../model/outcome.ts';
import type { TapeReport } from '../tapes/attempt-tape.ts';
import type { SideCall, SideCallDone } from './process/protocol.ts';
import type { SideCallEnd, SideCallSetting } from './side-call-process.ts';
import { SideCallProcess } from './side-call-process.ts';

/** The result of a side call, with its output. */
export type SideCallResult = { value: unknown; logs: string[] };

/** A side call that failed: it threw, took too long or took its process along. */
export class SideCallError extends RuntimeError {
  readonly logs: string[];
  /** If an AttemptError was thrown. */
  readonly failure: SideCallDone['failure'];
  readonly isLate: boolean;
  /** Its process ended. */
  readonly isCrash: boolean;

  constructor(
    message: string,
    { logs = [], failure, isLate = false, isCrash = false }: Partial<Omit<SideCallError, keyof RuntimeError>>,
  ) {
    super(message);
    this.logs = logs;
    this.failure = failure;
    this.isLate = isLate;
    this.isCrash = isCrash;
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
    const first = await this.start().run(call);
    // A side call that shared a process that hung or died may be innocent: it runs again alone.
    const end = first.type === 'lost' && !first.wasAlone ? await this.#runAlone(call) : first;
    if (end.type === 'lost') throw new SideCallError(end.why, { isLate: end.isLate, isCrash: !end.isLate });
    const { error, failure, is_late: isLate = false, logs = [], value } = end.done;
    if (error !== undefined) throw new SideCallError(error, { logs, failure, isLate });
    return { value, logs };
  }

  /** Starts the process, if it is not running, so that the first call need not wait for it. */
  start(): SideCallProcess {
    if (this.#shared === undefined || this.#shared.isOver) this.#shared = new SideCallProcess(this.#setting);
    return this.#shared;
  }

  /** The report of a tape that side calls have used. */
  async endTape(id: number, status: Status): Promise<TapeReport> {
    return this.#shared === undefined || this.#shared.isOver ? {} : this.#shared.endTape(id, status);
  }

  close(): void {
    this.#isClosed = true;
    this.#shared?.kill();
    this.#alone?.kill();
  }

  #runAlone(call: SideCall): Promise<SideCallEnd> {
    const turn = this.#turn.then(async (): Promise<SideCallEnd> => {
      if (this.#isClosed) return { type: 'lost', why: 'was stopped', isLate: false, wasAlone: true };
      this.#alone = new SideCallProcess(this.#setting);
      const end = await this.#alone.run(call);
      this.#alone.kill();
      return end;
    });
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}
