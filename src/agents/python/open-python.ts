// An agent that is a Python function: (messages, ctx) → answer, in a Python process that lasts.

import { basename } from 'node:path';
import { AttemptError, MisconfiguredAgent } from '../../errors.ts';
import type { Transcript } from '../../model/agent.ts';
import { currentTape } from '../../platform/tape-scope.ts';
import { explainUnloadable } from '../../scripts/python/explain-unloadable.ts';
import { pythonContext } from '../../scripts/python/python-context.ts';
import { PythonFile } from '../../scripts/python/python-file.ts';
import type { PythonFunction } from '../../scripts/python/python-process.ts';
import { UnloadableError } from '../../scripts/python/python-process.ts';
import type { Agent, AgentAdapter, AgentDeps } from '../adapter.ts';
import { agentFailure, toTranscript } from '../transcript.ts';

/** Opens a Python agent. The first attempt starts the process and imports the file, within its own deadline. */
export const openPython: AgentAdapter = ({ options: ownOptions, run }): Agent => {
  if (run.type !== 'python') throw new AttemptError('harness', `not a Python function: ${run.type}`);
  const called: PythonFunction = { ...run, given: ['messages', 'ctx'] };
  const file = new PythonFile(called);

  const prepare = async (loading: Promise<void>, { signal }: AgentDeps): Promise<void> => {
    try {
      await loading;
    } catch (error) {
      throw failure(error, signal, called);
    }
  };
  return {
    prepare(deps) {
      const loading = file.prepare(deps);
      return loading === undefined ? undefined : prepare(loading, deps);
    },
    async run(messages, context, deps): Promise<Transcript> {
      if (currentTape() !== undefined)
        throw new AttemptError(
          'replay',
          `requests of the Python file ${basename(run.file)} cannot be recorded or replayed`,
          { isFinal: true },
        );
      const options = { ...ownOptions, ...deps.options };
      try {
        const args = [messages, { ...pythonContext(context), options }];
        return toTranscript(await file.call(run.function, args, deps));
      } catch (error) {
        throw failure(error, deps.signal, called);
      }
    },
  };
};

function failure(error: unknown, signal: AbortSignal, called: PythonFunction): unknown {
  if (signal.aborted && error === signal.reason) return error;
  if (error instanceof UnloadableError) return new MisconfiguredAgent(explainUnloadable(error, called));
  return agentFailure(error);
}
