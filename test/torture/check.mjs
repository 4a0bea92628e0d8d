// Looks at a finished run and its folder, and says what must not be.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { leftProcesses } from './program.mjs';

const STATUSES = ['passed', 'failed', 'timeout', 'error', 'skipped'];
/** A frame of the program's own code, or an error of the language itself. */
const FOREIGN = /^\s*at .*(?:dist\/|node:internal).*:\d+|\b(?:TypeError|RangeError|ReferenceError)\b/m;

/** The complete lines of a log, and whether a torn line follows. */
export function readLog(path) {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [''];
  const rest = lines.pop();
  const events = lines.map((line) => JSON.parse(line));
  const results = events.filter(({ type }) => type === 'result');
  return {
    events,
    results,
    last: new Map(results.map((result) => [result.key, result])),
    summary: events.findLast(({ type }) => type === 'summary'),
    isTorn: rest !== '',
  };
}

/** What is wrong with the output and the exit code of any call of the program. */
export function checkEnd({ code, signal, stderr, isLate, ms }, codes) {
  const problems = [];
  if (isLate) problems.push(`it was still running after ${Math.round(ms)} ms`);
  else if (signal !== null) problems.push(`it ended by ${signal}`);
  else if (!codes.includes(code))
    problems.push(`exit code ${code} instead of ${codes.join(' or ')}: ${stderr.slice(0, 500)}`);
  if (FOREIGN.test(stderr)) problems.push(`stderr has an error of the program: ${stderr.slice(0, 1500)}`);
  return problems;
}

/** What is wrong with a log: every case has one result, and the summary counts them. */
export function checkLog(log, ids, wallMs) {
  const problems = [];
  const { results, summary } = log;
  if (log.isTorn) problems.push('the log ends in a torn line');
  const surprise = difference(
    results.map(({ id }) => id),
    ids,
  );
  if (surprise !== '') problems.push(`not one result for each case: ${surprise}`);
  for (const { id, status, duration_ms: ms } of results) {
    if (!STATUSES.includes(status)) problems.push(`${id} has the status ${JSON.stringify(status)}`);
    if (!(Number.isFinite(ms) && ms >= 0 && ms <= wallMs))
      problems.push(`${id} took ${JSON.stringify(ms)} ms`);
  }
  const count = (...statuses) => results.filter(({ status }) => statuses.includes(status)).length;
  const counted = {
    total: results.length,
    passed: count('passed'),
    failed: count('failed', 'error', 'timeout'),
    skipped: count('skipped'),
    errors: count('error'),
    timeouts: count('timeout'),
  };
  for (const [name, value] of Object.entries(counted))
    if ((summary?.[name] ?? 0) !== value)
      problems.push(`the summary has ${name} ${JSON.stringify(summary?.[name])}, the log ${value}`);
  return problems;
}

function difference(found, ids) {
  const missing = ids.filter((id) => !found.includes(id)).map((id) => `${id} is missing`);
  const surplus = found
    .filter((id, index) => !ids.includes(id) || found.indexOf(id) !== index)
    .map((id) => `${id} is too much`);
  return [...missing, ...surplus].join(', ');
}

/** Processes and temporary files that are left of a run in this folder. */
export async function checkLeft(folder) {
  const problems = (await leftProcesses(folder)).map((name) => `left a process: ${name}`);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const name of names)
    if (/\.(tmp|lock|part|partial)$|~$|\.tmp[-.]/.test(name) && !name.startsWith('tmp/'))
      problems.push(`left a file: ${name}`);
  for (const name of readdirSync(join(folder, 'tmp'))) problems.push(`left a temporary file: ${name}`);
  return problems;
}
