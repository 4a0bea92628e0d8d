// A million cases: memory stays constant, and time grows linearly with the number of cases.

import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLI, measure, verdict } from './measure.mjs';

export async function benchMillion({ quick }) {
  const sizes = quick ? [50_000, 200_000] : [250_000, 1_000_000];
  const runs = [];
  for (const size of sizes) {
    const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
    mkdirSync(join(folder, 'assistants'));
    writeFileSync(join(folder, 'echo.mjs'), 'export default (messages) => messages[0].content;\n');
    await writeCases(join(folder, 'cases.jsonl'), size);
    const args = [CLI, 'test', '-i', 'cases.jsonl', '-n', './echo.mjs', '--parallel', '4', '-o', 'log.jsonl'];
    const run = await measure(process.execPath, args, { cwd: folder, memory: true });
    rmSync(folder, { recursive: true });
    if (run.code !== 0) throw new Error(`exit ${run.code} ${run.stderr}`);
    console.log(
      `${size} cases: ${(run.ms / 1000).toFixed(1)} s, ${((run.ms * 1000) / size).toFixed(1)} µs a case, peak ${run.peakMb.toFixed(0)} MB`,
    );
    runs.push({ size, ...run });
  }
  const [small, large] = runs;
  const growth = large.ms / large.size / (small.ms / small.size);
  const isLinear = verdict('time a case, large over small', growth.toFixed(2), growth < 1.25, 'below 1.25');
  return (
    verdict(
      'peak memory of the large run',
      `${large.peakMb.toFixed(0)} MB`,
      large.peakMb < 300,
      'below 300 MB',
    ) && isLinear
  );
}

async function writeCases(path, count) {
  const file = createWriteStream(path);
  for (let index = 0; index < count; index += 1) {
    const line = `${JSON.stringify({ id: `case-${index}`, input: `message number ${index}`, assert: { type: 'contains', value: 'number' } })}\n`;
    if (!file.write(line)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
}
