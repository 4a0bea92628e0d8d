// Cases on an assistant whose model takes 20 ms, 50 at a time: the ideal is 2,500 a second. The first thousand run on code
// that the engine has not compiled yet, here as in the bare client; the nine thousand after them show what is sustained.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLI, measure, median, verdict } from './measure.mjs';

const IDEAL_MS = (1000 / 50) * 20;

export async function benchModel({ here, quick }) {
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
  const cases = (count) =>
    Array.from({ length: count }, (_, index) =>
      JSON.stringify({ id: `c${index}`, input: 'hello', expected: 'Hello' }),
    );
  write('thousand.jsonl', cases(1000).join('\n'));
  write('one.jsonl', cases(1).join('\n'));
  write('many.jsonl', cases(10_000).join('\n'));
  const run = async (input) => {
    const args = [CLI, 'test', '-i', input, '-n', 'hello', '--parallel', '50', '-o', 'log.jsonl'];
    return (await measure(process.execPath, args, { cwd: folder })).ms;
  };
  const full = [];
  const single = [];
  const raw = [];
  const many = [];
  for (let round = 0; round < (quick ? 3 : 9); round += 1) {
    full.push(await run('thousand.jsonl'));
    single.push(await run('one.jsonl'));
    raw.push(await rawClient(url));
    many.push(await run('many.jsonl'));
  }
  server.kill();
  rmSync(folder, { recursive: true });
  const startUp = median(single) - 20;
  const time = median(full) - startUp;
  const rate = (ms) => (100 * IDEAL_MS) / ms;
  const sustained = (median(many) - median(full)) / 9;
  const shown = (ms) => `${rate(ms).toFixed(0)} %`;
  console.log(
    `1,000 cases ${median(full).toFixed(0)} ms, start-up ${startUp.toFixed(0)} ms; 10,000: ${median(many).toFixed(0)} ms`,
  );
  console.log(
    `a bare node:http client that does nothing else, warm: ${shown(median(raw))} of the ideal rate`,
  );
  const first = verdict('1,000 cases, of the ideal rate', shown(time), rate(time) >= 85, 'at least 85 %');
  const later = verdict(
    'sustained, of the ideal rate',
    shown(sustained),
    rate(sustained) >= 85,
    'at least 85 %',
  );
  return first && later;
}

/** The same requests without anything around them: what this machine can do at best. */
async function rawClient(url) {
  const agent = new http.Agent({ keepAlive: true });
  const ask = () =>
    new Promise((resolve, reject) => {
      const request = http.request(`${url}/v1/chat/completions`, { method: 'POST', agent }, (response) => {
        response.resume();
        response.on('end', resolve);
      });
      request.on('error', reject);
      request.end('{}');
    });
  const started = performance.now();
  let next = 0;
  const lane = async () => {
    while (next < 1000) {
      next += 1;
      await ask();
    }
  };
  await Promise.all(Array.from({ length: 50 }, lane));
  agent.destroy();
  return performance.now() - started;
}
