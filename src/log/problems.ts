// Explains why a file cannot be read as a run log, and which file to pass instead.

import { ConfigError, messageOf } from '../errors.ts';
import { readHead } from './is-run-log.ts';

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

/** The file is a report that Assay wrote. */
export function reportProblem(path: string, head: string): ConfigError | undefined {
  const kind = Object.keys(REPORT_HEADS).find((name) => REPORT_HEADS[name]?.test(head) === true);
  if (kind === undefined) return undefined;
  return new ConfigError(`${path} is ${kind === 'HTML' ? 'an' : 'a'} ${kind} report, not a run log`, {
    hint: 'give the .jsonl log of that run; without -o it is in .assay/runs',
  });
}
