// Start-up time: `--version` and a run of one case, compared with a bare `node`.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLI, measure, median, verdict } from './measure.mjs';

export async function benchStart({ quick }) {
  const rounds = quick ? 5 : 25;
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  mkdirSync(join(folder, 'assistants'));
  writeFileSync(
    join(folder, 'agent.ts'),
    'export default (messages: { content: string }[]): string => messages[0]?.content ?? "";\n',
  );
  writeFileSync(
    join(folder, 'cases.jsonl'),
    '{"id": "one", "input": "hello", "assert": {"type": "contains", "value": "hello"}}\n',
  );
  const commands = {
    'node -e 0': ['-e', '0'],
    'assay --version': [CLI, '--version'],
    'one case': [CLI, 'test', '-i', 'cases.jsonl', '-n', './agent.ts', '-o', 'log.jsonl'],
  };
  const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, args] of Object.entries(commands)) {
      const { ms, code, stderr } = await measure(process.execPath, args, { cwd: folder });
      if (code !== 0) throw new Error(`${name}: exit ${code} ${stderr}`);
      // The first round fills the caches.
      if (round > 0) times[name].push(ms);
    }
  }
  rmSync(folder, { recursive: true });
  const medians = Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)]));
  for (const [name, ms] of Object.entries(medians))
    console.log(`${name}: ${ms.toFixed(0)} ms (median of ${rounds})`);
  const version = medians['assay --version'] / medians['node -e 0'];
  const one = medians['one case'] / medians['node -e 0'];
  const isQuick = verdict(
    '--version over node -e 0',
    `${version.toFixed(2)}×`,
    version <= 1.5,
    'at most 1.5×',
  );
  return verdict('one case over node -e 0', `${one.toFixed(2)}×`, one <= 3, 'at most 3×') && isQuick;
}
