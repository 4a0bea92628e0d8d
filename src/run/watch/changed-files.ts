// Which of the files that a run was made of have changed since, and waiting for the next one that does.

import { once } from 'node:events';
import type { FSWatcher } from 'chokidar';
import { basename } from 'node:path';
import { statsOf } from '../../platform/file-stats.ts';

/** Editors write a file in several steps; they are one change. */
const SETTLE_MS = 100;
const LOOK_MS = 1000;
/** Files that editors and this program write beside others. */
const TEMPORARY = /^\.|~$|\.(?:swp|tmp)$/;

export class ChangedFiles {
  /** What each file looked like when it was read last. */
  readonly #stamps = new Map<string, string>();
  /** New files in the folders. */
  readonly #found = new Set<string>();
  #watcher: FSWatcher | undefined;

  get count(): number {
    return this.#stamps.size;
  }

  /** The files are read from now on: what they look like now is known. Call it before they are read. */
  begin(): number {
    for (const file of this.#stamps.keys()) this.#stamps.set(file, stampOf(file));
    this.#found.clear();
    return Date.now();
  }

  /**
   * Watches files that were read since `began`, and folders for new files. A file that was written meanwhile may have been read
   * before that, so it counts as changed.
   */
  async add(
    files: readonly string[],
    { folders, began }: { folders: readonly string[]; began: number },
  ): Promise<void> {
    for (const file of files) {
      if (this.#stamps.has(file)) continue;
      const isNewer = (statsOf(file)?.mtimeMs ?? 0) > began;
      this.#stamps.set(file, isNewer ? '' : stampOf(file));
    }
    if (this.#watcher !== undefined) {
      this.#watcher.add([...files, ...folders]);
      return;
    }
    const { watch } = await import('chokidar');
    this.#watcher = watch([...files, ...folders], { ignoreInitial: true });
    this.#watcher.on('add', (path) => {
      if (!this.#stamps.has(path) && !TEMPORARY.test(basename(path))) this.#found.add(path);
    });
    await once(this.#watcher, 'ready');
  }

  changed(): string[] {
    const known = [...this.#stamps].filter(([file, stamp]) => stampOf(file) !== stamp).map(([file]) => file);
    return [...known, ...this.#found];
  }

  /** Resolves with the files as soon as some have changed; empty if the signal aborts first. */
  async next(signal: AbortSignal): Promise<string[]> {
    while (!signal.aborted) {
      if (this.changed().length > 0) {
        await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
        const files = this.changed();
        if (files.length > 0) return files;
      }
      await this.#wake(signal);
    }
    return [];
  }

  /** The watcher may miss a file that is replaced twice within a moment, so that the clock wakes as well. */
  #wake(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#watcher?.off('all', done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, LOOK_MS);
      this.#watcher?.on('all', done);
      signal.addEventListener('abort', done);
    });
  }

  async close(): Promise<void> {
    await this.#watcher?.close();
  }
}

function stampOf(file: string): string {
  const stats = statsOf(file);
  return stats === undefined ? 'gone' : `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
}
