// The round of damaged inputs: case files, definitions, configuration, logs, tapes and command lines. The program answers all of them
// soon, with a documented exit code and without a stack. Most are given to it inside of one process, some to the real program.

import { fork } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { checkEnd, checkLeft } from './check.mjs';
import { makeApplication, readFiles } from './fuzz/application.mjs';
import { makeInput } from './fuzz/targets.mjs';
import { makeFolder, removeFolder, runProgram, writeInto } from './program.mjs';
import { randomFrom } from './random.mjs';

/** A process gets this many inputs: state that inputs leave in it must not add up. */
const BATCH = 2000;
const SILENT_MS = 30_000;

/** `index` gives one input alone. */
export async function fuzzRound({ seed, inputs, live, index, processes = 2, report, progress }) {
  const figures = { inputs: 0, live: 0, kinds: {} };
  const original = await makeApplication();
  let next = index ?? 0;
  const end = index === undefined ? inputs : index + 1;
  const take = () => {
    if (next >= end) return undefined;
    const batch = { first: next, last: Math.min(next + BATCH, end) };
    next = batch.last;
    return batch;
  };
  const setting = { seed, figures, report, progress: () => progress(`inputs ${figures.inputs}/${inputs}`) };
  await Promise.all(Array.from({ length: processes }, () => giveBatches(original, take, setting)));
  const lives = index === undefined ? live : 0;
  for (let number = 0; number < lives; number += 1) {
    await giveLive(original, number, setting);
    progress(`live inputs ${figures.live}/${live}`);
  }
  removeFolder(original);
  return figures;
}

async function giveBatches(original, take, setting) {
  for (let batch = take(); batch !== undefined; batch = take()) {
    let { first } = batch;
    // After a crash or a hang, another process goes on behind the input that was the cause, with whole files.
    while (first < batch.last) {
      const folder = makeFolder({});
      cpSync(original, folder, { recursive: true });
      first = await giveBatch(folder, { ...batch, first }, setting);
      removeFolder(folder);
    }
  }
}

/** Gives inputs to one process; the result is the first one that is not given yet. */
function giveBatch(folder, { first, last }, { seed, figures, report, progress }) {
  return new Promise((done) => {
    const args = [folder, String(seed), String(first), String(last)];
    const env = { ...process.env, ASSAY_TORTURE: folder, TMPDIR: join(folder, 'tmp') };
    const child = fork(join(import.meta.dirname, 'fuzz/process.mjs'), args, {
      env,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let current = { index: first, kind: 'start' };
    let isDone = false;
    let stderr = '';
    const tell = (problem) =>
      report({
        kind: `fuzz: ${current.kind}`,
        problem: `${problem}\n  ${JSON.stringify(current.args)}`,
        index: current.index,
      });
    const hung = () => {
      tell(`nothing happened for ${SILENT_MS} ms`);
      child.kill('SIGKILL');
    };
    let timer = setTimeout(hung, SILENT_MS);
    child.stderr.on('data', (chunk) => (stderr = (stderr + chunk).slice(-2000)));
    child.on('message', ({ index, kind, args, problem, stray, isDone: isLast }) => {
      if (isLast === true) isDone = true;
      else if (stray !== undefined) tell(`an error that nothing catches: ${stray}`);
      else if (problem !== undefined) tell(problem);
      else {
        current = { index, kind, args };
        figures.inputs += 1;
        figures.kinds[kind] = (figures.kinds[kind] ?? 0) + 1;
        if (figures.inputs % 500 === 0) progress();
        clearTimeout(timer);
        timer = setTimeout(hung, SILENT_MS);
      }
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (!isDone && signal !== 'SIGKILL') tell(`the process ended: ${signal ?? code} ${stderr}`);
      done(isDone ? last : current.index + 1);
    });
  });
}

/** Gives one input to the real program, which executes what it names. */
async function giveLive(original, number, { seed, figures, report }) {
  const folder = makeFolder({});
  cpSync(original, folder, { recursive: true });
  const input = makeInput(randomFrom(seed * 7_000_003 + number), readFiles(original), { isLive: true });
  writeInto(folder, input.file, input.bytes);
  if (input.hides !== undefined) removeFolder(join(folder, input.hides));
  const finished = await runProgram(input.args, { cwd: folder, limitMs: 60_000 });
  const problems = [...checkEnd(finished, [0, 1, 2, 3]), ...(await checkLeft(folder))];
  figures.live += 1;
  if (problems.length === 0) removeFolder(folder);
  for (const problem of problems)
    report({
      kind: `fuzz: live ${input.kind}`,
      problem: `${problem}\n  assay ${input.args.join(' ')}`,
      folder,
    });
}
