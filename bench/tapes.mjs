// The cost of a replay: 10,000 recorded cases, replayed by an assistant and by a module with fetch, compared with the same cases on
// a module that echoes.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLI, measure, median, verdict } from './measure.mjs';

const ECHO = 'export default () => "Hello";';
const FETCHING = `export default async ([{ content }]) => {
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] });
  const response = await fetch(process.env.MODEL_URL + '/chat/completions', { method: 'POST', body });
  return /"Hel"/.test(await response.text()) ? 'Hello' : 'nothing';
};`;

export async function benchTapes({ here, quick }) {
  const count = quick ? 2_000 : 10_000;
  const server = spawn(process.execPath, [join(here, 'model-server.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [address] = await once(server.stdout, 'data');
  const url = String(address).trim();
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const write = (name, text) => writeFileSync(join(folder, name), text);
  mkdirSync(join(folder, 'assistants', 'hello'), { recursive: true });
  mkdirSync(join(folder, 'connectors'));
  write('assistants/hello/package.yao', '{"connector": "small"}');
  write('assistants/hello/prompts.yml', '- {role: system, content: Be brief.}');
  write('connectors/small.conn.yao', JSON.stringify({ type: 'openai', options: { model: 'm', host: url } }));
  write('echo.mjs', ECHO);
  write('fetching.mjs', FETCHING);
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify({ id: `c${index}`, input: `hello number ${index}`, expected: 'Hello' }),
  );
  write('cases.jsonl', lines.join('\n'));
  const run = async (agent, ...more) => {
    const args = [CLI, 'test', '-i', 'cases.jsonl', '-n', agent, '-o', 'log.jsonl', '--no-history', ...more];
    const { ms, code, stderr } = await measure(process.execPath, args, {
      cwd: folder,
      env: { MODEL_URL: url },
    });
    if (code !== 0) throw new Error(`${args.join(' ')} exited with ${code}: ${stderr}`);
    return ms;
  };
  try {
    await run('hello', '--record', 'assistant-tapes', '--parallel', '50');
    await run('./fetching.mjs', '--record', 'module-tapes', '--parallel', '50');
    server.kill();
    const echo = [];
    const assistant = [];
    const module = [];
    for (let round = 0; round < (quick ? 3 : 5); round += 1) {
      echo.push(await run('./echo.mjs'));
      assistant.push(await run('hello', '--replay', 'assistant-tapes'));
      module.push(await run('./fetching.mjs', '--replay', 'module-tapes'));
    }
    const each = (times) => (median(times) - median(echo)) / count;
    const shown = (times) => `${each(times).toFixed(2)} ms each (${(median(times) / 1000).toFixed(1)} s)`;
    console.log(
      `${count.toLocaleString('en')} cases on an echo module: ${(median(echo) / 1000).toFixed(1)} s`,
    );
    const results = [
      verdict(
        'replayed by an assistant, more than that',
        shown(assistant),
        each(assistant) <= 1,
        'at most 1 ms',
      ),
      verdict(
        'replayed by a module with fetch, more than that',
        shown(module),
        each(module) <= 1,
        'at most 1 ms',
      ),
    ];
    return results.every(Boolean);
  } finally {
    server.kill();
    rmSync(folder, { recursive: true });
  }
}
