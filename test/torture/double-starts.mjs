// The round of double starts: of programs that want to write one log, one wins and the others say why they do not start.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkEnd, checkLeft, checkLog, readLog } from './check.mjs';
import { makeFolder, removeFolder, runProgram, startProgram } from './program.mjs';

/** Waits until the file `go` is there. */
const AGENT = `import { appendFileSync, existsSync } from 'node:fs';
export default async (messages) => {
  appendFileSync('calls.txt', messages[0].content + '\\n');
  while (!existsSync('go')) await new Promise((done) => setTimeout(done, 10));
  return 'right';
};
`;
const IDS = ['a', 'b', 'c', 'd'];
const RUN = 'test -i cases.jsonl -n ./agent.mjs -o log.jsonl --parallel 4'.split(' ');
const RESUME = ['test', '--resume', 'log.jsonl'];
const WORDS = /is writing the run log|wait until that run has ended|already/;

const SCENARIOS = {
  'runs with one log': async (folder, random) => race(folder, rivals(random, RUN)),
  'resumes at once': async (folder, random) => {
    await killedRun(folder);
    return race(folder, rivals(random, RESUME));
  },
  'a run and resumes at once': async (folder, random) => {
    await killedRun(folder);
    return race(folder, [RESUME, RUN, ...rivals(random, RESUME).slice(2)]);
  },
  'resume of a live run': async (folder, random) => {
    const live = startProgram(RUN, { cwd: folder });
    await started(folder);
    const others = await Promise.all(rivals(random, RESUME).map((args) => runProgram(args, { cwd: folder })));
    writeFileSync(join(folder, 'go'), '');
    return [await live.finished, ...others];
  },
};

export async function doubleStartsRound({ random, rounds, report, progress }) {
  const figures = { rounds: 0, starts: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const [kind, scenario] = Object.entries(SCENARIOS)[round % Object.keys(SCENARIOS).length];
    const cases = IDS.map((id) => ({ id, input: id, expected: 'right' }));
    const folder = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': cases });
    const ends = await scenario(folder, random);
    const problems = [...checkEnds(ends), ...(await checkLeft(folder))];
    const log = readLog(join(folder, 'log.jsonl'));
    problems.push(...checkLog({ ...log, results: [...log.last.values()] }, IDS, Infinity));
    figures.rounds += 1;
    figures.starts += ends.length;
    if (problems.length === 0) removeFolder(folder);
    for (const problem of problems) report({ kind: `double starts: ${kind}`, problem, folder });
    progress(`double starts ${figures.rounds}/${rounds}`);
  }
  return figures;
}

/** Starts all of them within a moment, and lets the one that wins finish once the others have ended. */
async function race(folder, commands) {
  const ends = [];
  const runs = commands.map(async (args) =>
    ends.push(await runProgram(args, { cwd: folder, limitMs: 60_000 })),
  );
  const deadline = performance.now() + 30_000;
  while (ends.length < commands.length - 1 && performance.now() < deadline) await sleep(20);
  writeFileSync(join(folder, 'go'), '');
  await Promise.all(runs);
  return ends;
}

function rivals(random, args) {
  return Array.from({ length: 2 + random.below(2) }, () => args);
}

async function killedRun(folder) {
  const { child, finished } = startProgram(RUN, { cwd: folder });
  await started(folder);
  child.kill('SIGKILL');
  await finished;
}

/** Waits until an agent was called. */
async function started(folder) {
  const { existsSync } = await import('node:fs');
  const deadline = performance.now() + 30_000;
  while (!existsSync(join(folder, 'calls.txt')) && performance.now() < deadline) await sleep(10);
}

function checkEnds(ends) {
  const problems = ends.flatMap((end) => checkEnd(end, [0, 2]));
  const winners = ends.filter(({ code }) => code === 0).length;
  if (winners !== 1) problems.push(`${winners} of ${ends.length} programs went on`);
  for (const { code, stderr } of ends)
    if (code === 2 && !WORDS.test(stderr)) problems.push(`refused without a reason: ${stderr.slice(0, 300)}`);
  return problems;
}
