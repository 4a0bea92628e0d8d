// One test or subtest while it runs: its failures, the work it waits for, and the changes to undo at its end.

import type { Subtest } from '../../../model/script.ts';
import type { Status, Verdict } from '../../../model/outcome.ts';
import type { Failure } from './assertions/assertion.ts';
import { messageFor, verdictOn } from './assertions/assertion.ts';
import { isStop, Limit, Stop } from './control.ts';
import { captureStack } from './capture-stack.ts';
import type { TestFunction, TestHost } from './test-run.ts';
import type { Problem } from './thrown.ts';
import { toProblem } from './thrown.ts';

/** State that a test and its subtests share. */
export type SharedState = {
  host: TestHost;
  verdicts: Verdict[];
  assertions: number;
  subtests: Subtest[];
  /** Ends the wait for tear-down. */
  tearDown: Limit;
  /** True if the test ended before its function did. */
  isInterrupted: boolean;
  isOver: boolean;
};

type FailureOptions = {
  /** The author's message about the assertion. */
  author?: string | undefined;
  /** The stack at the assertion, if that code has returned already. */
  stack?: string | undefined;
  headline?: string;
};

const MAX_VERDICTS = 1000;

export class Scope {
  readonly name: string;
  readonly shared: SharedState;
  readonly parent: Scope | undefined;
  /** Ends the wait for the function itself. */
  readonly body = new Limit();
  isFailed = false;
  isEnded = false;
  skip: { message?: string } | undefined;
  problem: Problem | undefined;
  /** The first failure in one line. */
  headline: string | undefined;
  /** Set if code in this subtest stopped an enclosing test. */
  outerStop: Stop | undefined;
  /** Running subtests and the promises of their ends, which never reject. */
  children: Map<Scope, Promise<unknown>> | undefined;
  /** Work to wait for before the test ends, even if its function does not await it; these promises never reject. */
  pending: Set<Promise<unknown>> | undefined;
  cleanups: TestFunction[] | undefined;
  /** Undo mocks and the like, the last one first. */
  undos: (() => void)[] | undefined;

  #names: Map<string, number> | undefined;

  constructor(name: string, shared: SharedState, parent?: Scope) {
    this.name = name;
    this.shared = shared;
    this.parent = parent;
  }

  /** The path of a subtest; the second of the same name is `name#01`, as in Go. */
  childName(name: string): string {
    this.#names ??= new Map();
    const count = this.#names.get(name) ?? 0;
    this.#names.set(name, count + 1);
    const isUnique = count === 0 && name !== '';
    return `${this.name}/${name}${isUnique ? '' : `#${String(count).padStart(2, '0')}`}`;
  }

  /** Throws if the test has ended: its outcome can no longer change. */
  requireOpen(member: string): void {
    if (!this.isEnded) return;
    if (this.shared.isInterrupted) throw new Stop(this, 'its end');
    throw new Error(`${member} was called after ${this.name} had ended`);
  }

  /** Keeps a failure; the headline of the first one becomes the error of the test. */
  addFailure(type: string, failure: Failure, options: FailureOptions = {}): void {
    const { shared, name, parent } = this;
    if (shared.isOver) return;
    const { author, stack, headline = `assertion failed: ${messageFor(failure, author)}` } = options;
    this.#markFailed(headline);
    if (shared.verdicts.length >= MAX_VERDICTS) return;
    const at = shared.host.locate(stack ?? captureStack());
    const subtest = parent === undefined ? undefined : name;
    shared.verdicts.push(verdictOn(type, failure, { author, at, subtest }));
  }

  /** Notes why the test could not be completed; the first problem wins. */
  addProblem(problem: Problem): void {
    for (const scope of this.#ancestry()) scope.problem ??= problem;
  }

  /** Notes a value that user code threw. */
  addThrown(thrown: unknown, label = ''): void {
    if (!isStop(thrown)) {
      this.addProblem(toProblem(thrown, this.shared.host, label));
    } else if (thrown.scope !== this && this.#ancestry().some((scope) => scope === thrown.scope)) {
      this.outerStop = thrown;
      this.skip ??= {};
    }
  }

  /** Ends the wait for the function and its subtests. */
  interrupt(problem?: Problem): void {
    if (problem !== undefined) this.problem ??= problem;
    this.body.reach();
    for (const child of this.children?.keys() ?? []) {
      child.skip ??= {};
      child.interrupt(problem);
    }
  }

  /** Makes the test wait for a subtest even if its function does not await it. */
  addChild(child: Scope, work: Promise<unknown>): void {
    const forget = (): boolean | undefined => this.children?.delete(child);
    this.children ??= new Map();
    this.children.set(child, work.then(forget, forget));
    if (!this.body.isReached) return;
    child.skip ??= {};
    child.interrupt(this.problem);
  }

  /** Makes the test wait for this work; callers need not handle its rejection. */
  defer<T>(work: Promise<T>): Promise<T> {
    const forget = (): boolean | undefined => this.pending?.delete(settled);
    const settled: Promise<unknown> = work.then(forget, forget);
    this.pending ??= new Set();
    this.pending.add(settled);
    return work;
  }

  /** Registers a function to call when the test has ended. */
  onEnd(undo: () => void): void {
    this.undos ??= [];
    this.undos.push(undo);
  }

  /** A proven failure wins over an error outside the code under test (a judge, the harness). */
  get status(): Status {
    const { problem, isFailed } = this;
    const isUnmeasured = problem?.status === 'error' && problem.code !== 'agent';
    if (problem !== undefined && !(isFailed && isUnmeasured)) return problem.status;
    if (isFailed) return 'failed';
    return this.skip === undefined ? 'passed' : 'skipped';
  }

  #markFailed(headline: string): void {
    for (const scope of this.#ancestry()) {
      scope.isFailed = true;
      scope.headline ??= headline;
    }
  }

  /** This test and all enclosing tests. */
  #ancestry(): Scope[] {
    return this.parent === undefined ? [this] : [this, ...this.parent.#ancestry()];
  }
}
