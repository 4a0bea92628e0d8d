// Writes the run log: every batch is one write call, so that a kill cuts at most the last line.

import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError, RuntimeError, messageOf } from '../errors.ts';
import type { LoggedEvent, Sink } from '../model/sink.ts';
import { statsOf } from '../platform/file-stats.ts';
import { makeFolder } from '../platform/make-folder.ts';
import { openSpecial, specialFile } from '../platform/open-special.ts';
import type { Lock, Locker } from './lock.ts';
import { socketLocker } from './lock.ts';

/** Longer batches are written immediately, so that they stay below the maximum string length. */
const WRITE_LENGTH = 16 * 1024 * 1024;
const COPY_BYTES = 1024 * 1024;
/** How much another program may have appended in the moment after a write. */
const SEARCH_BYTES = 16 * 1024 * 1024;

type Part = { start: number; end: number };

type LogOptions = {
  /** Fails if the file exists. */
  exclusive?: boolean;
  /** The part of an earlier log that stays, and the size of the file when it was read. Without it, the log begins anew. */
  resumed?: { end: number; size: number };
  locker?: Locker;
};

/** Opens a log, creates its folders and takes its lock. The content changes only with `begin`. Throws ConfigError if another process writes it. */
export async function openLogWriter(path: string, options: LogOptions = {}): Promise<LogWriter> {
  const { exclusive = false, resumed, locker = socketLocker() } = options;
  const before = statsOf(path);
  const special = specialFile(path);
  const file = special === undefined ? openFile(path, { exclusive, resumed }) : await openPipe(path, special);
  let lock: Lock | undefined;
  try {
    const stats = fstatSync(file, { bigint: true });
    if (stats.isFile()) lock = await locker(stats);
    if (lock?.state === 'taken') throw heldBy(path, lock.pid);
    // Another run may have continued the log after it was read and before it was locked.
    if (resumed !== undefined && fstatSync(file).size !== resumed.size)
      throw new ConfigError(`another run has written to the run log ${path} in the meantime`, {
        hint: 'run the command again',
      });
    return new LogWriter(path, file, { lock, isNew: before === undefined, end: resumed?.end ?? 0 });
  } catch (error) {
    closeSync(file);
    if (lock?.state === 'held') lock.release();
    throw error;
  }
}

/** Appends, so that even where locks do not work, two runs never overwrite each other's lines. */
function openFile(path: string, { exclusive = false, resumed }: LogOptions): number {
  return attemptTo('open', path, () => {
    makeFolder(dirname(path));
    // A log to continue must not come into being here.
    const create = resumed === undefined ? constants.O_CREAT : 0;
    const access = constants.O_RDWR | constants.O_APPEND | constants.O_NONBLOCK;
    return openSync(path, access | create | (exclusive ? constants.O_EXCL : 0));
  });
}

async function openPipe(path: string, special: string): Promise<number> {
  try {
    return await openSpecial(path, special, constants.O_APPEND);
  } catch (cause) {
    throw new RuntimeError(`cannot open the run log ${path}: ${messageOf(cause)}`, { cause });
  }
}

/** Throws ConfigError if a run is writing this file at the moment. */
export async function refuseHeldLog(path: string, locker: Locker = socketLocker()): Promise<void> {
  const stats = statsNow(path);
  if (stats?.isFile() !== true) return;
  const lock = await locker(stats);
  if (lock.state === 'taken') throw heldBy(path, lock.pid);
  if (lock.state === 'held') lock.release();
}

function heldBy(path: string, pid: string | undefined): ConfigError {
  const who = pid === undefined ? 'another process' : `process ${pid}`;
  return new ConfigError(`${who} is writing the run log ${path}`, {
    hint: 'wait until that run has ended, or choose another file with -o',
  });
}

/** An open run log with this one writer. */
class LogWriter implements Sink {
  readonly path: string;
  /** Why other writers of this log would not be noticed before the end of the run. */
  readonly unlocked: string | undefined;
  readonly #file: number;
  readonly #stats: BigIntStats;
  readonly #lock: Lock | undefined;
  readonly #isNew: boolean;
  /** The number of bytes that are its own, and where they are: in one part, unless another program wrote in between. */
  #size: number;
  #parts: Part[];
  /** Of everything that was written, and of the part of an earlier log that stays. */
  readonly #hash = createHash('sha1');
  #hasBegun = false;
  #isOpen = true;

  constructor(
    path: string,
    file: number,
    { lock, isNew, end }: { lock: Lock | undefined; isNew: boolean; end: number },
  ) {
    this.path = path;
    this.#file = file;
    this.#stats = fstatSync(file, { bigint: true });
    this.#lock = lock;
    this.#isNew = isNew;
    this.#size = end;
    this.#parts = [{ start: 0, end }];
    this.unlocked = lock?.state === 'unavailable' ? lock.why : undefined;
  }

  /** Removes what does not stay of an earlier log. */
  begin(): void {
    this.#hasBegun = true;
    if (!this.#stats.isFile()) return;
    attemptTo('write', this.path, () => {
      ftruncateSync(this.#file, this.#size);
      this.#readOwn((bytes) => void this.#hash.update(bytes));
    });
  }

  write(batch: readonly LoggedEvent[]): void {
    let text = '';
    for (const { line } of batch) {
      text += `${line}\n`;
      if (text.length < WRITE_LENGTH) continue;
      this.#writeAll(text);
      text = '';
    }
    if (text !== '') this.#writeAll(text);
  }

  /** How the log differs from what was written; undefined if it is whole. */
  findLoss(): 'changed' | 'foreign' | 'gone' | 'replaced' | 'shorter' | undefined {
    if (!this.#stats.isFile()) return undefined;
    const named = statsNow(this.path);
    const isNamed = named?.ino === this.#stats.ino && named.dev === this.#stats.dev;
    const { size } = fstatSync(this.#file);
    if (isNamed && size < this.#size) return 'shorter';
    // Also in a file that has lost its name: its lines are about to be saved.
    if (!this.#isWhole()) return 'changed';
    if (named === undefined) return 'gone';
    if (!isNamed) return 'replaced';
    return size > this.#size ? 'foreign' : undefined;
  }

  /** False if one of its own lines was changed. */
  #isWhole(): boolean {
    const hash = createHash('sha1');
    attemptTo('read', this.path, () => this.#readOwn((bytes) => void hash.update(bytes)));
    return hash.digest('hex') === this.#hash.copy().digest('hex');
  }

  /** Writes its own lines in the open file, which may have lost its name, to another file. */
  copyTo(path: string): void {
    attemptTo('write', path, () => {
      const copy = openSync(path, 'wx');
      try {
        this.#readOwn((bytes) => writeBytes(copy, bytes));
      } finally {
        closeSync(copy);
      }
    });
  }

  /** Closes the log and frees its lock. A new log that was never begun is removed. */
  release(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    if (this.#isNew && !this.#hasBegun && this.findLoss() === undefined && this.#stats.isFile())
      rmSync(this.path, { force: true });
    attemptTo('close', this.path, () => closeSync(this.#file));
    if (this.#lock?.state === 'held') this.#lock.release();
  }

  #writeAll(text: string): void {
    attemptTo('write', this.path, () => {
      const bytes = Buffer.from(text);
      writeBytes(this.#file, bytes);
      this.#size += bytes.length;
      this.#hash.update(bytes);
      if (this.#stats.isFile()) this.#notePlace(bytes);
    });
  }

  /** Notes where bytes are that were just appended: behind what another program has appended meanwhile, or before it. */
  #notePlace(bytes: Buffer): void {
    const last = this.#parts.at(-1) ?? { start: 0, end: 0 };
    const { size } = fstatSync(this.#file);
    if (size - last.end === bytes.length) {
      last.end = size;
      return;
    }
    const tail = Buffer.alloc(Math.min(Math.max(size - last.end, 0), bytes.length + SEARCH_BYTES));
    readSync(this.#file, tail, 0, tail.length, size - tail.length);
    // If they are not there, the hash of all parts says so.
    const start = size - tail.length + Math.max(tail.lastIndexOf(bytes), 0);
    this.#parts.push({ start, end: start + bytes.length });
  }

  /** Reads its own lines in the open file, which may have lost its name. */
  #readOwn(take: (bytes: Buffer) => void): void {
    const bytes = Buffer.allocUnsafe(COPY_BYTES);
    for (const { start, end } of this.#parts) {
      for (let at = start, read = 1; read > 0 && at < end; at += read) {
        read = readSync(this.#file, bytes, 0, Math.min(COPY_BYTES, end - at), at);
        take(bytes.subarray(0, read));
      }
    }
  }
}

export type { LogWriter };

/** Undefined if the file is gone, or its folder can no longer be read. */
function statsNow(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}

/** A write call may write only a part, for example when the disk fills up. */
function writeBytes(file: number, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) written += writeSync(file, bytes, written);
}

function attemptTo<T>(verb: string, path: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    const hint =
      verb === 'open' ? 'choose another file with -o' : 'free disk space or choose another file with -o';
    throw new RuntimeError(`cannot ${verb} the run log ${path}: ${messageOf(cause)}`, { cause, hint });
  }
}
