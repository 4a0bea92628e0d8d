// The transport of a tool server that is a program: JSON lines on stdin and stdout.

import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { messageOf } from '../../errors.ts';
import { environmentHint, serverEnvironment } from './server-environment.ts';

export type StdioProgram = {
  command: string;
  arguments: string[];
  env: Record<string, string>;
  cwd: string;
};

/** Characters of stderr kept for error messages. */
const STDERR_LIMIT = 4096;
const MESSAGE_LIMIT = 10 * 1024 * 1024;
/** A program that prints this many other lines before its first message is not a tool server. */
const GARBAGE_LIMIT = 100;
/** How long output is still read after the program ended, if another process keeps its pipe open. */
const DRAIN_MS = 250;
const GRACE_MS = 1000;

/**
 * Unlike the transport of the SDK, this one knows the exit code of the program and its last output,
 * and does not keep the process alive. The program stays in the process group of the worker and is killed with it.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** How the program ended; undefined if it was closed by us. */
  ending: string | undefined;
  /** The first line on stdout that was not a message. */
  garbage: string | undefined;

  readonly #program: StdioProgram;
  readonly #parse: (line: string) => JSONRPCMessage;
  #child: ChildProcess | undefined;
  #environment: Record<string, string | undefined> = {};
  #stderr = Buffer.alloc(0);
  #rest: Buffer[] = [];
  #restLength = 0;
  #garbageCount = 0;
  #hasAnswered = false;
  #hasEnded = false;

  constructor(program: StdioProgram, parse: (line: string) => JSONRPCMessage) {
    this.#program = program;
    this.#parse = parse;
  }

  start(): Promise<void> {
    const { command, arguments: args, env, cwd } = this.#program;
    this.#environment = serverEnvironment(env);
    const child = spawn(command, args, { cwd, env: this.#environment, stdio: 'pipe' });
    this.#child = child;
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    child.stdout.once('end', () => {
      setTimeout(() => this.#end('closed its output'), DRAIN_MS).unref();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr = Buffer.concat([this.#stderr, chunk]).subarray(-STDERR_LIMIT);
    });
    // A broken pipe: the exit of the program says more.
    child.stdin.on('error', () => undefined);
    child.once('exit', (code, signal) => {
      const how = signal === null ? `exited with code ${String(code)}` : `was ended by ${signal}`;
      const end = (): void => this.#end(`${how}${this.#stderrSummary()}`);
      setTimeout(end, DRAIN_MS).unref();
      child.once('close', end);
    });
    unrefChild(child);
    return new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.on('error', (error) => {
        this.#end(`cannot start ${command}: ${messageOf(error)}`);
        reject(error);
      });
    });
  }

  /** What to do about a program that ended before it was a server: its environment may lack something. */
  get hint(): string | undefined {
    const child = this.#child;
    if (child?.pid === undefined || child.exitCode === null) return undefined;
    return environmentHint(this.#stderr.toString('utf8'), this.#environment);
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (this.#hasEnded || stdin === undefined || stdin === null) {
      return Promise.reject(new Error('not connected'));
    }
    stdin.write(`${JSON.stringify(message)}\n`);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#end();
    return Promise.resolve();
  }

  #read(chunk: Buffer): void {
    let start = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, start)) {
      const line = Buffer.concat([...this.#rest, chunk.subarray(start, at)]).toString('utf8');
      this.#rest = [];
      this.#restLength = 0;
      start = at + 1;
      if (line.trim() !== '') this.#readLine(line);
    }
    this.#rest.push(chunk.subarray(start));
    this.#restLength += chunk.length - start;
    if (this.#restLength > MESSAGE_LIMIT) this.#end('sent a message of more than 10 MB');
  }

  #readLine(line: string): void {
    if (this.#hasEnded) return;
    let message: JSONRPCMessage;
    try {
      message = this.#parse(line);
    } catch {
      // Many servers print a greeting on stdout.
      this.garbage ??= line.trim().slice(0, 200);
      this.#garbageCount += 1;
      if (!this.#hasAnswered && this.#garbageCount >= GARBAGE_LIMIT) {
        this.#end(`does not speak MCP, it printed: ${this.garbage}`);
      }
      return;
    }
    this.#hasAnswered = true;
    this.onmessage?.(message);
  }

  #end(how?: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.ending = how;
    this.#rest = [];
    const child = this.#child;
    child?.stdin?.end();
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      child.kill();
      setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref();
    }
    child?.stdout?.destroy();
    child?.stderr?.destroy();
    this.onclose?.();
  }

  /** `: ` and the stderr line that names the error, else the last line; empty without output. */
  #stderrSummary(): string {
    const lines = this.#stderr
      .toString('utf8')
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '');
    // Node prints its version as the last line.
    const summary = lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1);
    return summary === undefined ? '' : `: ${summary.trim()}`;
  }
}

/** An idle server does not keep the worker alive. */
function unrefChild(child: ChildProcess): void {
  child.unref();
  for (const pipe of [child.stdin, child.stdout, child.stderr]) {
    // Pipes of a child are sockets, unlike their type.
    if (pipe !== null && 'unref' in pipe && typeof pipe.unref === 'function') pipe.unref();
  }
}
