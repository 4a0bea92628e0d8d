// The end of a program that judges in, its judgement out.

import { basename } from 'node:path';
import type { FinishedCheck } from '../../agents/command/run-check.ts';
import { isObject } from '../../json/is-object.ts';
import { ellipsize } from '../../text/cut-text.ts';
import type { UserJudgement } from './read-judgement.ts';
import { readJudgement } from './read-judgement.ts';

const PASSED = 0;
const FAILED = 1;
const MAX_MESSAGE = 300;

/** Runtimes that end with code 1 after an error that was not caught print one of these. */
const STACK_TRACES = [/^Traceback \(most recent call last\):/, /^Node\.js v\d/, /^Exception in thread "/];

const THROWN = /^[\w.]*(?:Error|Exception)\b/;

/**
 * The judgement is an object as JSON, all that the program prints or its last line; without one, exit code 0 passes and 1 fails.
 * Throws for any other end, and if the exit code and the printed judgement contradict each other.
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
    const judgement = readJudgement(printed, { subject: `${name} printed`, threshold });
    if (judgement.pass && code === FAILED)
      throw new Error(`${name} printed a judgement that passes, but exited with code 1${because}`);
    return judgement;
  }
  if (threshold !== undefined)
    throw new Error(`${name} printed no {pass, score, message} as JSON, but "threshold" needs a score`);
  if (code === PASSED) return { pass: true };
  if (stderr.some((line) => STACK_TRACES.some((trace) => trace.test(line)))) {
    const thrown = stderr.findLast((line) => THROWN.test(line)) ?? lastError ?? '';
    throw new Error(`${name} ended with an error that it did not catch: ${thrown}`);
  }
  const message = lastLine(stdout.split('\n')) ?? lastError;
  return { pass: false, ...(message !== undefined && { message }) };
}

/** The JSON object that a program printed; throws if something looks like one but cannot be read. */
function findJudgement(name: string, text: string): object | undefined {
  const last = lastLine(text.split('\n'), Infinity) ?? '';
  for (const json of [text, last]) {
    const value = json.startsWith('{') ? parseObject(json) : undefined;
    if (value !== undefined) return value;
  }
  if (!text.startsWith('{') && !last.startsWith('{')) return undefined;
  throw new Error(
    `${name} printed ${JSON.stringify(ellipsize(last, MAX_MESSAGE))}, which is not readable as JSON`,
  );
}

function parseObject(json: string): object | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function lastLine(lines: readonly string[], limit = MAX_MESSAGE): string | undefined {
  const last = lines.findLast((line) => line.trim() !== '')?.trim();
  return last === undefined ? undefined : ellipsize(last, limit);
}
