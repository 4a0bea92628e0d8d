// 1,000 cases on a Python function beside the same cases on a module: the difference is what one call of Python costs.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLI, measure, median, verdict } from './measure.mjs';

const COUNT = 1000;

export async function benchPython({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  writeFileSync(
    join(folder, 'agent.mjs'),
    "export default (messages) => messages[0].content + ' ' + process.pid;\n",
  );
  writeFileSync(
    join(folder, 'agent.py'),
    'import os\n\ndef answer(messages):\n    return messages[0]["content"] + " " + str(os.getpid())\n',
  );
  const cases = (count) =>
    Array.from({ length: count }, (_, index) => JSON.stringify({ id: `c${index}`, input: 'hello' })).join(
      '\n',
    );
  writeFileSync(join(folder, 'many.jsonl'), cases(COUNT));
  writeFileSync(join(folder, 'one.jsonl'), cases(1));
  const run = async (agent, input) => {
    const args = [CLI, 'test', '-i', input, '-n', `./${agent}`, '--parallel', '4', '-o', 'log.jsonl'];
    return (await measure(process.execPath, args, { cwd: folder })).ms;
  };
  const times = { python: [], pythonStart: [], module: [], moduleStart: [] };
  let processes = 0;
  for (let round = 0; round < (quick ? 3 : 9); round += 1) {
    times.python.push(await run('agent.py', 'many.jsonl'));
    processes = Math.max(processes, processesIn(join(folder, 'log.jsonl')));
    times.module.push(await run('agent.mjs', 'many.jsonl'));
    times.pythonStart.push(await run('agent.py', 'one.jsonl'));
    times.moduleStart.push(await run('agent.mjs', 'one.jsonl'));
  }
  rmSync(folder, { recursive: true });
  const python = median(times.python) - median(times.pythonStart);
  const module = median(times.module) - median(times.moduleStart);
  console.log(
    `${COUNT} cases without start-up: Python ${python.toFixed(0)} ms, module ${module.toFixed(0)} ms; start-up ${median(times.pythonStart).toFixed(0)} ms and ${median(times.moduleStart).toFixed(0)} ms`,
  );
  const cost = (python - module) / COUNT;
  const isOne = verdict('Python processes', String(processes), processes === 1, 'one');
  return verdict('cost of a call of Python', `${cost.toFixed(2)} ms`, cost <= 1, 'at most 1 ms') && isOne;
}

/** How many processes answered. */
function processesIn(log) {
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  const results = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'result');
  return new Set(results.map(({ output }) => output)).size;
}
