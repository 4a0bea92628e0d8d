// Runs with hostile or broken script tests and skill tests. The test is the judge there, so it is not asked to lie: it fails, and
// tries to hide that.

const SEND = `import { closeSync, writeSync } from 'node:fs';
import { spawn } from 'node:child_process';
const send = (message) => { try { writeSync(3, JSON.stringify(message) + '\\n'); } catch {} };
const seqs = Array.from({ length: 100 }, (_, seq) => seq);
`;

const FAIL = "throw new Error('wrong');";
const WAYS = {
  Blocks: 'for (;;);',
  Hangs: 'return new Promise(() => {});',
  Exits: 'process.exit(0);',
  Aborts: 'process.abort();',
  Kills: "process.kill(process.pid, 'SIGKILL');",
  Stops: "process.kill(process.pid, 'SIGSTOP');",
  ThrowsNothing: 'throw undefined;',
  ThrowsLater: "setTimeout(() => { throw new Error('late'); }); return new Promise(() => {});",
  ForgesOutcomes: `send({ type: 'settled', stuck: 0, settled: seqs.map((seq) => ({ seq, outcome: { status: 'passed', duration_ms: -1 } })) }); ${FAIL}`,
  ForgesClosed: `send({ type: 'closed' }); ${FAIL}`,
  SendsNonsense: `writeSync(3, 'nonsense\\n'); ${FAIL}`,
  ClosesItsChannel: `closeSync(3); ${FAIL}`,
  OverwritesItsRecovery: `try { writeSync(4, Buffer.alloc(200, 255), 0, 200, 0); } catch {} process.kill(process.pid, 'SIGKILL');`,
  ReplacesPromises: `globalThis.Promise = class { then() { return this; } catch() { return this; } finally() { return this; } }; ${FAIL}`,
  PatchesJson: `JSON.stringify = () => '{"type":"settled","stuck":0,"settled":[]}'; ${FAIL}`,
  PatchesObjects: `Object.prototype.status = 'passed'; Object.prototype.toJSON = () => ({ status: 'passed' }); ${FAIL}`,
  LeavesADaemon: `spawn('setsid', ['-f', 'sleep', '300'], { stdio: 'ignore' }); ${FAIL}`,
  Prints: `const block = Buffer.alloc(1 << 20, 120); for (let n = 0; n < 50; n++) try { writeSync(1, block); } catch {} ${FAIL}`,
};

/** Every hostile test is in a file of its own, beside a file with honest ones. */
export function scriptsRun() {
  const files = Object.entries(WAYS).map(([name, code]) => [
    `assistants/wild/src/${name.toLowerCase()}_test.ts`,
    `// @ts-nocheck\n${SEND}export function Test${name}(t) { ${code} }\n`,
  ]);
  const honest = `// @ts-nocheck
export function TestHonest1(t) { t.assert.Equal(1, 1); }
export function TestHonest2(t) { t.assert.Equal(2, 2); }
`;
  return {
    name: 'script tests',
    files: {
      'app.yao': '{}',
      'assistants/wild/package.yao': '{}',
      'assistants/wild/src/honest_test.ts': honest,
      ...Object.fromEntries(files),
    },
    args: 'test -i scripts.wild -o log.jsonl --retries 0 --parallel 4 --timeout 2s'.split(' '),
    hostile: Object.keys(WAYS).map((name) => `Test${name}`),
    honest: ['TestHonest1', 'TestHonest2'],
  };
}

export function skillsRun() {
  const passed = 'return { passed: 1, failed: 0, errors: [] };';
  const tests = { honest: `export default () => { ${passed} };` };
  for (const [name, code] of Object.entries(WAYS))
    tests[name.toLowerCase()] = `${SEND}export default () => { ${code} };`;
  const files = Object.entries(tests).flatMap(([name, content]) => [
    [`skills/${name}/SKILL.md`, `---\nname: ${name}\ndescription: Does ${name}.\n---\n`],
    [`tests/${name}.tests.mjs`, content],
  ]);
  return {
    name: 'skill tests',
    files: { 'app.yao': '{}', ...Object.fromEntries(files) },
    args: 'skills all -o log.jsonl --parallel 4 --timeout 2s'.split(' '),
    hostile: Object.keys(WAYS).map((name) => name.toLowerCase()),
    honest: ['honest'],
  };
}
