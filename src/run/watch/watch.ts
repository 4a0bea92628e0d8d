// `--watch`: runs, waits until a file changes or a key is pressed, and runs what that concerns, until the user stops it.

import { ConfigError } from '../../errors.ts';
import { EXIT } from '../../model/exit-code.ts';
import { displayPath } from '../../platform/paths.ts';
import { describeProblem } from '../../report/terminal/problems.ts';
import { executeRun } from '../execute-run.ts';
import { NothingSelected } from '../inputs/prepare.ts';
import type { Io } from '../io.ts';
import type { RunPlan } from '../plan.ts';
import { planRun } from '../plan.ts';
import type { TestFlags } from '../request.ts';
import { ChangedFiles } from './changed-files.ts';
import type { Keyboard } from './keyboard.ts';
import { openKeyboard } from './keyboard.ts';
import { HELP, keyLine, NOTHING } from './key-words.ts';
import type { LearnedPlan, Wish } from './memory.ts';
import { WatchMemory } from './memory.ts';
import { offerUpdate } from './offer-update.ts';

/** Watches until interrupted. A broken case file is reported and watched on. */
export async function watchRuns(flags: TestFlags, io: Io): Promise<number> {
  const watch = new Watch(flags, io);
  try {
    return await watch.run();
  } finally {
    await watch.close();
  }
}

/** Moves the cursor home and clears what is below; the lines before stay in the scrollback. */
const CLEAR = '\u001B[2J\u001B[H';

class Watch {
  readonly #flags: TestFlags;
  readonly #io: Io;
  readonly #files = new ChangedFiles();
  readonly #memory = new WatchMemory();
  readonly #keyboard: Keyboard | undefined;
  /** Ends the run that is on, and the watch. */
  readonly #stop = new AbortController();
  /** Changed files whose cases have not run since, because something could not be read. */
  readonly #pending = new Set<string>();
  /** Pressed while a run was on. */
  #queued: string | undefined;
  #exitCode: number = EXIT.passed;

  constructor(flags: TestFlags, io: Io) {
    this.#flags = flags;
    this.#io = io;
    // One Ctrl-C ends the run and the watch, the second one the process.
    io.interrupt.addEventListener('abort', () => this.#stop.abort(), { once: true });
    this.#keyboard = hasKeys(flags, io) ? openKeyboard(io.stdin) : undefined;
  }

  async run(): Promise<number> {
    let wish: Wish | undefined = { type: 'all' };
    while (!this.#isStopped) {
      if (wish !== undefined) await this.#runOnce(wish);
      if (this.#isStopped) break;
      wish = await this.#nextWish();
    }
    return this.#io.interrupt.aborted ? EXIT.interrupted : this.#exitCode;
  }

  async close(): Promise<void> {
    this.#keyboard?.close();
    await this.#files.close();
  }

  get #isStopped(): boolean {
    return this.#stop.signal.aborted;
  }

  async #runOnce(wish: Wish): Promise<void> {
    this.#queued = undefined;
    this.#keyboard?.receive((key) => this.#takeWhileRunning(key));
    const began = this.#files.begin();
    try {
      const plan = await planRun(this.#flags, this.#io, this.#memory.focus(wish));
      if (plan === undefined) return;
      const { files, folders } = plan.prepared;
      await this.#files.add(files, { folders, began });
      const learned = await this.#memory.learn(plan);
      await this.#execute(plan, learned);
      if (wish.type === 'all' || wish.type === 'changed') this.#pending.clear();
    } catch (error) {
      if (error instanceof NothingSelected && wish.type !== 'all') this.#tell(NOTHING[wish.type]);
      else if (!(error instanceof ConfigError) || this.#files.count === 0) throw error;
      else this.#tell(describeProblem(error));
    }
  }

  async #execute(plan: RunPlan, learned: LearnedPlan): Promise<void> {
    const io = { ...this.#io, interrupt: this.#stop.signal };
    this.#exitCode = await executeRun(plan, io);
    this.#io.worker = undefined;
    if (!this.#isStopped) await this.#memory.remember(learned);
  }

  #takeWhileRunning(key: string): void {
    if (key === 'q') this.#stop.abort();
    else if (key === 'h' || key === '?') this.#tell(HELP);
    else if (['a', 'f', 'u', 'enter'].includes(key)) {
      this.#queued = key;
      this.#tell(`${key === 'enter' ? 'Enter' : key}: when this run has ended.`);
    }
  }

  /** Waits for a change or a key; undefined if there is nothing to run. */
  async #nextWish(): Promise<Wish | undefined> {
    const { count } = this.#files;
    const isQuiet = this.#queued === undefined && this.#files.changed().length === 0;
    if (isQuiet)
      this.#tell(
        this.#keyboard === undefined
          ? `Watching ${count} files; Ctrl-C ends.`
          : keyLine(count, this.#memory.failedCount),
      );
    const done = new AbortController();
    const key = this.#nextKey(done.signal);
    const signal = AbortSignal.any([this.#stop.signal, done.signal]);
    const changed = this.#files.next(signal);
    try {
      const first = await Promise.race([key, changed]);
      if (typeof first === 'string') return await this.#wishOf(first);
      const [file] = first;
      if (file === undefined) return undefined;
      this.#clear();
      const others = first.length === 1 ? '' : ` and ${String(first.length - 1)} more`;
      this.#tell(`${displayPath(file, this.#io.cwd)}${others} changed.`);
      for (const changedFile of first) this.#pending.add(changedFile);
      return { type: 'changed', files: [...this.#pending] };
    } finally {
      done.abort();
      await changed;
    }
  }

  #nextKey(signal: AbortSignal): Promise<string> {
    if (this.#queued !== undefined) return Promise.resolve(this.#queued);
    return new Promise((resolve) => {
      this.#keyboard?.receive((key) => {
        if (!signal.aborted) resolve(key);
      });
    });
  }

  async #wishOf(key: string): Promise<Wish | undefined> {
    this.#queued = undefined;
    switch (key) {
      case 'q':
        this.#stop.abort();
        return undefined;
      case 'a':
        this.#clear();
        return { type: 'all' };
      case 'enter':
        this.#clear();
        return { type: 'again' };
      case 'f':
        if (this.#memory.failedCount === 0) {
          this.#tell(NOTHING.failed);
          return undefined;
        }
        this.#clear();
        return { type: 'failed' };
      case 'u':
        await this.#update();
        return undefined;
      default:
        if (key === 'h' || key === '?') this.#tell(HELP);
        return undefined;
    }
  }

  /** What is written is a change of its file, which runs the case again once. */
  async #update(): Promise<void> {
    const ask = (): Promise<string> => this.#nextKey(this.#stop.signal);
    const tell = (text: string): void => this.#tell(text);
    const { cwd } = this.#io;
    const stopped = new Promise<string>((resolve) =>
      this.#stop.signal.addEventListener('abort', () => resolve('q'), { once: true }),
    );
    const map = this.#flags.map;
    const key = await offerUpdate(this.#memory.failed(), {
      cwd,
      map,
      tell,
      ask: () => Promise.race([ask(), stopped]),
    });
    if (key === 'q') this.#stop.abort();
  }

  #clear(): void {
    if (this.#keyboard !== undefined) this.#io.stdout.write(CLEAR);
  }

  #tell(text: string): void {
    this.#io.stderr.write(`\n${text}\n`);
  }
}

/** Keys need a terminal on both sides. */
function hasKeys({ json, input = [] }: TestFlags, { stdin, stdout, env }: Io): boolean {
  const isReadElsewhere = input.includes('-');
  return stdin.isTTY && stdout.isTTY && env['TERM'] !== 'dumb' && json !== true && !isReadElsewhere;
}
