// Whose code is running: exceptions and prints belong to a test, also when it is over.

import { isStop } from '../testing/control.ts';
import type { TestRun } from '../testing/test-run.ts';
import { LogBuffer } from '../../../execute/worker/capture.ts';
import type { Places } from './source-locations.ts';

/** What a test prints: stacks in it are told in the lines of the user's files. */
class TestLogs extends LogBuffer {
  #file: { places: Places; printed(seq: number, text: string): void };
  #seq: number;

  constructor(seq: number, file: { places: Places; printed(seq: number, text: string): void }) {
    super();
    this.#seq = seq;
    this.#file = file;
  }

  override add(text: string): void {
    const told = text.includes('\n    at ') ? this.#file.places.mapStack(text) : text;
    super.add(told);
    this.#file.printed(this.#seq, told);
  }
}

/** Whom code belongs to while it runs; also the scope of its prints. */
export class Owner {
  readonly logs: LogBuffer;
  run: TestRun | undefined;
  timers = 0;
  /** How many operations were under way before it began, and whether there were more when it ended. */
  resourcesBefore = 0;
  hasLeftSome = false;
  /** What went wrong after it was over. */
  late: unknown[] = [];
  /** Told of it; somebody else once the outcome is sent. */
  heard: (error: unknown) => void = (error) => void this.late.push(error);
  readonly seq: number;
  readonly name: string;

  constructor(seq: number, name: string, file: { places: Places; printed(seq: number, text: string): void }) {
    this.seq = seq;
    this.name = name;
    this.logs = new TestLogs(seq, file);
  }

  fail(error: unknown): void {
    if (this.run !== undefined && !this.run.isOver) this.run.fail(error);
    // To skip a test that is over is no failure of it.
    else if (!isStop(error)) this.heard(error);
  }
}

/** Code of the file that no test has begun: what it prints, and what goes wrong in it, belongs to whoever runs then. */
export class SetUp {
  readonly #current: () => Owner;
  timers = 0;

  constructor(current: () => Owner) {
    this.#current = current;
  }

  get seq(): number {
    return this.#current().seq;
  }

  get logs(): LogBuffer {
    return this.#current().logs;
  }

  fail(error: unknown): void {
    this.#current().fail(error);
  }
}
