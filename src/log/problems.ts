// Explains why a file cannot be read as a run log, and which file to pass instead.

import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { ConfigError, messageOf } from '../errors.ts';
import { beginsRunLog, readHead } from './is-run-log.ts';

/** Beginnings of the reports that Assay writes. */
const REPORT_HEADS: Record<string, RegExp> = {
  HTML: /^<!doctype html>\s*<html[^>]*>\s*<head>\s*<meta charset="utf-8">\s*<meta name="generator" content="assay/,
  JSON: /^\s*\{\s*"(?:summary"\s*:|type"\s*:\s*"script_test")/,
  JUnit: /^\s*<\?xml[^>]*>\s*<testsuites name="assay"/,
  Markdown: /^# (?:Agent|Script) Test Report\s/,
};

/** The file does not begin with a start event. */
export function notALog(path: string): ConfigError {
  return (
    reportProblem(path, readHead(path)) ??
    new ConfigError(`${path} is not a run log: it does not begin with a start line`, {
      hint: 'give the .jsonl file that `assay test` wrote, not a case file or a report',
    })
  );
}

/** A line is not JSON: the file is not a log, or the log is damaged. */
export function brokenLine(path: string, problem: ConfigError): ConfigError {
  const head = readHead(path);
  const at = problem.problems[0]?.at;
  if (at === undefined || !beginsRunLog(head)) return reportProblem(path, head) ?? problem;
  return new ConfigError('the line is not JSON: the run log is damaged here', {
    at,
    hint: 'remove the line to use the rest of the log',
  });
}

/** The value with this number, from 1, is not a valid result. */
export async function brokenResult(path: string, number: number): Promise<ConfigError> {
  return new ConfigError('the result has no key, id or status: the run log is damaged here', {
    at: `${path}:${await findLine(path, number)}`,
    hint: 'remove the line to use the rest of the log',
  });
}

/** The file itself cannot be read. */
export function unreadable(path: string, cause: unknown): ConfigError {
  if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') {
    return new ConfigError(`the run log ${path} does not exist`, {
      cause,
      hint: 'check the path; logs are next to the case file as output-….jsonl or in .assay/runs',
    });
  }
  return new ConfigError(`cannot read the run log ${path}: ${messageOf(cause)}`, { cause });
}

function reportProblem(path: string, head: string): ConfigError | undefined {
  const kind = Object.keys(REPORT_HEADS).find((name) => REPORT_HEADS[name]?.test(head) === true);
  if (kind === undefined) return undefined;
  return new ConfigError(`${path} is ${kind === 'HTML' ? 'an' : 'a'} ${kind} report, not a run log`, {
    hint: 'give the .jsonl log of that run; without -o it is in .assay/runs',
  });
}

/** Converts the number of a value to a line number, by counting blank lines. */
async function findLine(path: string, number: number): Promise<number> {
  let line = 0;
  let values = 0;
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    line += 1;
    if (text.trim() !== '') values += 1;
    if (values === number) break;
  }
  return line;
}
