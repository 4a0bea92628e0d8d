// A file of Python functions: starts its process on first use, and another one when that is over.

import { AttemptError } from '../../errors.ts';
import { raceSignal } from '../../platform/race.ts';
import type { PythonFunction } from './python-process.ts';
import { PythonProcess } from './python-process.ts';

/** What one call needs. */
export type PythonCallDeps = {
  env: Record<string, string | undefined>;
  signal: AbortSignal;
  closing?(work: Promise<unknown>): void;
};

/** Owns the Python processes of a file: one at a time takes calls. */
export class PythonFile {
  #process: PythonProcess | undefined;
  readonly #first: PythonFunction;

  /** The function is looked up when the file is loaded. */
  constructor(first: PythonFunction) {
    this.#first = first;
  }

  /** Imports the file; undefined if that is done. Throws UnloadableError, or AttemptError if the process ends. */
  prepare({ env, signal }: PythonCallDeps): Promise<void> | undefined {
    const process = this.#current(env);
    return process.isLoaded ? undefined : raceSignal(process.loaded, signal);
  }

  /** Calls a function of the prepared file. Rejects with what the function raised. */
  async call(name: string, args: unknown[], deps: PythonCallDeps): Promise<unknown> {
    await this.prepare(deps);
    const process = this.#current(deps.env);
    if (!process.isLoaded) throw new AttemptError('agent', 'its Python process ended before the call');
    return process.call({ function: name, given: this.#first.given }, args, deps);
  }

  #current(env: Record<string, string | undefined>): PythonProcess {
    if (this.#process === undefined || this.#process.isOver)
      this.#process = new PythonProcess(this.#first, env);
    return this.#process;
  }
}
