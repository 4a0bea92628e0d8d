// `evaluate`: a program gives an agent and cases, and gets the report.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, folder } from '../support/assay.ts';
import { program } from './program.ts';

const CASES = [
  { id: 'sum', input: '2 + 2', expected: '4' },
  { id: 'poem', input: 'a poem', assert: { type: 'contains', value: 'rose' } },
];
const FILES = {
  'agent.mjs': `export default (messages) => (messages.at(-1).content === '2 + 2' ? '4' : 'a tulip ' + process.pid);\n`,
  'cases.jsonl': CASES,
};
const BRIEF = `const brief = ({ exit_code, summary, isolation, results }) => ({ exit_code, total: summary.total, passed: summary.passed, isolation,
  results: results.map(({ id, status, pass_rate, error }) => [id, status, pass_rate, error]) });\n`;
const EXPECTED = {
  exit_code: 1,
  total: 2,
  passed: 1,
  results: [
    ['sum', 'passed', 100, null],
    ['poem', 'failed', 0, 'the answer does not contain "rose"'],
  ],
};

test('an agent by its path runs in a process of its own and gives the report', async () => {
  const cwd = folder(FILES);
  const { value, stderr } = await program(
    cwd,
    `${BRIEF}const seen = [];
const run = await evaluate({ agent: './agent.mjs', cases: 'cases.jsonl', onResult: ({ id, status }) => seen.push([id, status]) });
print({ ...brief(run), seen, isOther: !run.results[1].output.endsWith(String(process.pid)) });`,
  );
  expect(value).toEqual({
    ...EXPECTED,
    seen: [
      ['sum', 'passed'],
      ['poem', 'failed'],
    ],
    isOther: true,
  });
  expect(stderr).toBe('');
  // Nothing was asked for, so nothing is written: no log, no history.
  expect(readdirSync(cwd).filter((name) => name.startsWith('output'))).toEqual([]);
  expect(existsSync(join(cwd, '.assay/history.db'))).toBe(false);
});

test.each(['none', 'process'])('a function is called in the program; isolation %s', async (isolation) => {
  const { value } = await program(
    folder(),
    `${BRIEF}const pids = new Set();
const agent = async (messages, ctx) => { pids.add(process.pid); return messages.at(-1).content === '2 + 2' ? '4' : ctx.User.ID; };
const run = await evaluate({ agent, cases: ${JSON.stringify(CASES)}, isolation: ${JSON.stringify(isolation)}, user: 'ann' });
print({ ...brief(run), pids: [...pids].length, agent: run.summary.agent_id, output: run.results[1].output });`,
  );
  const logged = isolation === 'none' ? 'none' : 'verdicts';
  expect(value).toEqual({ ...EXPECTED, isolation: logged, pids: 1, agent: 'agent', output: 'ann' });
});

test('cases come from generators, with ids of their own, and functions may change what they get', async () => {
  const { value } = await program(
    folder(),
    `async function* cases() { yield { input: [{ role: 'user', content: 'a' }], expected: 'a' }; yield { input: 'b', tags: ['x'], expected: 'b' }; }
function echo(messages) { const { content } = messages.pop(); messages.push('changed'); return content; }
const run = await evaluate({ agent: echo, cases: cases(), isolation: 'none', runs: 2, name: 'letters' });
const tagged = await evaluate({ agent: echo, cases: cases(), isolation: 'none', tags: 'x' });
print([run.exit_code, run.summary.agent_id, run.results.map(({ id, runs, test_id, input }) => [id, runs, test_id, input]), tagged.results.map(({ id }) => id)]);`,
  );
  expect(value).toEqual([
    0,
    'echo',
    [
      ['case-1', 2, 'letters', [{ role: 'user', content: 'a' }]],
      ['case-2', 2, 'letters', 'b'],
    ],
    ['case-2'],
  ]);
});

test('all that is wrong is a ConfigError with problems, and nothing runs', async () => {
  const { value } = await program(
    folder({ 'cases.jsonl': [{ id: 'a', input: 'x', assert: { type: 'contain', value: 'x' } }] }),
    `let calls = 0;
const agent = () => { calls += 1; return ''; };
const problems = [];
const wrong = [
  { agent, cases: [{ input: 'x' }], run: 3, paralel: 2, minPassRate: 200 },
  { agent },
  { agent, cases: [] },
  { agent, cases: 'missing.jsonl' },
  { agent, cases: 'cases.jsonl' },
  { agent, cases: [{ input: 'x', assert: { type: 'contain', value: 'x' } }], isolation: 'none' },
  { agent: './missing.mjs', cases: [{ input: 'x' }] },
  { agent: { run: { htp: { url: 'http://localhost' } } }, cases: [{ input: 'x' }] },
  { agent, cases: [{ input: 'x', metadata: { when: new Date(0), f() {} } }] },
  { agent, cases: [{ input: 'x' }], replay: 'tapes' },
];
for (const options of wrong)
  problems.push(await evaluate(options).then(() => 'ran', (error) => (error instanceof ConfigError ? error.problems.map(({ at, message, hint }) => [at, message, hint].filter(Boolean).join(' | ')) : String(error))));
print({ problems, calls });`,
  );
  expect(value).toMatchInlineSnapshot(`
    {
      "calls": 0,
      "problems": [
        [
          "run must be a pattern, not 3",
          "unknown option "paralel" | did you mean "parallel"?",
          "minPassRate must be a percentage from 0 to 100, not 200",
        ],
        [
          "cases is missing | write cases: 'cases.jsonl', or a list of cases",
        ],
        [
          "cases is empty | give at least one case",
        ],
        [
          "input file "missing.jsonl" does not exist | there is cases.jsonl",
        ],
        [
          "cases.jsonl:1 | assert: unknown assertion type "contain" | did you mean "contains"?",
        ],
        [
          "cases:1 | assert: unknown assertion type "contain" | did you mean "contains"?",
        ],
        [
          "no agent "./missing.mjs"; looked for missing.mjs | there are no agents below assistants/",
        ],
        [
          "agent.run | run: nothing to run | did you mean "http"?",
        ],
        [
          "cases | case 1: metadata.f is a function, which cannot be written as JSON",
        ],
        [
          "replay needs an agent in a process of its own: its code must be loaded after recording has begun | give the path of a module with the agent as default export, and leave isolation out",
        ],
      ],
    }
  `);
});

test('the log, reports and history are written if they are asked for', async () => {
  for (const isolation of ['none', 'process']) {
    const cwd = folder(FILES);
    const { value } = await program(
      cwd,
      `const agent = ${isolation === 'none' ? `(messages) => (messages.at(-1).content === '2 + 2' ? '4' : 'x')` : `'./agent.mjs'`};
const run = await evaluate({ agent, cases: 'cases.jsonl', isolation: '${isolation}', output: ['out/log.jsonl', 'out/report.md'], store: 'history.db' });
print([run.exit_code, run.log, run.metadata.run_id]);`,
    );
    const [exitCode, log, runId] = value as [number, string, string];
    expect([exitCode, log]).toEqual([1, join(cwd, 'out/log.jsonl')]);
    const [start] = readFileSync(log, 'utf8').split('\n');
    const { run_id, isolation: logged } = JSON.parse(start ?? '') as { run_id: string; isolation?: string };
    expect([run_id, logged]).toEqual([runId, isolation === 'none' ? 'none' : undefined]);
    expect(readFileSync(join(cwd, 'out/report.md'), 'utf8')).toContain('does not contain');
    expect(existsSync(join(cwd, 'history.db'))).toBe(true);
  }
});

test.each(['none', 'process'])('an aborted run gives the results so far; isolation %s', async (isolation) => {
  const { value } = await program(
    folder(),
    `const stop = new AbortController();
const agent = async () => { setTimeout(() => stop.abort(), 0); await new Promise((done) => setTimeout(done, 50)); return 'x'; };
const cases = [{ id: 'a', input: 'x' }, { id: 'b', input: 'y' }];
const run = await evaluate({ agent, cases, signal: stop.signal, isolation: '${isolation}' });
const none = await evaluate({ agent, cases, signal: AbortSignal.abort(), isolation: '${isolation}' });
print([run.exit_code, run.results.map(({ id, status }) => [id, status]), run.skipped_cases, none.exit_code, none.summary.skipped]);`,
  );
  const left = { id: 'b', test_id: 'cases', reason: 'interrupted' };
  expect(value).toEqual([130, [['a', 'passed']], [left], 130, 2]);
});

test('errors and timeouts of a function are told apart, and a late answer is a timeout', async () => {
  const { value } = await program(
    folder(),
    `const agent = (messages) => {
  const { content } = messages.at(-1);
  if (content === 'throw') throw new Error('no idea');
  if (content === 'hang') return new Promise(() => {});
  const end = performance.now() + 60;
  while (performance.now() < end);
  return 'late';
};
const cases = ['throw', 'hang', 'block'].map((input) => ({ id: input, input }));
const run = await evaluate({ agent, cases, timeout: 40, isolation: 'none' });
print([run.exit_code, run.results.map(({ id, status, code, error }) => [id, status, code, error])]);`,
  );
  expect(value).toEqual([
    1,
    [
      ['throw', 'error', 'agent', 'no idea'],
      ['hang', 'timeout', null, 'timeout after 40ms'],
      ['block', 'timeout', null, 'timeout after 40ms'],
    ],
  ]);
});

test('every report of a run without isolation says so, and such a run is not resumed', async () => {
  const cwd = folder();
  const outputs = ['log.jsonl', 'r.json', 'r.md', 'r.html', 'r.xml'];
  const { value } = await program(
    cwd,
    `const options = { agent: () => 'x', cases: [{ id: 'a', input: 'x', expected: 'y' }] };
const none = await evaluate({ ...options, isolation: 'none', output: ${JSON.stringify(outputs)}, store: 'history.db' });
await evaluate({ ...options, output: 'verdicts.md' });
print([none.isolation, none.metadata.run_id]);`,
  );
  const [isolation, runId] = value as [string, string];
  expect(isolation).toBe('none');
  const text = 'none: the agent ran in the process that judged it, which it could have changed';
  expect(readFileSync(join(cwd, 'r.md'), 'utf8')).toContain(`| Isolation | ${text} |`);
  expect(readFileSync(join(cwd, 'verdicts.md'), 'utf8')).toContain('| Isolation | of the verdicts only: ');
  expect(readFileSync(join(cwd, 'r.xml'), 'utf8')).toContain(`<property name="isolation" value="${text}"/>`);
  expect(JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8'))).toMatchObject({ isolation: 'none' });
  const summary = await assay(['report', 'log.jsonl', '-r', 'report.summary'], { cwd });
  expect(summary.stdout).toContain(`Isolation: ${text}\n`);
  const shown = await assay(['show', runId, '--store', 'history.db'], { cwd });
  expect(shown.stdout).toContain(`isolation: ${text}\n`);
  for (const again of [['--resume'], ['--failed']]) {
    const resumed = await assay(['test', ...again, 'log.jsonl'], { cwd });
    expect([resumed.exitCode, resumed.stderr]).toEqual([
      2,
      expect.stringContaining('a program started the run with evaluate'),
    ]);
  }
});
