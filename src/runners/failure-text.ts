// A result in, the words that a failed test of vitest or node:test shows, out.

import { ConfigError } from '../errors.ts';
import type { Problem } from '../errors.ts';
import { isUnmeasured } from '../report/fold/case-result.ts';
import { failureHeadline, listFailures } from '../report/fold/failures.ts';
import type { Failure } from '../report/fold/failures.ts';
import type { ReportResult } from '../report/formats/json-report.ts';
import { readableText } from '../text/untrusted.ts';

const MAX_ANSWER = 500;

/** The case could not be measured: an error of a judge, a model or a connection says nothing about the agent. */
export class UnmeasuredError extends Error {
  override readonly name = 'UnmeasuredError';
}

/** Throws UnmeasuredError if the result is no measurement, which neither a test nor its opposite may pass. */
export function refuseUnmeasured(result: ReportResult): void {
  if (!isUnmeasured(result)) return;
  throw withoutFrames(
    new UnmeasuredError(`case ${result.id} could not be measured\n${failureLines(result).join('\n')}`),
  );
}

/** All reasons, line by line, with expected and actual values. */
export function resultText(result: ReportResult): string {
  const { id, status, runs, passed, output } = result;
  const rate = runs > 1 ? ` (${String(passed)} of ${String(runs)} runs passed)` : '';
  const how = status === 'error' ? 'ended with an error' : status === 'timeout' ? 'timed out' : status;
  const answer = output === null ? [] : [`  answer: ${cut(readableText(output))}`];
  return [`case ${id} ${how}${rate}`, ...failureLines(result), ...answer].join('\n');
}

function failureLines(result: ReportResult): string[] {
  const lines: string[] = [];
  for (const failure of listFailures(result))
    lines.push(`  ${failureHeadline(failure)}`, ...detailLines(failure));
  return lines;
}

function detailLines({ detail }: Failure): string[] {
  if (detail === undefined) return [];
  if (detail.type === 'diff') return detail.text.split('\n').map((line) => `    ${line}`);
  if (detail.type === 'stack') return detail.frames.map((frame) => `    ${frame}`);
  return [
    ...(detail.expected === undefined ? [] : [`    expected: ${cut(detail.expected)}`]),
    ...(detail.actual === undefined ? [] : [`    actual:   ${cut(detail.actual)}`]),
  ];
}

function cut(text: string): string {
  return text.length <= MAX_ANSWER ? text : `${text.slice(0, MAX_ANSWER)}…`;
}

/** Expected and actual value of the only assertion that failed, for the diff of the runner. */
export function comparedValues({ verdicts = [] }: ReportResult): { expected?: unknown; actual?: unknown } {
  const failed = verdicts.filter(({ status, advisory }) => status === 'failed' && advisory !== true);
  const [only, ...others] = failed;
  if (only === undefined || others.length > 0 || !('expected' in only) || !('actual' in only)) return {};
  return { expected: only.expected, actual: only.actual };
}

/** The frames of an error that belongs to a case are those of Assay, which help no one. */
export function withoutFrames<T extends Error>(error: T): T {
  error.stack = `${error.name}: ${error.message}`;
  return error;
}

/** Test runners show the message of an error only, so it has all problems with their hints. */
export function withAllProblems(error: unknown): Error {
  if (!(error instanceof ConfigError)) return error instanceof Error ? error : new Error(String(error));
  const lines = error.problems.map(({ at, message, hint }: Problem) =>
    [at === undefined ? '' : `${at}: `, message, hint === undefined ? '' : `; ${hint}`].join(''),
  );
  return withoutFrames(Object.defineProperty(error, 'message', { value: lines.join('\n') }));
}
