// 1,000 cases on an agent that waits 50 ms, 50 at a time: the ideal is one second.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLI, measure, median, verdict } from './measure.mjs';

export async function benchWaiting({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  mkdirSync(join(folder, 'assistants'));
  writeFileSync(
    join(folder, 'wait.mjs'),
    "export default (messages) => new Promise((done) => setTimeout(done, 50, 'ok'));\n",
  );
  const cases = (count) =>
    Array.from({ length: count }, (_, index) => JSON.stringify({ id: `c${index}`, input: 'hello' })).join(
      '\n',
    );
  writeFileSync(join(folder, 'thousand.jsonl'), cases(1000));
  writeFileSync(join(folder, 'one.jsonl'), cases(1));
  const run = (input) =>
    measure(
      process.execPath,
      [CLI, 'test', '-i', input, '-n', './wait.mjs', '--parallel', '50', '-o', 'log.jsonl'],
      { cwd: folder },
    );
  const full = [];
  const single = [];
  for (let round = 0; round < (quick ? 3 : 9); round += 1) {
    full.push((await run('thousand.jsonl')).ms);
    single.push((await run('one.jsonl')).ms);
  }
  rmSync(folder, { recursive: true });
  const startUp = median(single) - 50;
  const time = median(full) - startUp;
  console.log(`1,000 cases ${median(full).toFixed(0)} ms, start-up ${startUp.toFixed(0)} ms`);
  return verdict(
    'time without start-up over the ideal second',
    `${(time / 1000).toFixed(2)}×`,
    time <= 1150,
    'at most 1.15×',
  );
}
