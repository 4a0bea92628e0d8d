// The round of kills: a run is interrupted at random moments and resumed until it is finished. No recorded result is lost, one
// result counts for every key, and nothing is left running.

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkEnd, checkLeft, readLog } from './check.mjs';
import { findProcesses, makeFolder, removeFolder, startProgram } from './program.mjs';

const RUNS = 2;
const AGENT = `export default async (messages) => {
  await new Promise((done) => setTimeout(done, Math.random() * 12));
  return 'answer to ' + messages[0].content;
};
`;

/** Ways to interrupt a run, each with how often it is chosen, and the exit codes that it may end with. */
const WAYS = {
  'kill -9': { weight: 12, codes: [], end: ({ child }) => child.kill('SIGKILL') },
  SIGTERM: { weight: 2, codes: [0, 130], end: ({ child }) => child.kill('SIGTERM') },
  'Ctrl-C': { weight: 2, codes: [0, 130], end: ({ child }) => interrupt(child) },
  'Ctrl-C twice': {
    weight: 2,
    codes: [0, 130],
    end: async ({ child }) => {
      interrupt(child);
      await sleep(30);
      interrupt(child);
    },
  },
  // The attempts that it had run again, so the run goes on.
  'kill of a worker': {
    weight: 2,
    codes: [0, 1, 3],
    end: ({ folder, random }) => killWorker(folder, random),
  },
};
const CHOICES = Object.entries(WAYS).flatMap(([name, { weight }]) =>
  Array.from({ length: weight }, () => name),
);

export async function killsRound({ random, kills, cases, report, progress }) {
  const figures = { kills: 0, runs: 0, resumed: 0, torn_lines: 0, ways: {} };
  let failures = 0;
  while (figures.kills < kills && failures === 0) {
    figures.runs += 1;
    const { folder, problems } = await interruptedRun({ random, kills, cases, figures });
    failures += problems.length;
    if (problems.length === 0) removeFolder(folder);
    for (const problem of problems) report({ kind: 'kills', problem, folder });
    progress(`kills ${figures.kills}/${kills}, runs ${figures.runs}`);
  }
  return figures;
}

/** One run from its start to its end, interrupted as often as chance has it. */
async function interruptedRun({ random, kills, cases, figures }) {
  const lines = Array.from({ length: cases }, (_, index) => ({ id: `c${index}`, input: String(index) }));
  const folder = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': lines });
  const log = join(folder, 'log.jsonl');
  const first =
    `test -i cases.jsonl -n ./agent.mjs --runs ${RUNS} --parallel 8 --retries 0 -o log.jsonl`.split(' ');
  const problems = [];
  let recorded = new Map();
  while (problems.length === 0) {
    const hasStarted = readLog(log).events.length > 0;
    if (hasStarted) figures.resumed += 1;
    const args = hasStarted ? ['test', '--resume', 'log.jsonl'] : first;
    const way = figures.kills < kills ? random.pick(CHOICES) : undefined;
    const finished = await interruptedStart(args, { folder, way, random });
    const now = readLog(log);
    if (way !== undefined && finished.wasInterrupted) {
      figures.kills += 1;
      figures.ways[way] = (figures.ways[way] ?? 0) + 1;
    }
    if (now.isTorn) figures.torn_lines += 1;
    problems.push(...checkInterrupted(finished, way), ...checkKept(recorded, now));
    problems.push(...(await checkLeft(folder)));
    recorded = now.last;
    if (finished.signal === null && finished.code === 0) break;
    // A worker that was killed may cost the attempts that it had their result; they run again when the run is resumed.
  }
  if (problems.length === 0) problems.push(...checkFinished(readLog(log), cases));
  return { folder, problems };
}

async function interruptedStart(args, { folder, way, random }) {
  const { child, finished } = startProgram(args, { cwd: folder });
  if (way === undefined) return { ...(await finished), wasInterrupted: false };
  const delay = sleep(100 + random.next() * 600, 'now');
  if ((await Promise.race([finished, delay])) !== 'now')
    return { ...(await finished), wasInterrupted: false };
  const wasInterrupted = (await WAYS[way].end({ child, folder, random })) !== false;
  return { ...(await finished), wasInterrupted };
}

function checkInterrupted(finished, way) {
  if (finished.signal === 'SIGKILL' && !finished.isLate && way === 'kill -9') return [];
  // Before the program listens for signals, they end it.
  if (['SIGTERM', 'SIGINT'].includes(finished.signal) && finished.wasInterrupted) return [];
  return checkEnd(finished, finished.wasInterrupted ? [0, ...(WAYS[way]?.codes ?? [])] : [0]);
}

function checkKept(recorded, now) {
  return [...recorded]
    .filter(([key, { status }]) => status === 'passed' && now.last.get(key)?.status !== 'passed')
    .map(([key, { status }]) => `the recorded result ${key} (${status}) was lost`);
}

function checkFinished({ results, last, summary, isTorn }, cases) {
  const total = cases * RUNS;
  const problems = [];
  if (isTorn) problems.push('a finished log ends in a torn line');
  if (last.size !== total) problems.push(`${last.size} keys instead of ${total}`);
  const counting = new Map();
  // Passed results stay: a second line for such a key is a second counting result.
  for (const { key, status } of results)
    counting.set(key, (counting.get(key) ?? 0) + (status === 'passed' ? 1 : 0));
  for (const [key, count] of counting) if (count !== 1) problems.push(`${count} counting results for ${key}`);
  if (summary?.passed !== cases || summary.total_runs !== total)
    problems.push(`summary ${JSON.stringify(summary)}`);
  return problems;
}

/** As a terminal does it: the signal goes to the foreground group. */
function interrupt(child) {
  try {
    process.kill(-child.pid, 'SIGINT');
  } catch {
    // It has ended meanwhile.
  }
}

/** Kills one of the workers; false if there is none. */
function killWorker(folder, random) {
  const workers = findProcesses(folder).filter(({ command }) => /dist\/\S*worker\S*\.c?js/.test(command));
  if (workers.length === 0) return false;
  try {
    process.kill(random.pick(workers).pid, 'SIGKILL');
  } catch {
    return false;
  }
}
