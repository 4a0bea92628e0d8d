// Script tests beside the test runners of the Node world: the same tests, in the dialect of each, interleaved in one run.
// `node --test` and mocha get plain JavaScript; vitest, jest and Assay get TypeScript.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { CLI, measure, median, verdict } from './measure.mjs';
import { moduleNames, writeAssay, writeJest, writePlain, writeVitest } from './script-files.mjs';

const SHAPES = [
  { name: '1 × 1', files: 1, tests: 1 },
  { name: '1 × 1,000', files: 1, tests: 1000 },
  { name: '200 × 5', files: 200, tests: 5 },
];
/** These take tens of seconds for many files, so they are measured there in every third round only. */
const SLOW_WITH_MANY_FILES = ['jest', 'node --test', 'vitest'];
const MANY_FILES = 50;

/** Rotates the order, because some runners leave the machine busy for the next one. */
function rotated(entries, round) {
  const start = (round * 7) % entries.length;
  return [...entries.slice(start), ...entries.slice(0, start)];
}

/** For each runner: how to write its tests, start it, and read the number of passed tests. */
const RUNNERS = {
  assay: {
    write: writeAssay,
    command: ({ files }) => [
      CLI,
      'test',
      '-i',
      files === 1 ? 'scripts.many.m000' : 'scripts.many',
      '-o',
      'log.jsonl',
    ],
    passed: (_output, folder) => countPassed(join(folder, 'log.jsonl')),
  },
  jest: {
    write: writeJest,
    command: (_shape, peers) => [join(peers, 'jest/bin/jest.js')],
    passed: (output) => Number(/^Tests:\s+(\d+) passed, \d+ total$/m.exec(output)?.[1]),
  },
  mocha: {
    write: (folder, shape) => writePlain(folder, shape, '', 'it'),
    command: ({ files }, peers) => [
      join(peers, 'mocha/bin/mocha.js'),
      ...moduleNames(files).map((name) => `${name}.test.mjs`),
    ],
    passed: (output) => Number(/^\s*(\d+) passing/m.exec(output)?.[1]),
  },
  'node --test': {
    write: (folder, shape) => writePlain(folder, shape, "import { test } from 'node:test';\n", 'test'),
    command: ({ files }) => ['--test', ...moduleNames(files).map((name) => `${name}.test.mjs`)],
    passed: (output) => Number(/^. pass (\d+)$/m.exec(output)?.[1]),
  },
  vitest: {
    write: writeVitest,
    command: (_shape, peers) => [join(peers, 'vitest/vitest.mjs'), 'run'],
    passed: (output) => Number(/^\s*Tests\s+(\d+) passed \(\d+\)$/m.exec(output)?.[1]),
  },
};

export async function benchScripts({ here, quick, shapes = SHAPES, runners = Object.keys(RUNNERS) }) {
  const rounds = quick ? 3 : 9;
  const peers = join(here, 'node_modules');
  installPeers(here);
  const root = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const entries = shapes.flatMap((shape, index) =>
    runners.map((runner) => ({ shape, runner, folder: join(root, String(index), slug(runner)), times: [] })),
  );
  try {
    for (const { shape, runner, folder } of entries) RUNNERS[runner].write(folder, shape, peers);
    // The first round fills the caches, and checks that all tests really run.
    for (const entry of entries) checkOnce(entry, peers);
    for (let round = 1; round <= rounds; round += 1) {
      for (const entry of rotated(entries, round))
        if (isMeasured(entry, round)) await measureOnce(entry, peers);
      console.log(`round ${round} of ${rounds}`);
    }
  } finally {
    rmSync(root, { recursive: true });
  }
  const medians = mediansOf(entries);
  printMedians(medians, shapes, runners, rounds);
  return runners.includes('assay') && judge(medians);
}

function installPeers(here) {
  if (['jest', 'mocha', 'vitest'].every((name) => existsSync(join(here, 'node_modules', name)))) return;
  console.log('installing the peers (once, some minutes) …');
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', args, { cwd: here, stdio: 'inherit' });
}

function isMeasured({ shape, runner }, round) {
  const isSlow = shape.files >= MANY_FILES && SLOW_WITH_MANY_FILES.includes(runner);
  return !isSlow || round % 3 === 2;
}

function checkOnce({ shape, runner, folder }, peers) {
  const { command, passed } = RUNNERS[runner];
  const { status, stdout, stderr } = spawnSync(process.execPath, command(shape, peers), {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = stripVTControlCharacters(stdout + stderr);
  if (status !== 0) throw new Error(`${runner}, ${shape.name}: exit ${status}\n${output.slice(-2000)}`);
  const count = passed(output, folder);
  if (count !== shape.files * shape.tests)
    throw new Error(`${runner}, ${shape.name}: ${count} tests passed\n${output.slice(-2000)}`);
}

async function measureOnce({ shape, runner, folder, times }, peers) {
  const { command } = RUNNERS[runner];
  const { ms, code, stderr } = await measure(process.execPath, command(shape, peers), { cwd: folder });
  if (code !== 0) throw new Error(`${runner}, ${shape.name}: exit ${code} ${stderr}`);
  times.push(ms);
}

function mediansOf(entries) {
  const medians = {};
  for (const { shape, runner, times } of entries)
    medians[shape.name] = { ...medians[shape.name], [runner]: median(times) };
  return medians;
}

function printMedians(medians, shapes, runners, rounds) {
  console.log(`\nmedians of ${rounds} interleaved rounds, and each over ours (files × tests a file):`);
  for (const { name, files } of shapes) {
    const ours = medians[name].assay;
    const cells = runners.map((runner) => {
      const ms = medians[name][runner];
      const ratio = ours === undefined || runner === 'assay' ? '' : ` (${(ms / ours).toFixed(2)}×)`;
      return `${runner} ${ms.toFixed(0)} ms${ratio}`;
    });
    console.log(`${name}: ${cells.join(', ')}`);
    if (files >= MANY_FILES)
      console.log(
        `  of ${Math.floor((rounds + 1) / 3)} of the rounds only: ${SLOW_WITH_MANY_FILES.join(', ')}`,
      );
  }
  console.log('node --test and mocha run plain JavaScript, the others TypeScript; mocha isolates nothing.');
  console.log('Every second one of our files uses the tested functions without importing them.\n');
}

function judge(medians) {
  const [one, thousand, many] = SHAPES.map(({ name }) => medians[name]);
  const start = one.assay / one['node --test'];
  const fastestPeer = Math.min(...others(thousand));
  const mochas = many.assay / many.mocha;
  const isFine = [
    verdict('1 × 1, ours over node --test', `${start.toFixed(2)}×`, start <= 1.1, 'at most 1.1×'),
    verdict(
      "1 × 1,000, ours over the fastest peer's",
      `${(thousand.assay / fastestPeer).toFixed(2)}×`,
      thousand.assay < fastestPeer,
      'below 1×, the fastest of all',
    ),
    ...SLOW_WITH_MANY_FILES.map((runner) => {
      const ratio = many[runner] / many.assay;
      return verdict(`200 × 5, ${runner} over ours`, `${ratio.toFixed(1)}×`, ratio >= 8, 'at least 8×');
    }),
    verdict('200 × 5, ours over mocha', `${mochas.toFixed(2)}×`, mochas <= 1.5, 'at most 1.5×'),
  ];
  return isFine.every(Boolean);
}

function others(medians) {
  return Object.entries(medians).flatMap(([runner, ms]) => (runner === 'assay' ? [] : [ms]));
}

function countPassed(log) {
  const events = readFileSync(log, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return events.filter(({ type, status }) => type === 'result' && status === 'passed').length;
}

function slug(runner) {
  return runner.replaceAll(/\W+/g, '-');
}
