// Plans and executes a run for a program, in whichever process.

import { Writable } from 'node:stream';
import { executeRun } from '../run/execute-run.ts';
import type { Caller, Io } from '../run/io.ts';
import type { RunPlan } from '../run/plan.ts';
import { planRun } from '../run/plan.ts';
import type { TestFlags } from '../run/request.ts';
import type { RunEnd } from './evaluate.ts';

type RunIo = Pick<Io, 'cwd' | 'env' | 'interrupt' | 'version' | 'worker'> & { onNote(text: string): void };

/** Gives how it ended; throws ConfigError. */
export async function runFor(
  caller: Omit<Caller, 'opened'>,
  request: { flags: TestFlags; io: RunIo },
): Promise<RunEnd> {
  let log: string | undefined;
  const opened = (path: string): void => void (log = path);
  const { plan, io } = await planFor({ ...caller, opened }, request);
  const exit_code = await executeRun(plan, io);
  return { exit_code, ...(log !== undefined && { log }) };
}

/** Everything before the run; throws ConfigError. */
export async function planFor(
  caller: Caller,
  { flags, io: { onNote, ...rest } }: { flags: TestFlags; io: RunIo },
): Promise<{ plan: RunPlan; io: Io }> {
  const stderr = noteStream(onNote);
  const io: Io = {
    ...rest,
    // Touching it would open it.
    get stdin() {
      return process.stdin;
    },
    stdout: stderr,
    stderr,
    caller,
  };
  const plan = await planRun(flags, io);
  if (plan === undefined) throw new Error('a run of a program has something to run');
  return { plan, io };
}

/** What a run would write to stderr, line by line. */
function noteStream(onNote: (text: string) => void): NodeJS.WriteStream {
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      const text = chunk.trimEnd();
      if (text !== '') onNote(text);
      done();
    },
  });
  // The parts of a terminal are missing, and nothing draws on this one.
  return stream as unknown as NodeJS.WriteStream;
}
