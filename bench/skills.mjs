// Skill tests: 200 files, each in its own process, compared with a naive design, `node --test` and the floor: starting `node` on
// an empty file as often, with the same concurrency.

import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { measure, median, verdict } from './measure.mjs';

const ROUNDS = 5;
const CHECKS = 3;
/** These take long, so they are measured in every second round only. */
const SLOW = ['naive', 'node --test'];

/** The library alone, through the package as users get it. */
const LIBRARY = `
import { pathToFileURL } from 'node:url';
const [library, folder, count, parallel] = process.argv.slice(2);
const { runTestSuite } = await import(pathToFileURL(library).href);
const tests = Array.from({ length: Number(count) }, (_, n) => {
  const name = 'skill' + n;
  return { skillName: name, shortName: name, skillType: 'skill', testFile: folder + '/' + name + '.tests.mjs' };
});
const { success, totalPassed, errors } = await runTestSuite(tests, { parallel: Number(parallel) });
if (!success || totalPassed !== tests.length * ${CHECKS}) throw new Error(totalPassed + ' passed: ' + errors);
`;

const FLOOR = `
import { spawn } from 'node:child_process';
const [file, count, parallel] = process.argv.slice(2);
let left = Number(count);
const work = async () => {
  while (left-- > 0)
    await new Promise((done, fail) => {
      const child = spawn(process.execPath, [file], { stdio: 'ignore' });
      child.on('error', fail);
      child.on('exit', (code) => (code === 0 ? done() : fail(new Error('exit ' + code))));
    });
};
await Promise.all(Array.from({ length: Number(parallel) }, work));
`;

const NAIVE = `
import { spawn } from 'node:child_process';
const [folder, count] = process.argv.slice(2);
let passed = 0;
for (let n = 0; n < Number(count); n += 1) {
  const code = \`
    import test from '\${folder}/skill\${n}.tests.mjs';
    Promise.resolve(test()).then((result) => {
      console.log(JSON.stringify({ success: true, result }));
      process.exit(result.failed > 0 ? 1 : 0);
    });\`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  child.stdout.on('data', (data) => (stdout += data));
  child.stderr.resume();
  await new Promise((done) => child.on('close', done));
  passed += JSON.parse(stdout.trim().match(/\\{[^]*\\}$/)[0]).result.passed;
}
if (passed !== Number(count) * ${CHECKS}) throw new Error(passed + ' passed');
`;

export async function benchSkills({ here, quick }) {
  const count = quick ? 20 : 200;
  const parallel = availableParallelism();
  const dist = join(dirname(here), 'dist');
  const library = join(dist, 'index.js');
  if (!existsSync(join(dist, 'skill-runner.js'))) throw new Error('dist is older than this bench');
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  try {
    writeFiles(folder, count);
    const script = (name) => join(folder, `${name}.mjs`);
    const few = join(folder, 'few');
    writeFiles(few, count / 4);
    const ours = [join(dist, 'cli.js'), 'skills', 'all', '--parallel', parallel, '-o', 'log.jsonl'];
    const commands = {
      ours,
      floor: [script('floor'), script('empty'), count, parallel],
      library: [script('library'), library, join(folder, 'tests'), count, parallel],
      naive: [script('naive'), join(folder, 'tests'), count],
      'node --test': ['--test', `--test-concurrency=${parallel}`, join(folder, 'node-tests')],
    };
    const times = await measureTimes(commands, folder);
    const memory = {
      few: (await runOnce('few', ours, few, { memory: true })).peakMb,
      many: (await runOnce('many', ours, folder, { memory: true })).peakMb,
    };
    return judge({ times, memory, count, parallel });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function writeFiles(folder, count) {
  const checks = `for (let n = 0; n < ${CHECKS}; n += 1)`;
  const skill = `export default async function () {
  const result = { passed: 0, failed: 0, errors: [] };
  ${checks} if (n + 1 > n) result.passed += 1;
  return result;
}
`;
  const nodeTest = `import { test } from 'node:test';
${checks} test('check ' + n, () => { if (n + 1 <= n) throw new Error('failed'); });
`;
  for (const name of ['tests', 'node-tests']) mkdirSync(join(folder, name), { recursive: true });
  for (let n = 0; n < count; n += 1) {
    writeFileSync(join(folder, 'tests', `skill${n}.tests.mjs`), skill);
    writeFileSync(join(folder, 'node-tests', `skill${n}.test.mjs`), nodeTest);
    mkdirSync(join(folder, 'skills', `skill${n}`), { recursive: true });
    writeFileSync(join(folder, 'skills', `skill${n}`, 'SKILL.md'), `---\nname: skill${n}\n---\n`);
  }
  const scripts = { library: LIBRARY, floor: FLOOR, naive: NAIVE, empty: '' };
  for (const [name, code] of Object.entries(scripts)) writeFileSync(join(folder, `${name}.mjs`), code);
}

async function measureTimes(commands, folder) {
  const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const [name, args] of Object.entries(commands)) {
      if (SLOW.includes(name) && round % 2 === 0) continue;
      times[name].push((await runOnce(name, args, folder)).ms);
    }
    console.log(`round ${round} of ${ROUNDS}`);
  }
  return times;
}

async function runOnce(name, args, cwd, options = {}) {
  const result = await measure(process.execPath, args.map(String), { cwd, ...options });
  if (result.code !== 0) throw new Error(`${name}: exit ${result.code}\n${result.stderr}`);
  return result;
}

function judge({ times, memory, count, parallel }) {
  const medians = Object.entries(times).map(([name, list]) => `${name} ${median(list).toFixed(0)} ms`);
  console.log(`${count} files, ${parallel} at once (naive: one at a time), medians: ${medians.join(', ')}`);
  // Compare each value with the floor of its own round, because the speed of the machine changes between rounds.
  const ratio = median(times.ours.map((ms, round) => ms / times.floor[round]));
  const growth = memory.many / memory.few;
  const isFine = [
    verdict('ours over the floor', `${ratio.toFixed(2)}×`, ratio <= 1.15, 'at most 1.15×'),
    ...SLOW.map((name) => {
      const factor = median(times[name]) / median(times.ours);
      return verdict(`${name} over ours`, `${factor.toFixed(2)}×`, factor > 1, 'above 1×');
    }),
    verdict(
      `peak memory with ${count} files over ${count / 4}`,
      `${growth.toFixed(2)}× (${memory.many.toFixed(0)} MB)`,
      growth <= 1.25,
      'at most 1.25×',
    ),
  ];
  return isFine.every(Boolean);
}
