// One test or subtest while it runs: what it found, what it waits for, what has to be undone.

import type { Subtest } from '../../../model/script.ts';
import type { Status, Verdict } from '../../../model/outcome.ts';
import type { Failure } from './assertions/assertion.ts';
import { messageFor, verdictOn } from './assertions/assertion.ts';
import { isStop, Limit, Stop } from './control.ts';
import { captureStack } from './capture-stack.ts';
import type { TestFunction, TestHost } from './test-run.ts';
import type { Problem } from './thrown.ts';
import { problemOf } from './thrown.ts';

/** What a test and its subtests share. */
export type RunRecord = {
  host: TestHost;
  verdicts: Verdict[];
  assertions: number;
  subtests: Subtest[];
  /** How long tear-down is waited for. */
  tearDown: Limit;
  /** True if the test ended before its function did. */
  isInterrupted: boolean;
  isOver: boolean;
};

type FailureOptions = {
  /** What the author says about the assertion. */
  author?: string | undefined;
  /** Where it stands, if that is no longer on the stack. */
  stack?: string | undefined;
  headline?: string;
};

const MAX_VERDICTS = 1000;

export class Scope {
  readonly name: string;
  readonly record: RunRecord;
  readonly parent: Scope | undefined;
  /** How long the function itself is waited for. */
  readonly body = new Limit();
  isFailed = false;
  isEnded = false;
  skip: { message?: string } | undefined;
  problem: Problem | undefined;
  /** The first failure in one line. */
  headline: string | undefined;
  /** A test around this one was stopped from within it. */
  outerStop: Stop | undefined;
  /** Subtests that are under way, and their ends, which never reject. */
  children: Map<Scope, Promise<unknown>> | undefined;
  /** What the test waits for before it ends, awaited by its function or not; these promises never reject. */
  pending: Set<Promise<unknown>> | undefined;
  cleanups: TestFunction[] | undefined;
  /** Undoes mocks and the like, the last one first. */
  undos: (() => void)[] | undefined;

  #names: Map<string, number> | undefined;

  constructor(name: string, record: RunRecord, parent?: Scope) {
    this.name = name;
    this.record = record;
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

  /** Throws if the test is over: whatever is asked for now would be lost. */
  requireOpen(what: string): void {
    if (!this.isEnded) return;
    if (this.record.isInterrupted) throw new Stop(this, 'its end');
    throw new Error(`${what} was called after ${this.name} had ended`);
  }

  /** Keeps a failure; the headline is what the test says about itself if it is the first. */
  addFailure(type: string, failure: Failure, options: FailureOptions = {}): void {
    const { record, name, parent } = this;
    if (record.isOver) return;
    const { author, stack, headline = `assertion failed: ${messageFor(failure, author)}` } = options;
    this.#markFailed(headline);
    if (record.verdicts.length >= MAX_VERDICTS) return;
    const at = record.host.placeOf(stack ?? captureStack());
    const subtest = parent === undefined ? undefined : name;
    record.verdicts.push(verdictOn(type, failure, { author, at, subtest }));
  }

  /** Notes why the test could not be completed; the first reason stays. */
  addProblem(problem: Problem): void {
    for (const scope of this.#line()) scope.problem ??= problem;
  }

  /** Notes what user code threw. */
  addThrown(thrown: unknown, label = ''): void {
    if (!isStop(thrown)) {
      this.addProblem(problemOf(thrown, this.record.host, label));
    } else if (thrown.scope !== this && this.#line().some((scope) => scope === thrown.scope)) {
      this.outerStop = thrown;
      this.skip ??= {};
    }
  }

  /** Ends the wait for the function, and for those of its subtests. */
  interrupt(problem?: Problem): void {
    if (problem !== undefined) this.problem ??= problem;
    this.body.reach();
    for (const child of this.children?.keys() ?? []) {
      child.skip ??= {};
      child.interrupt(problem);
    }
  }

  /** Has a subtest that goes on without the function that began it waited for. */
  addChild(child: Scope, work: Promise<unknown>): void {
    const forget = (): boolean | undefined => this.children?.delete(child);
    this.children ??= new Map();
    this.children.set(child, work.then(forget, forget));
    if (!this.body.isReached) return;
    child.skip ??= {};
    child.interrupt(this.problem);
  }

  /** Lets the test wait for this work; the promise given back needs no handler. */
  defer<T>(work: Promise<T>): Promise<T> {
    const forget = (): boolean | undefined => this.pending?.delete(settled);
    const settled: Promise<unknown> = work.then(forget, forget);
    this.pending ??= new Set();
    this.pending.add(settled);
    return work;
  }

  /** Has something undone after the test. */
  onEnd(undo: () => void): void {
    this.undos ??= [];
    this.undos.push(undo);
  }

  /** A proven failure stays one beside something that could not be measured. */
  get status(): Status {
    const { problem, isFailed } = this;
    const isUnmeasured = problem?.status === 'error' && problem.code !== 'agent';
    if (problem !== undefined && !(isFailed && isUnmeasured)) return problem.status;
    if (isFailed) return 'failed';
    return this.skip === undefined ? 'passed' : 'skipped';
  }

  #markFailed(headline: string): void {
    for (const scope of this.#line()) {
      scope.isFailed = true;
      scope.headline ??= headline;
    }
  }

  /** This test and those around it. */
  #line(): Scope[] {
    return this.parent === undefined ? [this] : [this, ...this.parent.#line()];
  }
}
