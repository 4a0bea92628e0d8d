// The history: the cost of recording, the speed of imports, queries on a million results, and survival of kills.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLI, measure, median, verdict } from './measure.mjs';
import { runId, writeLog } from './run-logs.mjs';

export async function benchStore({ here, quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  mkdirSync(join(folder, 'assistants'));
  try {
    const results = [
      await benchRecording(folder, quick),
      await benchQuestions(folder, { runs: 10, cases: quick ? 10_000 : 100_000 }),
      await benchQuestions(folder, { runs: 100, cases: quick ? 1000 : 10_000 }),
      await benchKills(folder, { here, writers: quick ? 5 : 20, kills: quick ? 10 : 50 }),
    ];
    return results.every(Boolean);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The same run with and without the history, one after the other, in pairs. */
async function benchRecording(folder, quick) {
  const cases = quick ? 20_000 : 100_000;
  writeFileSync(
    join(folder, 'wait.mjs'),
    "export default () => new Promise((done) => setTimeout(done, 5, 'ok'));\n",
  );
  const lines = Array.from({ length: cases }, (_, n) =>
    JSON.stringify({ id: `c${n}`, input: `message ${n}` }),
  );
  writeFileSync(join(folder, 'cases.jsonl'), `${lines.join('\n')}\n`);
  const args = [CLI, 'test', '-i', 'cases.jsonl', '-n', './wait.mjs', '--parallel', '50', '-o', 'log.jsonl'];
  const ratios = [];
  for (let pair = 0; pair < (quick ? 3 : 5); pair += 1) {
    const times = {};
    // Alternate which of the two runs first.
    for (const flag of pair % 2 === 0 ? ['--no-history', '--history'] : ['--history', '--no-history']) {
      rmSync(join(folder, '.assay'), { recursive: true, force: true });
      const { ms, code, stderr } = await measure(process.execPath, [...args, flag], { cwd: folder });
      if (code !== 0 || stderr !== '') throw new Error(`exit ${code} ${stderr}`);
      times[flag] = ms;
    }
    ratios.push(times['--history'] / times['--no-history']);
    console.log(
      `${cases} cases: ${(times['--history'] / 1000).toFixed(1)} s recorded, ${(times['--no-history'] / 1000).toFixed(1)} s not`,
    );
  }
  const ratio = median(ratios);
  return verdict('a recorded run over one that is not', ratio.toFixed(2), ratio <= 1.1, 'at most 1.10');
}

/** Imports runs, measures the first import, and runs queries. */
async function benchQuestions(folder, { runs, cases }) {
  const name = `${runs} × ${cases}`;
  const store = join(folder, `${runs}.db`);
  const logs = [];
  for (let run = 0; run < runs; run += 1) logs.push(await writeLog(folder, run, cases));
  const first = await assay(folder, ['import', logs[0], '--store', store]);
  await assay(folder, ['import', ...logs.slice(1), '--store', store]);
  for (const log of logs) rmSync(log);
  const ids = [runs - 2, runs - 1].map(runId);
  const questions = {
    history: ['history', '--store', store],
    'history of a test': ['history', 'cases.jsonl', '--store', store],
    compare: ['compare', ...ids, '--store', store],
    'compare --latest': ['compare', '--latest', '--store', store],
  };
  let isFine = true;
  if (cases >= 100_000)
    isFine = verdict(`import of ${cases} results`, seconds(first), first <= 5000, 'at most 5 s');
  for (const [question, args] of Object.entries(questions)) {
    const times = [];
    for (let round = 0; round < 6; round += 1) times.push(await assay(folder, args));
    // The first time fills the caches.
    const time = median(times.slice(1));
    isFine = verdict(`${name}, ${question}`, seconds(time), time < 500, 'below 0.5 s') && isFine;
  }
  rmSync(store);
  return isFine;
}

async function assay(cwd, args) {
  const { ms, code, stderr } = await measure(process.execPath, [CLI, ...args], { cwd });
  if (code !== 0 && code !== 1) throw new Error(`${args[0]}: exit ${code} ${stderr}`);
  return ms;
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(2)} s`;
}

/** Kills writers at random moments: everything the history acknowledged must be there, and the file intact. */
async function benchKills(folder, { here, writers, kills }) {
  const place = join(folder, 'kills.db');
  // Below the project, so that the program finds its packages.
  const built = mkdtempSync(join(here, '..', 'node_modules', '.assay-writer-'));
  try {
    const program = await buildWriter(here, built);
    const acknowledged = new Map();
    const running = new Map();
    let started = 0;
    const begin = () => {
      const child = spawn(process.execPath, [program, place, `writer${started}`, '100000'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      started += 1;
      let rest = '';
      child.stdout.setEncoding('utf8').on('data', (text) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop();
        for (const line of lines) acknowledged.set(...line.split(' '));
      });
      running.set(child, once(child, 'close'));
    };
    const kill = async (child) => {
      child.kill('SIGKILL');
      await running.get(child);
      running.delete(child);
    };
    while (running.size < writers) begin();
    await sleep(3000);
    for (let count = 0; count < kills; count += 1) {
      await sleep(Math.random() * 200);
      const all = [...running.keys()];
      await kill(all[Math.floor(Math.random() * all.length)]);
      begin();
    }
    await sleep(1000);
    for (const child of running.keys()) await kill(child);
    return checkKilled(place, acknowledged, `${writers} writers at once, ${kills} killed`);
  } finally {
    rmSync(built, { recursive: true });
  }
}

async function buildWriter(here, folder) {
  const { build } = createRequire(join(here, '..', 'package.json'))('esbuild');
  const outfile = join(folder, 'writer.mjs');
  await build({
    entryPoints: [join(here, '../test/contracts/store-writer.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
  return outfile;
}

function checkKilled(place, acknowledged, name) {
  const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite');
  const file = new DatabaseSync(place);
  const [{ integrity_check: integrity }] = file.prepare('pragma integrity_check').all();
  const counts = new Map(
    file
      .prepare('select run_id, count(*) as n from results join test_runs on no = run_no group by run_id')
      .all()
      .map(({ run_id, n }) => [run_id, n]),
  );
  file.close();
  const lost = [...acknowledged].filter(([run, count]) => (counts.get(run) ?? 0) < Number(count));
  const total = [...acknowledged.values()].reduce((sum, count) => sum + Number(count), 0);
  const isWhole = verdict(`${name}: integrity`, integrity, integrity === 'ok', 'ok');
  return (
    verdict(
      `${name}: lost of ${total} acknowledged results`,
      lost.length,
      lost.length === 0 && total > 0,
      'none',
    ) && isWhole
  );
}
