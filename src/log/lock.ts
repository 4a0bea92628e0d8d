// A log has one writer. The lock is the name of a local socket: the kernel gives it to one process and frees it when that process
// ends, however it ends, so no file is left behind. The name is made of device and inode: all paths of a file mean one lock.

import type { BigIntStats } from 'node:fs';
import { rmSync } from 'node:fs';
import type { Server } from 'node:net';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../errors.ts';

/** `taken` names the process that holds the lock, if it answers. `unavailable`: this system cannot lock. */
export type Lock =
  | { state: 'held'; release(): void }
  | { state: 'taken'; pid: string | undefined }
  | { state: 'unavailable'; why: string };

/** Takes the lock of a file. */
export type Locker = (file: Pick<BigIntStats, 'dev' | 'ino'>) => Promise<Lock>;

/** How long a holder has to say its process id, and how long a process that was just killed may take to end. */
const ANSWER_MS = 1000;
const RETRY_MS = 20;

/** Locks by a socket name; `addressFor` gives the name of a lock. */
export function socketLocker(addressFor = socketAddress): Locker {
  return async ({ dev, ino }) => {
    const address = addressFor(`assay-log-${dev.toString(36)}-${ino.toString(36)}`);
    const deadline = performance.now() + ANSWER_MS;
    for (;;) {
      const bound = await bind(address);
      if (bound instanceof Error) {
        if (!hasCode(bound, 'EADDRINUSE')) return { state: 'unavailable', why: messageOf(bound) };
        const holder = await askHolder(address);
        if (holder.answer !== 'none') return { state: 'taken', pid: holder.pid };
        if (performance.now() > deadline) return { state: 'taken', pid: undefined };
        // Its process has ended. A socket that is a file stays behind.
        if (isFile(address)) rmSync(address, { force: true });
        else await sleep(RETRY_MS);
        continue;
      }
      return { state: 'held', release: () => void bound.close() };
    }
  };
}

function socketAddress(name: string): string {
  if (process.platform === 'linux') return `\0${name}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), name);
}

function isFile(address: string): boolean {
  return !address.startsWith('\0') && !address.startsWith('\\\\.\\pipe\\');
}

/** The server answers every connection with the id of this process, and does not keep the process alive. */
function bind(address: string): Promise<Server | Error> {
  return new Promise((done) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(String(process.pid));
    });
    server.once('error', done);
    server.listen({ path: address, exclusive: true }, () => done(server));
    server.unref();
  });
}

type Holder = { answer: 'pid' | 'silence'; pid: string | undefined } | { answer: 'none' };

/** `none`: the holder is gone or about to end. `silence`: it is there, but busy or stopped. */
function askHolder(address: string): Promise<Holder> {
  return new Promise((done) => {
    let text = '';
    const socket = connect(address);
    const timer = setTimeout(() => end({ answer: 'silence', pid: undefined }), ANSWER_MS);
    const end = (holder: Holder): void => {
      clearTimeout(timer);
      socket.destroy();
      done(holder);
    };
    socket.on('data', (bytes) => (text += bytes.toString()));
    socket.on('error', () => end({ answer: 'none' }));
    socket.on('end', () => end(text === '' ? { answer: 'none' } : { answer: 'pid', pid: text }));
  });
}

function hasCode(error: Error, code: string): boolean {
  return 'code' in error && error.code === code;
}
