// A sample of the simulated suites through the built program: logs in, exit codes and JSON out.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Compares two logs with these counts, as `assay compare --json` does. */
export function compareWithProgram(here, cases) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-verdicts-'));
  try {
    writeFileSync(
      join(folder, 'before.jsonl'),
      log(
        'before',
        cases.map(({ xa, ra }) => [xa, ra]),
      ),
    );
    writeFileSync(
      join(folder, 'after.jsonl'),
      log(
        'after',
        cases.map(({ xb, rb }) => [xb, rb]),
      ),
    );
    const program = join(here, '..', 'dist', 'cli.js');
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [program, 'compare', 'before.jsonl', 'after.jsonl', '--json'],
      { cwd: folder, encoding: 'utf8', maxBuffer: 100e6 },
    );
    if (status !== 0 && status !== 1) throw new Error(`assay compare exits with ${status}: ${stderr}`);
    return { exitCode: status, ...JSON.parse(stdout) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function log(runId, counts) {
  const runs = Math.max(...counts.map(([, measured]) => measured));
  const start = {
    type: 'start',
    run_id: runId,
    log_version: 1,
    timestamp: '2026-01-01T00:00:00Z',
    agent_id: 'bench',
    total_cases: counts.length,
    runs_per_case: runs,
    environment: { user_id: 'bench', team_id: 'bench', locale: 'en-us' },
    inputs: [{ type: 'file', path: 'cases.jsonl', sha256: 'a', agent_id: 'bench', agent_sha256: runId }],
    flags: {},
    cwd: '/bench',
    version: '0.1.0',
  };
  const results = counts.flatMap(([passed, measured], at) =>
    Array.from({ length: measured }, (_, run) => ({
      type: 'result',
      key: `${at}-${run}`,
      kind: 'agent-eval',
      test_id: 'cases.jsonl',
      id: `c${at}`,
      run: run + 1,
      status: run < passed ? 'passed' : 'failed',
      duration_ms: 1,
    })),
  );
  return [start, ...results].map((event) => `${JSON.stringify(event)}\n`).join('');
}
