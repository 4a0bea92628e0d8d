// An agent that is a program: it reads the request as JSON from stdin and prints the answer.

import type { ChildProcess } from 'node:child_process';
import { basename } from 'node:path';
import { AttemptError, messageOf } from '../../errors.ts';
import type { Transcript } from '../../model/agent.ts';
import { BoundedOutput, formatBytes } from '../../platform/bounded-output.ts';
import { GRACE_MS, startGroup } from '../../platform/processes/process-group.ts';
import type { Agent, AgentAdapter } from '../adapter.ts';
import { raceSignal } from '../../platform/race.ts';
import { currentTape } from '../../platform/tape-scope.ts';
import { lastInput, toTranscript } from '../transcript.ts';

/** How long output is still read after the program ended, if another process keeps its pipe open. */
const DRAIN_MS = 250;

type Ending = { code: number | null; signal: NodeJS.Signals | null };

/** Opens a command agent: every attempt starts a process in its own process group, which ends with the attempt. */
export const openCommand: AgentAdapter = ({ run }): Agent => {
  if (run.type !== 'command') throw new AttemptError('harness', `not a command: ${run.type}`);
  const [program = '', ...args] = run.command;
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
      const group = startGroup(program, args, { cwd: run.cwd, env: { ...env, ...run.env }, stdio: 'pipe' });
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
        attachLogs(signal.reason, toLines(stderr.text()));
        void group.kill(GRACE_MS);
      };
      signal.addEventListener('abort', abort, { once: true });
      try {
        const ending = await raceSignal(waitForExit(child, program), signal);
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

/** Resolves when the program has exited and its pipes are closed, or DRAIN_MS after the exit. */
function waitForExit(child: ChildProcess, program: string): Promise<Ending> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      reject(new AttemptError('harness', `cannot start ${program}: ${messageOf(error)}`, { cause: error }));
    });
    child.once('exit', (code, signal) => {
      const timer = setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
        resolve({ code, signal });
      }, DRAIN_MS);
      child.once('close', () => {
        clearTimeout(timer);
        resolve({ code, signal });
      });
    });
  });
}

function readAnswer(
  ending: Ending,
  stdout: BoundedOutput,
  stderr: BoundedOutput,
  program: string,
): Transcript {
  const logs = toLines(stderr.text());
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
  try {
    return toTranscript(JSON.parse(text));
  } catch {
    return { output: text };
  }
}

function toLines(text: string): string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}
