// 10,000 trivial cases: Assay with a module agent in a worker and its log written, promptfoo with its echo provider, at the
// same concurrency, one after the other. The same cases as a CSV file beside them.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLI, measure, median, verdict } from './measure.mjs';

const CONCURRENCY = 4;

export async function benchCases({ here, quick }) {
  const cases = quick ? 1000 : 10_000;
  const rounds = quick ? 2 : 3;
  const promptfoo = join(here, 'node_modules/promptfoo/dist/src/main.js');
  if (!existsSync(join(here, 'node_modules/promptfoo'))) {
    console.log('installing the peers (once, some minutes) …');
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: here,
      stdio: 'inherit',
    });
  }
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  mkdirSync(join(folder, 'assistants'));
  const texts = Array.from({ length: cases }, (_, index) => `message number ${index}`);
  const lines = texts.map((text, index) =>
    JSON.stringify({ id: `c${index}`, input: text, assert: { type: 'contains', value: 'number' } }),
  );
  writeFileSync(join(folder, 'cases.jsonl'), `${lines.join('\n')}\n`);
  const rows = texts.map((text, index) => `c${index},${text},number`);
  // A folder of its own, because the history of a folder grows with its runs.
  const tableFolder = mkdtempSync(join(tmpdir(), 'assay-bench-table-'));
  mkdirSync(join(tableFolder, 'assistants'));
  writeFileSync(join(tableFolder, 'cases.csv'), `id,input,assert.contains\n${rows.join('\n')}\n`);
  writeFileSync(join(tableFolder, 'echo.mjs'), 'export default (messages) => messages[0].content;\n');
  writeFileSync(join(folder, 'echo.mjs'), 'export default (messages) => messages[0].content;\n');
  const tests = texts.map((text) => ({ vars: { text }, assert: [{ type: 'contains', value: 'number' }] }));
  writeFileSync(
    join(folder, 'promptfooconfig.json'),
    JSON.stringify({ prompts: ['{{text}}'], providers: ['echo'], tests }),
  );

  const assay = (file = 'cases.jsonl', cwd = folder) =>
    measure(
      process.execPath,
      [CLI, 'test', '-i', file, '-n', './echo.mjs', '--parallel', String(CONCURRENCY), '-o', 'log.jsonl'],
      { cwd, memory: true },
    );
  const peer = () =>
    measure(
      process.execPath,
      [
        promptfoo,
        'eval',
        '-c',
        'promptfooconfig.json',
        '-j',
        String(CONCURRENCY),
        '--no-cache',
        '--no-table',
        '--no-progress-bar',
      ],
      {
        cwd: folder,
        memory: true,
        env: {
          PROMPTFOO_DISABLE_TELEMETRY: '1',
          PROMPTFOO_DISABLE_UPDATE: '1',
          PROMPTFOO_CONFIG_DIR: join(folder, '.promptfoo'),
        },
      },
    );
  const ours = [];
  const tables = [];
  const theirs = [];
  for (let round = 1; round <= rounds; round += 1) {
    for (let repeat = 0; repeat < 3; repeat += 1) {
      ours.push(await assay());
      tables.push(await assay('cases.csv', tableFolder));
    }
    theirs.push(await peer());
    const [a, b] = [ours.at(-1), theirs.at(-1)];
    if (a.code !== 0 || b.code !== 0)
      throw new Error(`assay ${a.code} ${a.stderr}\npromptfoo ${b.code} ${b.stderr}`);
    console.log(
      `round ${round}: assay ${a.ms.toFixed(0)} ms, ${a.peakMb.toFixed(0)} MB; promptfoo ${b.ms.toFixed(0)} ms, ${b.peakMb.toFixed(0)} MB`,
    );
  }
  rmSync(folder, { recursive: true });
  rmSync(tableFolder, { recursive: true });
  const ratio = median(theirs.map((run) => run.ms)) / median(ours.map((run) => run.ms));
  const memory = median(ours.map((run) => run.peakMb)) / median(theirs.map((run) => run.peakMb));
  const wanted = (figure) => (quick ? `${figure} with 10,000 cases` : figure);
  const isFast = verdict(
    `${cases} cases, promptfoo's time over ours`,
    `${ratio.toFixed(1)}×`,
    ratio >= 50 || quick,
    wanted('at least 50×'),
  );
  const table = median(tables.map((run) => run.ms)) / median(ours.map((run) => run.ms));
  const isTableFast = verdict('CSV over JSONL', `${table.toFixed(2)}×`, table <= 1.1, 'at most 1.10×');
  const isSmall = verdict(
    'our peak memory over theirs',
    memory.toFixed(2),
    memory <= 0.25 || quick,
    wanted('at most 0.25'),
  );
  return isFast && isTableFast && isSmall;
}
