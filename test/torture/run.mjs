// npm run torture [-- --kills 200 --cases 300 --seed 1]
// Kills a run with SIGKILL at random moments, again and again, and resumes it until it is finished; then looks whether any
// recorded result was lost and whether exactly one result counts for every key. Stands apart from the tests: it takes minutes.

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    cases: { type: 'string', default: '400' },
    seed: { type: 'string', default: String(Date.now() % 100000) },
  },
});
const kills = Number(values.kills);
const cases = Number(values.cases);
const random = generator(Number(values.seed));
const cli = resolve('dist/cli.js');
const RUNS = 2;
const total = cases * RUNS;

const AGENT = `export default async (messages) => {
  await new Promise((done) => setTimeout(done, Math.random() * 12));
  return 'answer to ' + messages[0].content;
};
`;

let killed = 0;
let rounds = 0;
let resumed = 0;
let tornLines = 0;
const problems = [];
console.log(`seed ${values.seed}: ${kills} kills, ${cases} cases × ${RUNS} runs`);
while (killed < kills && problems.length === 0) {
  rounds += 1;
  await round();
  process.stdout.write(
    `\rkills ${killed}/${kills}, runs completed ${rounds}, resumed ${resumed}, torn last lines ${tornLines}  `,
  );
}
console.log();
for (const problem of problems) console.error(problem);
console.log(
  problems.length === 0 ? 'nothing lost, one counting result per key' : `${problems.length} problems`,
);
process.exit(problems.length === 0 ? 0 : 1);

/** One run from its start to its end, killed as often as chance has it. */
async function round() {
  const folder = mkdtempSync(join(tmpdir(), 'assay-torture-'));
  mkdirSync(join(folder, 'assistants'), { recursive: true });
  writeFileSync(join(folder, 'agent.mjs'), AGENT);
  const lines = Array.from({ length: cases }, (_, index) =>
    JSON.stringify({ id: `c${index}`, input: String(index) }),
  );
  writeFileSync(join(folder, 'cases.jsonl'), `${lines.join('\n')}\n`);
  const log = join(folder, 'log.jsonl');
  const first = [
    'test',
    '-i',
    'cases.jsonl',
    '-n',
    './agent.mjs',
    '--runs',
    String(RUNS),
    '--parallel',
    '8',
    '--retries',
    '0',
    '-o',
    log,
  ];
  let recorded = new Map();
  for (let tries = 0; ; tries += 1) {
    const hasStarted = tries > 0 && read(log).complete.length > 0;
    const args = hasStarted ? ['test', '--resume', log] : first;
    if (hasStarted) resumed += 1;
    const delay = killed < kills ? 120 + random() * 700 : undefined;
    const { code, signal } = await run(args, folder, delay);
    if (signal === 'SIGKILL') killed += 1;
    const now = read(log);
    tornLines += now.torn;
    for (const [key, status] of recorded) {
      if (now.last.get(key) === undefined)
        problems.push(`${folder}: recorded result ${key} (${status}) was lost`);
    }
    recorded = now.last;
    if (signal === null && code !== 0) problems.push(`${folder}: exit code ${code}`);
    if (signal === null) break;
  }
  check(folder, read(log));
  if (problems.length === 0) rmSync(folder, { recursive: true });
}

function check(folder, { complete, last, torn }) {
  if (torn > 0) problems.push(`${folder}: a finished log ends in a torn line`);
  if (last.size !== total) problems.push(`${folder}: ${last.size} keys instead of ${total}`);
  const results = complete.filter((event) => event.type === 'result');
  const counting = new Map();
  // Passed results stay: a second line for such a key would be a second counting result.
  for (const { key, status } of results)
    counting.set(key, (counting.get(key) ?? 0) + (status === 'passed' ? 1 : 0));
  for (const [key, count] of counting)
    if (count !== 1) problems.push(`${folder}: ${count} counting results for ${key}`);
  const summary = complete.at(-1);
  if (summary?.type !== 'summary' || summary.passed !== cases || summary.total_runs !== total) {
    problems.push(`${folder}: summary ${JSON.stringify(summary)}`);
  }
}

function read(log) {
  let text = '';
  try {
    text = readFileSync(log, 'utf8');
  } catch {
    // Killed before the log was opened.
  }
  const lines = text.split('\n');
  const rest = lines.pop();
  const complete = lines.map((line) => JSON.parse(line));
  const last = new Map();
  for (const event of complete) if (event.type === 'result') last.set(event.key, event.status);
  return { complete, last, torn: rest === '' ? 0 : 1 };
}

function run(args, cwd, killAfterMs) {
  return new Promise((done) => {
    const child = spawn(process.execPath, [cli, ...args], { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (chunk) => (stderr += chunk));
    const timer =
      killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (signal === null && code !== 0) console.error(`\n${stderr}`);
      done({ code, signal });
    });
  });
}

function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
