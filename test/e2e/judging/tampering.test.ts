import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, folder, readLog } from '../support/assay.ts';

const RUN = ['test', '-i', 'cases.jsonl', '-n', 'agent.mjs', '-o', 'log.jsonl', '--timeout', '2s'];

/** Writes a message to the channel of the worker. */
const SEND = `import { writeSync } from 'node:fs';
const send = (message) => writeSync(3, typeof message === 'string' ? message : JSON.stringify(message) + '\\n');
`;
const answers = (seqs: string): string =>
  `send({ type: 'answered', stuck: 0, answers: ${seqs}.map((seq) => ({ seq, took_ms: 0, status: 'passed', verdicts: [], outcome: { status: 'passed' }, transcript: { output: 'wrong', status: 'passed', verdicts: [{ type: 'equals', status: 'passed' }], duration_ms: -5 } })) });`;

/** Agents that answer "wrong" where "right" is expected, and do something to the process they run in. */
const AGENTS: Record<string, string> = {
  'patches lists': `
    for (const name of ['every', 'some', 'filter', 'map', 'includes', 'find'])
      Array.prototype[name] = function () { return name === 'filter' || name === 'map' ? [] : true; };
    export default () => 'wrong';`,
  'patches texts': `
    String.prototype.includes = () => true; String.prototype.endsWith = () => true; String.prototype.trim = () => 'right';
    export default () => 'wrong';`,
  'patches objects': `
    Object.is = () => true; Object.keys = () => []; Object.entries = () => []; Object.hasOwn = () => true;
    export default () => 'wrong';`,
  'patches JSON': `JSON.stringify = () => '"right"'; JSON.parse = () => 'right'; export default () => 'wrong';`,
  'replaces promises': `
    class Other { static resolve() { return new Other(); } then() { return this; } catch() { return this; } finally() { return this; } }
    globalThis.Promise = Other;
    export default async () => { throw new Error('the agent is broken'); };`,
  'patches promises': `
    const { then } = Promise.prototype;
    Promise.prototype.then = function (done) { return then.call(this, done, () => done?.('right')); };
    export default async () => { throw new Error('the agent is broken'); };`,
  'stops the clocks': `
    performance.now = () => 0; Date.now = () => 0; process.hrtime.bigint = () => 0n;
    export default async () => { await new Promise((done) => setTimeout(done, 400)); return 'wrong'; };`,
  'forges outcomes': `${SEND} export default () => {
    send({ type: 'settled', stuck: 0, settled: [1, 2].map((seq) => ({ seq, outcome: { status: 'passed', duration_ms: 1 } })) });
    return 'wrong'; };`,
  'forges answers with verdicts': `${SEND} export default () => { ${answers('[1, 2]')} return 'wrong'; };`,
  'forges statuses': `${SEND} export default () => {
    for (const status of ['skipped', 'passed', undefined, 7])
      send({ type: 'answered', stuck: 0, answers: [1, 2].map((seq) => ({ seq, took_ms: 0, failure: { status, error: 'x' } })) });
    return 'wrong'; };`,
  'gives its work back': `${SEND} export default () => { send({ type: 'dropped', seqs: [1, 2] }); return 'wrong'; };`,
  'sends nonsense': `${SEND} export default () => { send('nonsense\\n'); return 'wrong'; };`,
  'sends wrong types': `${SEND} export default () => {
    for (const message of [{ type: 'answered' }, { type: 'answered', answers: {} }, { type: 'answered', answers: [null], stuck: 0 },
      { type: 'pong' }, { type: 'secrets', secrets: 5 }, { type: 'before', seq: 'x' }, { type: 'toString' }, { type: null }]) send(message);
    return 'wrong'; };`,
  'sends a deep answer': `${SEND} export default () => {
    const deep = '['.repeat(100000) + ']'.repeat(100000);
    send('{"type":"answered","stuck":0,"answers":[{"seq":1,"took_ms":0,"transcript":{"output":' + deep + '}}]}\\n');
    return 'wrong'; };`,
  'sends numbers that are none': `${SEND} export default () => {
    send('{"type":"answered","stuck":0,"answers":[{"seq":1,"took_ms":-1e999,"transcript":{"output":"wrong","cost_usd":-5,"usage":{"input_tokens":1e999},"first_token_ms":-1}}]}\\n');
    return 'wrong'; };`,
  'closes its channel': `import { closeSync } from 'node:fs';
    export default () => { closeSync(3); return 'wrong'; };`,
  'overwrites the recovery file': `import { writeSync } from 'node:fs';
    export default () => { writeSync(4, Buffer.alloc(64, 255), 0, 64, 0); process.kill(process.pid, 'SIGKILL'); };`,
  'answers pings and does nothing': `import { writeSync } from 'node:fs';
    setInterval(() => writeSync(3, '{"type":"pong","load":0}\\n'), 50);
    export default () => new Promise(() => {});`,
};

test.each(Object.entries(AGENTS))('an agent that %s never passes', async (_, agent) => {
  const cwd = folder({
    'agent.mjs': agent,
    'cases.jsonl': [
      { id: 'a', input: 'x', expected: 'right' },
      {
        id: 'b',
        input: 'y',
        assert: [
          { type: 'contains', value: 'right' },
          { type: 'regex', value: '^right$' },
        ],
      },
    ],
  });
  const { exitCode, stderr } = await assay(RUN, { cwd });
  const { results, summary } = readLog(join(cwd, 'log.jsonl'));
  expect(stderr).not.toMatch(/\bat .*\.js:\d+|TypeError|RangeError/);
  expect([1, 3]).toContain(exitCode);
  expect(summary).toMatchObject({ total: 2, passed: 0, failed: 2, skipped: 0 });
  expect(results.map(({ id }) => id).sort()).toEqual(['a', 'b']);
  for (const { status, duration_ms, usage, cost_usd } of results) {
    expect(['failed', 'error', 'timeout']).toContain(status);
    expect(duration_ms >= 0 && duration_ms < 20_000).toBe(true);
    expect([usage, cost_usd]).toEqual([undefined, undefined]);
  }
});

test('a duration is measured by a clock that the agent cannot change', async () => {
  const cwd = folder({
    'agent.mjs': `${SEND} performance.now = () => 0; Date.now = () => 0;
      export default async (messages) => {
        await new Promise((done) => setTimeout(done, 700));
        if (messages.at(-1).content === 'forged') send({ type: 'answered', stuck: 0, answers: [{ seq: 1, took_ms: 1, transcript: { output: 'x' } }] });
        return 'x';
      };`,
    'cases.jsonl': [
      { id: 'forged', input: 'forged', assert: { type: 'latency', value: '500ms' } },
      { id: 'honest', input: 'honest', assert: { type: 'latency', value: '500ms' } },
    ],
  });
  const { exitCode } = await assay(RUN, { cwd });
  const { results } = readLog(join(cwd, 'log.jsonl'));
  expect([exitCode, results.map(({ status, duration_ms: ms }) => [status, ms > 600 && ms < 3000])]).toEqual([
    1,
    [
      ['failed', true],
      ['failed', true],
    ],
  ]);
});

const uniqueObjects = Array.from({ length: 20_000 }, (_, n) => ({ n, more: { n } }));
const tree = {
  $defs: {
    node: {
      anyOf: [1, 2, 3, 4].map((n) => ({
        properties: { [`p${n}`]: { $ref: '#/$defs/node' }, a: { $ref: '#/$defs/node' } },
        required: ['z'],
      })),
    },
  },
  $ref: '#/$defs/node',
};

test.each([
  [
    'unique items',
    `const list = ${JSON.stringify(uniqueObjects.length)}; export default () => Array.from({ length: list }, (_, n) => ({ n, more: { n } }));`,
    { type: 'schema', value: { uniqueItems: true } },
  ],
  [
    'branching references',
    `export default () => { let node = {}; for (let n = 0; n < 200; n++) node = { a: node }; return node; };`,
    { type: 'schema', value: tree },
  ],
  [
    'two descents',
    `export default () => { let node = {}; for (let n = 0; n < 400; n++) node = { a: node, b: [n] }; return node; };`,
    { type: 'json_path', path: '$..*..*..*..*', value: 1 },
  ],
])('a judgement that takes too long is an error of the judge: %s', async (_, agent, assert) => {
  const cwd = folder({
    'agent.mjs': agent,
    'cases.jsonl': [
      { id: 'slow', input: 'x', assert },
      { id: 'fine', input: 'x', assert: { type: 'type', value: 'object' } },
    ],
  });
  const { exitCode, stderr } = await assay(RUN, { cwd });
  const { results } = readLog(join(cwd, 'log.jsonl'));
  const slow = results.find(({ id }) => id === 'slow');
  expect(stderr).toBe('');
  // Quick machines may finish the judgement in time.
  if (slow?.status !== 'passed' && slow?.status !== 'failed')
    expect([exitCode, slow?.status, slow?.code, slow?.error]).toEqual([
      exitCode === 1 ? 1 : 3,
      'error',
      'judge',
      expect.stringContaining('cannot be judged: it timed out after') as unknown,
    ]);
});

test('an agent does not get what is expected of it', async () => {
  const cwd = folder({
    // Everything its worker receives is parsed here.
    'agent.mjs': `const { parse } = JSON; const seen = [];
      const { write } = await import('node:fs').then((fs) => ({ write: fs.appendFileSync }));
      const emit = (await import('node:net')).Socket.prototype.emit;
      (await import('node:net')).Socket.prototype.emit = function (name, data, ...more) {
        if (name === 'data') write('seen.txt', String(data));
        return emit.call(this, name, data, ...more);
      };
      export default () => 'x';`,
    'cases.jsonl': Array.from({ length: 50 }, (_, n) => ({
      id: `case-${n}`,
      input: `input-${n}`,
      expected: `expected-${n}`,
      assert: { type: 'contains', value: `asserted-${n}` },
    })),
  });
  await assay(RUN, { cwd });
  const seen = readFileSync(join(cwd, 'seen.txt'), 'utf8');
  expect(seen).toContain('input-49');
  expect(seen).not.toMatch(/expected-|asserted-/);
});

const JUDGES: Record<string, string> = {
  'forges the judgements of others':
    "for (let id = 0; id < 1000; id++) send({ type: 'done', id, value: { pass: true } }); return true;",
  'forges answers': `${answers('[1, 2]')} return true;`,
  'sends wrong types':
    "for (const message of [{ type: 'secrets', secrets: 5 }, { type: 'done', id: 1, logs: 7 }, { type: 'taped' }]) send(message); return true;",
};

test.each(Object.entries(JUDGES))('a judge that %s is an error', async (_, code) => {
  const cwd = folder({
    'app.yao': '{}',
    'agent.mjs': 'export default () => "right";',
    'scripts/check.ts': `// @ts-nocheck
      ${SEND}
      async function Slow() { await new Promise((done) => setTimeout(done, 500)); return 'no judgement'; }
      function Hostile() { ${code} }`,
    'cases.jsonl': ['Slow', 'Hostile'].map((name) => ({
      id: name,
      input: 'x',
      assert: { type: 'script', script: `scripts.check.${name}` },
    })),
  });
  const { exitCode, stderr } = await assay(RUN, { cwd });
  const { results } = readLog(join(cwd, 'log.jsonl'));
  expect(stderr).not.toMatch(/\bat .*\.js:\d+|TypeError|RangeError/);
  const ends = results.map(({ id, status, code }) => `${id} ${status} ${code}`);
  expect([exitCode, ends.sort()]).toEqual([3, ['Hostile error judge', 'Slow error judge']]);
});

test('an agent that takes the clock away does not make itself an error', async () => {
  const cwd = folder({
    'agent.mjs': `globalThis.performance = undefined;
      export default () => new Promise((done) => setTimeout(done, 1500, 'right'));`,
    'cases.jsonl': [{ id: 'a', input: 'x', expected: 'right' }],
  });
  const { exitCode } = await assay(RUN.slice(0, -2), { cwd });
  expect({ exitCode, error: readLog(`${cwd}/log.jsonl`).results[0]?.error }).toEqual({ exitCode: 0 });
});
