// An agent that is a program: the request is JSON on its stdin, the answer is what it prints.

import type { ChildProcess } from 'node:child_process';
import { basename } from 'node:path';
import { AttemptError, messageOf } from '../errors.ts';
import type { Transcript } from '../model/agent.ts';
import { BoundedOutput, formatBytes } from '../platform/bounded-output.ts';
import { GRACE_MS, startGroup } from '../platform/process-group.ts';
import type { Agent, AgentAdapter } from './adapter.ts';
import { raceSignal } from '../platform/race.ts';
import { currentTape } from '../platform/tape-scope.ts';
import { lastInput, toTranscript } from './transcript.ts';

/** How long a pipe that somebody else holds open is still read after the program has ended. */
const DRAIN_MS = 250;

type Ending = { code: number | null; signal: NodeJS.Signals | null };

/** Opens a command agent: every attempt is a process of its own, in a group that ends with the attempt. */
export const openCommand: AgentAdapter = ({ run }): Agent => {
  if (run.type !== 'command') throw new AttemptError('harness', `not a command: ${run.type}`);
  const [program = '', ...args] = run.command;
  return {
    async run(messages, context, { env, signal }) {
      signal.throwIfAborted();
      if (currentTape() !== undefined)
        throw new AttemptError('replay', `what ${basename(program)} sends cannot be recorded or replayed`, {
          isFinal: true,
        });
      const group = startGroup(program, args, { cwd: run.cwd, env: { ...env, ...run.env }, stdio: 'pipe' });
      const { child } = group;
      const stdout = new BoundedOutput();
      const stderr = new BoundedOutput();
      child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
      child.stdout?.on('data', (chunk: Buffer) => {
        stdout.push(chunk);
        if (stdout.truncated) void group.kill(GRACE_MS);
      });
      // A program that does not read its request closes the pipe, which is its right.
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(`${JSON.stringify({ messages, context, input: lastInput(messages) })}\n`);

      const abort = (): void => {
        attachLogs(signal.reason, linesOf(stderr.text()));
        void group.kill(GRACE_MS);
      };
      signal.addEventListener('abort', abort, { once: true });
      try {
        const ending = await raceSignal(endOf(child, program), signal);
        return readAnswer(ending, stdout, stderr, basename(program));
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
  };
};

/** The reason of an abort is thrown as it is; what the program had to say until then goes with it. */
function attachLogs(reason: unknown, logs: string[]): void {
  if (logs.length > 0 && reason instanceof Error && !('logs' in reason)) Object.assign(reason, { logs });
}

/** Resolves when the program has ended and its output is read, as far as its pipes close soon. */
function endOf(child: ChildProcess, program: string): Promise<Ending> {
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
  const logs = linesOf(stderr.text());
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

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}
