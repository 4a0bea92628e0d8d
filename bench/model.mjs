// Cases on an assistant whose model takes 20 ms, 50 at a time: the ideal is 2,500 a second. The model tells how long it was from the first
// request to the last answer. The first thousand run on code that the engine has not compiled yet; the nine thousand after them show what is
// sustained. Beside them a client that does nothing but ask, on the same two kinds of code.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
  write('many.jsonl', cases(10_000).join('\n'));
  const span = async () => Number(await (await fetch(`${url}/span`)).text());
  const run = async (input) => {
    const args = [CLI, 'test', '-i', input, '-n', 'hello', '--parallel', '50', '-o', 'log.jsonl'];
    await span();
    const { ms } = await measure(process.execPath, args, { cwd: folder });
    return { ms, span: await span() };
  };
  const client = async (rounds) => {
    await span();
    await measure(process.execPath, [join(here, 'model-client.mjs'), url, String(rounds)]);
    return span();
  };
  const first = [];
  const many = [];
  const bareFirst = [];
  const bareMany = [];
  for (let round = 0; round < (quick ? 3 : 9); round += 1) {
    first.push(await run('thousand.jsonl'));
    bareFirst.push(await client(1));
    many.push(await run('many.jsonl'));
    bareMany.push(await client(10));
  }
  server.kill();
  rmSync(folder, { recursive: true });
  const thousand = median(first.map((one) => one.span));
  const sustained = (median(many.map((one) => one.span)) - thousand) / 9;
  const bareThousand = median(bareFirst);
  const bareSustained = (median(bareMany) - bareThousand) / 9;
  const rate = (ms) => (100 * IDEAL_MS) / ms;
  const shown = (ms, bareMs) => `${rate(ms).toFixed(0)} % (bare client: ${rate(bareMs).toFixed(0)} %)`;
  const whole = (runs) => median(runs.map((one) => one.ms)).toFixed(0);
  console.log(`the whole command: ${whole(first)} ms for 1,000 cases, ${whole(many)} ms for 10,000`);
  const isFirst = verdict(
    '1,000 cases, of the ideal rate',
    shown(thousand, bareThousand),
    rate(thousand) >= 85,
    'at least 85 %',
  );
  const isLater = verdict(
    'sustained, of the ideal rate',
    shown(sustained, bareSustained),
    rate(sustained) >= 85,
    'at least 85 %',
  );
  return isFirst && isLater;
}
