// The end of a program that judges in, its judgement out.

import { basename } from 'node:path';
import type { FinishedCheck } from '../../agents/command/run-check.ts';
import type { FoundJson } from '../../json/json-in-text.ts';
import { parseJson } from '../../json/parse-json.ts';
import { ellipsize } from '../../text/cut-text.ts';
import type { UserJudgement } from './read-judgement.ts';
import { readJudgement } from './read-judgement.ts';

const PASSED = 0;
const FAILED = 1;
const MAX_MESSAGE = 300;

/** Runtimes that end with code 1 after an error that was not caught print one of these. */
const STACK_TRACES = [/^Traceback \(most recent call last\):/, /^Node\.js v\d/, /^Exception in thread "/];

const THROWN = /^[\w.]*(?:Error|Exception)\b/;

/** JSON without brackets, and what other languages print for it. */
const SCALAR =
  /^(?:"(?:[^"\\]|\\.)*"|true|false|null|none|undefined|nan|[+-]?(?:inf(?:inity)?|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?))$/i;

/** A judgement somewhere in a text that fails. */
const STATED_FAILURE = /["']?\bpass(?:ed)?["']?\s*[:=]\s*false\b/i;

/**
 * The judgement is the JSON value at the end of what the program prints, which begins on a line of its own; without one, exit code 0
 * passes and 1 fails. Throws for any other end, and if the exit code and what is printed contradict each other.
 */
export function readCheck(
  program: string,
  { code, signal, stdout, stderr }: FinishedCheck,
  threshold: number | undefined,
): UserJudgement {
  const name = basename(program);
  const lastError = lastLine(stderr);
  const because = lastError === undefined ? '' : `: ${lastError}`;
  if (signal !== null || code === null)
    throw new Error(`${name} was ended by ${signal ?? 'a signal'}${because}`);
  if (code !== PASSED && code !== FAILED)
    throw new Error(
      `${name} exited with code ${String(code)}, but must exit with 0 if the answer passes and 1 if it fails${because}`,
    );

  const printed = findJudgement(name, stdout.trim());
  if (printed !== undefined) {
    const judgement = readJudgement(printed.value, { subject: `${name} printed`, threshold });
    if (judgement.pass && code === FAILED)
      throw new Error(`${name} printed a judgement that passes, but exited with code 1${because}`);
    return judgement;
  }
  if (threshold !== undefined)
    throw new Error(`${name} printed no {pass, score, message} as JSON, but "threshold" needs a score`);
  if (code === PASSED) {
    refuseStatedFailure(name, stdout);
    return { pass: true };
  }
  if (stderr.some((line) => STACK_TRACES.some((trace) => trace.test(line)))) {
    const thrown = stderr.findLast((line) => THROWN.test(line)) ?? lastError ?? '';
    throw new Error(`${name} ended with an error that it did not catch: ${thrown}`);
  }
  const message = lastLine(stdout.split('\n')) ?? lastError;
  return { pass: false, ...(message !== undefined && { message }) };
}

/** The JSON value that ends a text; undefined if the text ends with plain words. Throws if it looks like JSON but cannot be read. */
function findJudgement(name: string, text: string): FoundJson | undefined {
  const lines = text.split(/\r\n?|\n/);
  const last = lines.at(-1)?.trim() ?? '';
  const json = SCALAR.test(last) ? last : finalContainer(lines);
  const found = json === undefined ? undefined : parseJson(json);
  if (found !== undefined) return found;
  // A line such as `[INFO] done` is no list.
  const isPlain = json === undefined ? !text.startsWith('{') : json.startsWith('[') || json.startsWith('"');
  if (isPlain) return undefined;
  throw new Error(
    `${name} printed ${JSON.stringify(ellipsize(json ?? last, MAX_MESSAGE))}, which is not readable as JSON`,
  );
}

/**
 * The lines from the one that opens the last object or list to the end. Texts in JSON have no line breaks, so that the brackets of
 * each line can be counted by themselves: linear time.
 */
function finalContainer(lines: readonly string[]): string | undefined {
  const isWords = !/[\]}]$/.test(lines.at(-1) ?? '');
  let depth = 0;
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = (lines[index] ?? '').trim();
    depth += countOpen(line);
    if (depth < 0) continue;
    const isStart = line.startsWith('{') || line.startsWith('[');
    // Complete at the end of the text, or begun and never closed.
    const isFinal = index === lines.length - 1 || !isWords;
    if (isStart && (isFinal || (depth > 0 && line.startsWith('{'))))
      return lines.slice(index).join('\n').trim();
    if (!isWords) return undefined;
  }
  return undefined;
}

/** Opening brackets minus closing ones, without those in texts. */
function countOpen(line: string): number {
  let open = 0;
  for (const [bracket] of line.replaceAll(/"(?:[^"\\]|\\.)*"?/g, '').matchAll(/[[\]{}]/g))
    open += bracket === '{' || bracket === '[' ? 1 : -1;
  return open;
}

/** A program that prints a failing judgement somewhere else, and exits with 0, may mean either. */
function refuseStatedFailure(name: string, stdout: string): void {
  const [stated] = STATED_FAILURE.exec(stdout) ?? [];
  if (stated === undefined) return;
  throw new Error(
    `${name} printed ${JSON.stringify(stated)}, but exited with code 0: print the judgement on the last line, by itself`,
  );
}

function lastLine(lines: readonly string[], limit = MAX_MESSAGE): string | undefined {
  const last = lines.findLast((line) => line.trim() !== '')?.trim();
  return last === undefined ? undefined : ellipsize(last, limit);
}
