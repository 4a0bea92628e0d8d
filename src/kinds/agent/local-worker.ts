// A worker that is no process of its own: the program that started the run executes its attempts, here or at the other end of a
// channel.

import type { FromWorker, Recovery, ToWorker } from '../../execute/process/protocol.ts';
import type { Item, PoolWorker, WorkerEvents } from '../../execute/process/worker-process.ts';
import { WorkerState } from '../../execute/process/worker-state.ts';

/** Delivers messages to whatever executes the attempts; gives the way to end that. */
export type Connect = (receive: (message: FromWorker) => void, lost: (how: string) => void) => Connection;

type Connection = {
  send(message: ToWorker): void;
  close(): void;
  /** The attempts run in this process. */
  isHere: boolean;
};

/** Nothing can end user code in the process of a program, so `kill` only stops listening. */
export class LocalWorker extends WorkerState implements PoolWorker {
  readonly #events: WorkerEvents;
  readonly #connection: Connection;
  #isOver = false;

  constructor(events: WorkerEvents, connect: Connect) {
    super();
    this.#events = events;
    this.#connection = connect(
      (message) => {
        this.lastHeardAt = performance.now();
        if (!this.#isOver) events.message(this, message);
      },
      (how) => this.#end(how),
    );
    this.canHang = !this.#connection.isHere;
  }

  send(message: ToWorker): void {
    if (!this.#isOver) this.#connection.send(message);
  }

  distrust(): void {
    this.#end('sent something else than an answer');
  }

  kill(): void {
    this.#end('was given up: its attempt did not end');
  }

  /** All of them may have begun. */
  unsettled(): { begun: Item[]; waiting: Item[]; last: Item | undefined } {
    const begun = [...this.held.values()];
    return { begun, waiting: [], last: begun.at(-1) };
  }

  waitedFor(): undefined {
    return undefined;
  }

  readRecovery(): Recovery {
    return { begun: 0, settled: [], logs: [], isClosing: false };
  }

  stderrTail(): string {
    return '';
  }

  #end(how: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#connection.close();
    // As a process does: later, and never while the pool is at work.
    setImmediate(() => this.#events.exit(this, how));
  }
}
