// The round of hostile agents: every run ends, counts right and leaves nothing.

import { join } from 'node:path';
import { commandsRun } from './agents/commands.mjs';
import { assistantRun, hooksRun, judgesRun } from './agents/judging.mjs';
import { isolatedRun, MODULES, sharedRun } from './agents/modules.mjs';
import { serversRun } from './agents/servers.mjs';
import { scriptsRun, skillsRun } from './agents/tests.mjs';
import { checkEnd, checkLeft, checkLog, readLog } from './check.mjs';
import { makeFolder, removeFolder, runProgram } from './program.mjs';

const LIMIT_MS = 240_000;

const OTHERS = [commandsRun, serversRun, judgesRun, hooksRun, assistantRun, scriptsRun, skillsRun];

/** Runs the kinds and gives figures. `only` is a part of the names of runs or kinds. */
export async function agentsRound({ random, shared, modules, only, report, progress }) {
  const names = Object.keys(MODULES);
  const chosen =
    only === undefined ? random.sample(names, modules) : names.filter((name) => name.includes(only));
  const runs = [
    ...(chosen.length > 0 ? [isolatedRun(chosen)] : []),
    ...(only === undefined ? random.sample(names, shared) : chosen).map(sharedRun),
  ];
  for (const make of OTHERS) {
    const run = make();
    if (only === undefined || run.name.includes(only)) runs.push(run);
  }
  let kinds = 0;
  const waiting = [...runs];
  const work = async () => {
    for (let run = waiting.shift(); run !== undefined; run = waiting.shift()) {
      const { problems, folder } = await check(run);
      kinds += run.hostile.length;
      progress(run.name);
      if (problems.length === 0) removeFolder(folder);
      for (const problem of problems) report({ kind: run.name, problem, folder, only: run.only ?? only });
    }
  };
  await Promise.all([work(), work()]);
  return {
    runs: runs.length,
    hostile_attempts: kinds,
    kinds: new Set(runs.flatMap(({ hostile }) => hostile)).size,
  };
}

async function check(run) {
  const folder = makeFolder(run.files);
  const service = await run.serve?.();
  const args = [...run.args, ...(service?.args ?? [])];
  const finished = await runProgram(args, { cwd: folder, limitMs: LIMIT_MS });
  service?.close();
  const problems = checkEnd(finished, [1, 2, 3]);
  if (!finished.isLate) problems.push(...checkResults(run, folder, finished));
  problems.push(...(await checkLeft(folder)));
  return { problems, folder };
}

function checkResults({ hostile, honest, shaken = [], unfailing = [] }, folder, finished) {
  const log = readLog(join(folder, 'log.jsonl'));
  const problems = checkLog(log, [...hostile, ...honest, ...shaken, ...unfailing], finished.ms);
  for (const { id, status, code, error } of log.results) {
    const isWrong =
      (hostile.includes(id) && ['passed', 'skipped'].includes(status)) ||
      (honest.includes(id) && status !== 'passed') ||
      (unfailing.includes(id) && !['passed', 'error'].includes(status)) ||
      (shaken.includes(id) && status === 'skipped');
    if (isWrong) problems.push(`${id}: ${[status, code, error].filter(Boolean).join(' | ').slice(0, 300)}`);
  }
  return problems;
}
