// Errands in, their values out: user code and agents that are needed outside of any attempt, in a worker process of their own.

import { RuntimeError } from '../errors.ts';
import type { Errand } from './protocol.ts';
import type { ErrandEnd, ErrandSetting } from './side-call-process.ts';
import { ErrandProcess } from './side-call-process.ts';

/** What an errand gave, with whatever it printed. */
export type ErrandResult = { value: unknown; logs: string[] };

/** An errand that failed: it threw, took too long or took its process along. */
export class ErrandError extends RuntimeError {
  readonly logs: string[];

  constructor(message: string, logs: string[]) {
    super(message);
    this.logs = logs;
  }
}

/** Owns the worker processes of errands; none is started before the first errand. */
export class Errands {
  #setting: ErrandSetting;
  #shared: ErrandProcess | undefined;
  #alone: ErrandProcess | undefined;
  /** Ends when the errands before it, which run one at a time, have ended. */
  #turn: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(setting: ErrandSetting) {
    this.#setting = setting;
  }

  /** Runs an errand inside its time limit; throws ErrandError. */
  async run(errand: Errand): Promise<ErrandResult> {
    if (this.#shared === undefined || this.#shared.isOver) this.#shared = new ErrandProcess(this.#setting);
    const first = await this.#shared.run(errand);
    // Whoever shared a process that hung or died may be innocent, which a second time alone tells.
    const end = first.type === 'lost' && !first.wasAlone ? await this.#runAlone(errand) : first;
    if (end.type === 'lost') throw new ErrandError(end.why, []);
    const logs = end.done.logs ?? [];
    if (end.done.error !== undefined) throw new ErrandError(end.done.error, logs);
    return { value: end.done.value, logs };
  }

  close(): void {
    this.#isClosed = true;
    this.#shared?.kill();
    this.#alone?.kill();
  }

  #runAlone(errand: Errand): Promise<ErrandEnd> {
    const turn = this.#turn.then(async (): Promise<ErrandEnd> => {
      if (this.#isClosed) return { type: 'lost', why: 'was stopped', wasAlone: true };
      this.#alone = new ErrandProcess(this.#setting);
      const end = await this.#alone.run(errand);
      this.#alone.kill();
      return end;
    });
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}
