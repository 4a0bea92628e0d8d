// The messages between a program and the process that runs its cases: JSON lines on file descriptor 3 of that process.

import type { Problem } from '../errors.ts';
import type { FromWorker, ToWorker } from '../execute/process/protocol.ts';
import type { RunEvent } from '../model/event.ts';
import type { TestFlags } from '../run/request.ts';
import type { RunEnd } from './evaluate.ts';

/** The hidden verb of the process. With the word `agents` it starts a worker at once. */
export const VERB = '__evaluate';

export type ToRun =
  | { type: 'run'; flags: TestFlags; cwd: string; callsBack: boolean }
  /** An answer of the program, which executes the attempts itself. */
  | { type: 'from-worker'; worker: number; message: FromWorker }
  | { type: 'stop' };

export type FromRun =
  | { type: 'event'; event: RunEvent }
  | { type: 'note'; text: string }
  /** The program executes attempts. */
  | { type: 'to-worker'; worker: number; message: ToWorker }
  | ({ type: 'end' } & RunEnd)
  | { type: 'refused'; problems: readonly Problem[] }
  | { type: 'failed'; message: string; hint?: string };
