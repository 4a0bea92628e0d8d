// Assigns exceptions and output to the test whose code is running, even after the test has ended.

import { isStop } from '../testing/control.ts';
import type { TestRun } from '../testing/test-run.ts';
import { LogBuffer } from '../../../execute/worker/capture.ts';
import type { SourceLocations } from './source-locations.ts';

/** Where the output of a file's tests goes. */
export type TestOutput = { locations: SourceLocations; printed(seq: number, text: string): void };

/** The output of a test, with stacks mapped to the user's files. */
class TestLogs extends LogBuffer {
  #output: TestOutput;
  #seq: number;

  constructor(seq: number, output: TestOutput) {
    super();
    this.#seq = seq;
    this.#output = output;
  }

  override add(text: string): void {
    const mapped = text.includes('\n    at ') ? this.#output.locations.mapStack(text) : text;
    super.add(mapped);
    this.#output.printed(this.#seq, mapped);
  }
}

/** The test that running code belongs to. */
export class TestScope {
  readonly logs: LogBuffer;
  run: TestRun | undefined;
  timers = 0;
  /** Number of active resources before the test, and whether there were more at its end. */
  resourcesBefore = 0;
  hasLeaks = false;
  /** Errors after the end of the test. */
  late: unknown[] = [];
  /** Called with an error after the end of the test; replaced once the outcome is sent. */
  onLateError: (error: unknown) => void = (error) => void this.late.push(error);
  readonly seq: number;
  readonly name: string;

  constructor(seq: number, name: string, output: TestOutput) {
    this.seq = seq;
    this.name = name;
    this.logs = new TestLogs(seq, output);
  }

  fail(error: unknown): void {
    if (this.run !== undefined && !this.run.isOver) this.run.fail(error);
    // `t.skip` after the end of a test is not a failure.
    else if (!isStop(error)) this.onLateError(error);
  }
}

/** Code of the file outside any test: its output and errors belong to the test that is running. */
export class FileScope {
  readonly #current: () => TestScope;
  timers = 0;

  constructor(current: () => TestScope) {
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
