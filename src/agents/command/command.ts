// An agent that is a program: it reads the request as JSON from stdin and prints the answer.

import { basename } from 'node:path';
import { AttemptError } from '../../errors.ts';
import type { Transcript } from '../../model/agent.ts';
import { parseJson } from '../../json/parse-json.ts';
import { formatBytes } from '../../platform/bounded-output.ts';
import type { Agent, AgentAdapter } from '../adapter.ts';
import { currentTape } from '../../platform/tape-scope.ts';
import { lastInput, toTranscript } from '../transcript.ts';
import type { FinishedProgram } from './run-program.ts';
import { describeEnding, runProgram } from './run-program.ts';
import { startFailure } from './start-failure.ts';

/** Opens a command agent: every attempt starts a process in its own process group, which ends with the attempt. */
export const openCommand: AgentAdapter = ({ run }): Agent => {
  if (run.type !== 'command') throw new AttemptError('harness', `not a command: ${run.type}`);
  const { command, cwd } = run;
  const [program = ''] = command;
  let hasStarted = false;
  return {
    async run(messages, context, { env, signal }) {
      signal.throwIfAborted();
      if (currentTape() !== undefined)
        throw new AttemptError(
          'replay',
          `requests of the program ${basename(program)} cannot be recorded or replayed`,
          {
            isFinal: true,
          },
        );
      const finished = await runProgram(command, {
        cwd,
        env: { ...env, ...run.env },
        input: `${JSON.stringify({ messages, context, input: lastInput(messages) })}\n`,
        signal,
        started: () => void (hasStarted = true),
        startFailure: (error) => startFailure(error, { program, cwd, hasStarted }),
      });
      return readAnswer(finished, basename(program));
    },
  };
};

function readAnswer({ ending, stdout, stderr }: FinishedProgram, program: string): Transcript {
  const logs = stderr.lines();
  const logged = logs.length === 0 ? {} : { logs };
  if (stdout.truncated) {
    const message = `${program} printed ${formatBytes(stdout.length)}; at most 10 MB of an answer is read`;
    throw new AttemptError('agent', message, logged);
  }
  if (ending.code !== 0)
    throw new AttemptError('agent', `${program} ${describeEnding(ending, logs)}`, logged);
  const transcript = parseAnswer(stdout.text().trim());
  return logs.length === 0 ? transcript : { ...transcript, logs: [...(transcript.logs ?? []), ...logs] };
}

function parseAnswer(text: string): Transcript {
  const parsed = parseJson(text);
  return parsed === undefined ? { output: text } : toTranscript(parsed.value);
}
