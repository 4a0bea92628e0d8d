// Logs of large runs, for benches.

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';

/** The log of a run in which one case in a thousand fails, a different one in every run. */
export async function writeLog(folder, run, cases) {
  const path = join(folder, `run-${run}.jsonl`);
  const file = createWriteStream(path);
  const timestamp = new Date(Date.UTC(2026, 0, 1, 0, run)).toISOString();
  const agent = { agent_id: 'bench', agent_sha256: 'bb' };
  const write = async (event) => {
    if (!file.write(`${JSON.stringify(event)}\n`)) await once(file, 'drain');
  };
  await write({
    type: 'start',
    run_id: runId(run),
    log_version: 1,
    timestamp,
    agent_id: 'bench',
    total_cases: cases,
    runs_per_case: 1,
    environment: { user_id: 'test-user', team_id: 'test-team', locale: 'en-us' },
    inputs: [{ type: 'file', path: 'cases.jsonl', sha256: 'aa', ...agent }],
    flags: {},
    cwd: folder,
    version: '0.1.0',
  });
  for (let n = 0; n < cases; n += 1) {
    const status = (n * 7 + run * 13) % 1009 === 0 ? 'failed' : 'passed';
    await write({
      type: 'result',
      id: `case-${n}`,
      run: 1,
      status,
      duration_ms: 5 + (n % 10),
      output: `message number ${n}`,
      verdicts: [{ type: 'contains', status }],
      key: `0123456789abcdef-${n}`,
      kind: 'agent-eval',
      test_id: 'cases.jsonl',
      line: n + 1,
      input: `message number ${n}`,
    });
  }
  await write({
    type: 'summary',
    timestamp,
    exit_code: 0,
    total: cases,
    passed: cases,
    failed: 0,
    skipped: 0,
    errors: 0,
    timeouts: 0,
    duration_ms: 1000,
    total_runs: cases,
    runs_per_case: 1,
    overall_pass_rate: 100,
    stable_cases: cases,
    unstable_cases: 0,
  });
  file.end();
  await once(file, 'finish');
  return path;
}

export function runId(run) {
  return `01939f0a-0000-7000-8000-${String(run).padStart(12, '0')}`;
}
