// An agent that is a program: it reads the request as JSON from stdin and prints the answer.

import { basename } from 'node:path';
import { AttemptError } from '../../errors.ts';
import type { Transcript } from '../../model/agent.ts';
import { parseJson } from '../../json/parse-json.ts';
import { BoundedOutput, formatBytes } from '../../platform/bounded-output.ts';
import type { ProcessGroup } from '../../platform/processes/process-group.ts';
import { GRACE_MS, startGroup } from '../../platform/processes/process-group.ts';
import type { Agent, AgentAdapter } from '../adapter.ts';
import type { ProcessEnding } from '../../platform/processes/wait-for-end.ts';
import { waitForEnd } from '../../platform/processes/wait-for-end.ts';
import { raceSignal } from '../../platform/race.ts';
import { currentTape } from '../../platform/tape-scope.ts';
import { lastInput, toTranscript } from '../transcript.ts';
import { startFailure } from './start-failure.ts';

/** Opens a command agent: every attempt starts a process in its own process group, which ends with the attempt. */
export const openCommand: AgentAdapter = ({ run }): Agent => {
  if (run.type !== 'command') throw new AttemptError('harness', `not a command: ${run.type}`);
  const [program = '', ...args] = run.command;
  let hasStarted = false;
  const failure = (error: unknown): AttemptError =>
    startFailure(error, { program, cwd: run.cwd, hasStarted });
  const start = (env: NodeJS.ProcessEnv): ProcessGroup => {
    try {
      const group = startGroup(program, args, { cwd: run.cwd, env: { ...env, ...run.env }, stdio: 'pipe' });
      hasStarted ||= group.pid !== undefined;
      return group;
    } catch (error) {
      throw failure(error);
    }
  };
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
      const group = start(env);
      const { child } = group;
      const stdout = new BoundedOutput();
      const stderr = new BoundedOutput();
      child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
      child.stdout?.on('data', (chunk: Buffer) => {
        stdout.push(chunk);
        if (stdout.truncated) void group.kill(GRACE_MS);
      });
      // A program may close its stdin without reading the request.
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(`${JSON.stringify({ messages, context, input: lastInput(messages) })}\n`);

      const abort = (): void => {
        attachLogs(signal.reason, stderr.lines());
        void group.kill(GRACE_MS);
      };
      signal.addEventListener('abort', abort, { once: true });
      try {
        const ended = waitForEnd(child, () => stdout.length + stderr.length).catch((error: unknown) => {
          throw failure(error);
        });
        const ending = await raceSignal(ended, signal);
        return readAnswer(ending, stdout, stderr, basename(program));
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
  };
};

/** Adds the program's stderr to the reason of an abort, which is thrown unchanged otherwise. */
function attachLogs(reason: unknown, logs: string[]): void {
  if (logs.length > 0 && reason instanceof Error && !('logs' in reason)) Object.assign(reason, { logs });
}

function readAnswer(
  ending: ProcessEnding,
  stdout: BoundedOutput,
  stderr: BoundedOutput,
  program: string,
): Transcript {
  const logs = stderr.lines();
  const logged = logs.length === 0 ? {} : { logs };
  if (stdout.truncated) {
    const message = `${program} printed ${formatBytes(stdout.length)}; at most 10 MB of an answer is read`;
    throw new AttemptError('agent', message, logged);
  }
  if (ending.code !== 0) {
    const how =
      ending.signal === null ? `exited with code ${String(ending.code)}` : `was ended by ${ending.signal}`;
    const last = logs.findLast((line) => line.trim() !== '');
    throw new AttemptError(
      'agent',
      `${program} ${how}${last === undefined ? '' : `: ${last.trim()}`}`,
      logged,
    );
  }
  const transcript = parseAnswer(stdout.text().trim());
  return logs.length === 0 ? transcript : { ...transcript, logs: [...(transcript.logs ?? []), ...logs] };
}

function parseAnswer(text: string): Transcript {
  const parsed = parseJson(text);
  return parsed === undefined ? { output: text } : toTranscript(parsed.value);
}
