// A sample of the simulated suites through the built program: logs in, exit codes and JSON out.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drawCases, drawRates, spreadDrop } from './verdict-worlds.mjs';

/** A sample through the built program: its verdict, difference and exit code are those of the functions. */
export function checkProgram(here, { stats, random, check }) {
  let same = 0;
  let alarms = 0;
  const sample = 40;
  for (let draw = 0; draw < sample; draw += 1) {
    const rates = drawRates(random, 'typical', 100);
    // Every other pair has a drop of 10 points.
    const isSame = draw % 2 === 0;
    const cases = drawCases(random, rates, isSame ? rates : spreadDrop(rates, 0.1), [3, 3], 0.05);
    const wanted = stats.compareRuns(cases);
    const { exitCode, verdict: word, difference } = compareWithProgram(here, cases);
    const isEqual =
      word === wanted.verdict &&
      exitCode === Number(wanted.fails) &&
      Math.abs(difference.value / 100 - wanted.delta) < 1e-6 &&
      Math.abs(difference.p_worse - wanted.pWorse) < 1e-9;
    if (isEqual) same += 1;
    if (isSame && exitCode === 1) alarms += 1;
  }
  const name = 'assay compare on synthetic logs, equal to the functions';
  return check(
    name,
    `${same} of ${sample}, ${alarms} false alarms in ${sample / 2}`,
    same === sample && alarms <= 3,
    'all',
  );
}

/** Compares two logs with these counts, as `assay compare --json` does. */
function compareWithProgram(here, cases) {
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
