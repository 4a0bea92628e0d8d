// Gates on the whole run: they give the exit code, and stop the run when their answer is known.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SummaryEvent } from '../../../src/model/event.ts';
import { assay, callsIn, folder, readLog } from '../support/assay.ts';
import { chat, lastOf, modelServer, openai, run } from '../support/assistant-files.ts';
import { scripted, SCRIPTED } from '../support/scripted-agent.ts';

type GateRun = { exitCode: number | null; stdout: string; stderr: string; summary: SummaryEvent | undefined };

async function gated(cwd: string, gates: string[], ...more: string[]): Promise<GateRun> {
  const flags = gates.flatMap((gate) => ['--gate', gate]);
  const { exitCode, stdout, stderr } = await assay([...SCRIPTED, ...flags, ...more], { cwd });
  const log = join(cwd, 'log.jsonl');
  return { exitCode, stdout, stderr, summary: exitCode === 2 ? undefined : readLog(log).summary };
}

test('a gate gives the exit code, whatever single cases do', async () => {
  const cwd = scripted({ d: 'F', a: 'P', b: 'P', c: 'P' });
  const low = await gated(cwd, ['pass_rate >= 75']);
  expect({ exitCode: low.exitCode, failed: low.summary?.failed, gates: low.summary?.gates }).toEqual({
    exitCode: 0,
    failed: 1,
    gates: [
      { gate: 'pass_rate >= 75', status: 'passed', figure: 75, interval: expect.any(Object) as object },
    ],
  });
  expect(low.stdout).toContain('Gate: pass_rate >= 75: passed, 75% (cases like these: ');
  const high = await gated(cwd, ['pass_rate > 75']);
  expect({ exitCode: high.exitCode, status: high.summary?.gates?.[0]?.status }).toEqual({
    exitCode: 1,
    status: 'failed',
  });
});

test('a run stops as soon as the answer cannot change', async () => {
  const cwd = scripted({ a: 'F', b: 'F', c: 'P', d: 'P', e: 'P' });
  const { exitCode, summary, stdout } = await gated(cwd, ['pass_rate >= 80'], '--parallel', '1');
  expect({ exitCode, calls: callsIn(cwd), gates: summary?.gates, incomplete: summary?.incomplete }).toEqual({
    exitCode: 1,
    calls: ['a#1', 'b#1'],
    gates: [
      {
        gate: 'pass_rate >= 80',
        status: 'failed',
        figure: 0,
        interval: expect.any(Object) as object,
        decided: 'certain',
      },
    ],
    incomplete: undefined,
  });
  expect(readLog(join(cwd, 'log.jsonl')).results.map(({ reason }) => reason)).toEqual([
    undefined,
    undefined,
    'decided',
    'decided',
    'decided',
  ]);
  expect(stdout).toContain('3 cases not run (the answer is known)');
  expect(stdout).toContain('stopped early because the answer cannot change');

  const again = await assay(['test', '--resume', 'log.jsonl'], { cwd });
  expect({ exitCode: again.exitCode, stderr: again.stderr, calls: callsIn(cwd).length }).toEqual({
    exitCode: 1,
    stderr: expect.stringContaining('Nothing left to do') as string,
    calls: 2,
  });
});

test('several runs: a clear answer stops after whole rounds, and cases count with the runs they have', async () => {
  const ids = Array.from({ length: 40 }, (_, index) => `c${String(index)}`);
  const cwd = scripted(Object.fromEntries(ids.map((id) => [id, 'P'])));
  const { exitCode, summary } = await gated(cwd, ['pass_rate >= 80'], '--runs', '10', '--parallel', '4');
  expect({ exitCode, gates: summary?.gates, passed: summary?.passed, skipped: summary?.skipped }).toEqual({
    exitCode: 0,
    gates: [
      {
        gate: 'pass_rate >= 80',
        status: 'passed',
        figure: 100,
        interval: expect.any(Object) as object,
        decided: 'likely',
      },
    ],
    passed: 40,
    skipped: 0,
  });
  const calls = callsIn(cwd);
  expect(calls.length).toBeLessThan(200);
  expect(calls.length).toBeGreaterThanOrEqual(40);
  expect(summary?.total_runs).toBe(calls.length);
  const { run_id } = readLog(join(cwd, 'log.jsonl')).start;
  const shown = await assay(['show', run_id, '--json'], { cwd });
  const { cases } = JSON.parse(shown.stdout) as { cases: { status: string }[] };
  expect(new Set(cases.map(({ status }) => status))).toEqual(new Set(['passed']));
});

test('a gate of a tag looks at the cases that have it', async () => {
  const fields = { a: { tags: ['smoke'] }, b: { tags: ['smoke', 'slow'] } };
  const cwd = scripted({ a: 'P', b: 'P', c: 'F', d: 'F' }, { fields });
  const { exitCode, summary } = await gated(cwd, ['pass_rate[tag:smoke] >= 95', 'pass_rate >= 50']);
  expect({ exitCode, figures: summary?.gates?.map(({ figure }) => figure) }).toEqual({
    exitCode: 0,
    figures: [100, 50],
  });
  const missing = await gated(cwd, ['pass_rate[tag:smoke] >= 95'], '--run', '^[^ab]$');
  expect({ exitCode: missing.exitCode, gates: missing.summary?.gates }).toEqual({
    exitCode: 3,
    gates: [
      {
        gate: 'pass_rate[tag:smoke] >= 95',
        status: 'unmeasured',
        figure: null,
        message: 'no case with the tag smoke could be measured',
      },
    ],
  });
});

test('what could not be measured is exit 3, unless the gate has failed', async () => {
  const cwd = scripted({ c: 'U', a: 'P', b: 'P' });
  const passed = await gated(cwd, ['pass_rate >= 60']);
  const failed = await gated(scripted({ a: 'F', b: 'F', c: 'U' }), ['pass_rate >= 60']);
  const nothing = await gated(scripted({ a: 'U' }), ['pass_rate >= 60']);
  expect([passed, failed, nothing].map(({ exitCode }) => exitCode)).toEqual([3, 1, 3]);
  expect(passed.summary?.gates?.[0]).toMatchObject({ status: 'passed', figure: 100 });
  expect(nothing.summary?.gates?.[0]).toMatchObject({ status: 'unmeasured', figure: null });
});

test('latency and cost are gates, too', async () => {
  const cwd = scripted({ a: 'P', b: 'W' });
  const { exitCode, summary, stdout } = await gated(cwd, [
    'latency_p95 <= 60s',
    'latency_mean > 1ms',
    'latency_p50 < 1ms',
  ]);
  expect({ exitCode, ends: summary?.gates?.map(({ status }) => status) }).toEqual({
    exitCode: 1,
    ends: ['passed', 'passed', 'failed'],
  });
  expect(stdout).toMatch(/Gate: latency_p95 <= 60s: passed, \d+ms\n/);
  const free = await gated(cwd, ['cost <= 1']);
  expect({ exitCode: free.exitCode, stdout: free.stdout }).toEqual({
    exitCode: 3,
    stdout: expect.stringContaining(
      'cost <= 1: could not be measured, no call has reported a cost',
    ) as string,
  });
});

test('a cost that is exceeded stops the run', async () => {
  const server = await modelServer((request) => ({
    text: lastOf(request) === 'bad' ? 'wrong' : 'right',
    usage: { input: 100_000, output: 0 },
  }));
  const cases = ['a', 'b', 'c', 'd'].map((id) => ({ id, input: id, expected: 'right' }));
  const cwd = folder(chat(openai(server.url, { model: 'gpt-4o' }), cases));
  const { exitCode, stdout } = await run(cwd, '--gate', 'cost <= $0.40');
  expect({ exitCode, calls: server.requests.length }).toEqual({ exitCode: 1, calls: 2 });
  expect(stdout).toContain(
    'Gate: cost <= $0.40: failed, $0.5, stopped early because the answer cannot change',
  );
});

test('a budget that stops before the gate has an answer is exit 3, after it the answer counts', async () => {
  const server = await modelServer(() => ({ text: 'right', usage: { input: 100_000, output: 0 } }));
  const cases = ['a', 'b', 'c', 'd'].map((id) => ({ id, input: id, expected: 'right' }));
  const cwd = folder(chat(openai(server.url, { model: 'gpt-4o' }), cases));
  const open = await run(cwd, '--gate', 'pass_rate >= 90', '--budget', '$0.5');
  expect(open.exitCode).toBe(3);
  expect(open.stdout).toContain('Gate: pass_rate >= 90: undecided, 100%');
  const known = await run(cwd, '--gate', 'pass_rate >= 50', '--budget', '$0.5');
  expect(known.exitCode).toBe(0);
});

test('gates of assay.config and of the environment, and the command line over them', async () => {
  const cwd = scripted(
    { a: 'P', b: 'F' },
    { files: { 'assay.config.json': { gates: ['pass_rate >= 90'] } } },
  );
  const configured = await gated(cwd, []);
  const typed = await gated(cwd, ['pass_rate >= 50']);
  const set = await assay(SCRIPTED, { cwd, env: { ASSAY_GATES: 'pass_rate >= 10, latency_p95 <= 1m' } });
  expect([configured.exitCode, typed.exitCode, set.exitCode]).toEqual([1, 0, 0]);
});

test('a suite has gates', async () => {
  const cwd = folder({
    'agent.mjs': `export default ([{ content }]) => content;\n`,
    'tests/greet.test.json': {
      id: 'greet',
      name: 'Greets',
      type: 'agent-eval',
      agent: '../agent.mjs',
      cases: [
        { id: 'a', input: 'hi', expected: 'hi' },
        { id: 'b', input: 'hi', expected: 'ho' },
      ],
    },
    'tests/all.suite.json': {
      id: 'all',
      name: 'All',
      tests: ['greet'],
      options: { gates: ['pass_rate >= 50'] },
    },
  });
  const own = await assay(['suite', 'all'], { cwd });
  const typed = await assay(['suite', 'all', '--gate', 'pass_rate >= 60'], { cwd });
  expect([own.exitCode, typed.exitCode]).toEqual([0, 1]);
});

test.each([
  ['pass_rat >= 90', 'unknown metric pass_rat; did you mean pass_rate?'],
  ['latency <= 3s', 'unknown metric latency; say which: latency_mean, latency_p50, latency_p95'],
  ['pass_rate = 90', 'unknown operator =; write >=, >, <= or <'],
  ['pass_rate 90', 'an operator is missing; write >=, >, <= or <'],
  ['pass_rate >= 0.9', 'is in percent: write 90 for 0.9'],
  ['pass_rate >= 101', 'must be a percentage from 0 to 100, not "101"'],
  ['pass_rate[smoke] >= 90', 'in brackets there is a tag, like pass_rate[tag:smoke]'],
  ['cost[tag:smoke] <= 1', 'only pass_rate can be that of a tag'],
  ['cost <= cheap', 'must be an amount of dollars, such as 2.50, not "cheap"'],
  ['latency_p95 <= 3', 'write a duration like 3s or 500ms'],
  ['>= 3', 'a gate is like "pass_rate >= 90"'],
])('refuses %s', async (gate, message) => {
  const cwd = scripted({ a: 'P' });
  const { exitCode, stderr } = await gated(cwd, [gate]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr).toContain('--gate');
});

test('a gate on a tag that no case has is refused before anything runs', async () => {
  const cwd = scripted({ a: 'P', b: 'P' }, { fields: { a: { tags: ['smoke'] }, b: { tags: ['slow'] } } });
  const near = await gated(cwd, ['pass_rate[tag:smok] >= 95']);
  expect([near.exitCode, near.stderr]).toEqual([
    2,
    '--gate: "pass_rate[tag:smok] >= 95": no case has the tag "smok"\n  hint: did you mean "smoke"?\n',
  ]);
  const far = await gated(cwd, ['pass_rate[tag:release] >= 95']);
  expect([far.exitCode, far.stderr]).toEqual([2, expect.stringContaining('the tags are smoke, slow')]);
  expect(callsIn(cwd)).toEqual([]);
});

test('a wrong gate is told where it stands, and an empty one is wrong', async () => {
  const cwd = scripted({ a: 'P' });
  const told = async (args: string[], env: Record<string, string> = {}): Promise<string> => {
    const { exitCode, stderr } = await assay([...SCRIPTED, ...args], { cwd, env });
    expect(exitCode).toBe(2);
    return stderr;
  };
  expect(await told(['--gate', ''])).toBe('--gate: must not be empty\n');
  expect(await told([], { ASSAY_GATES: 'pass_rat >= 90' })).toMatch(/^ASSAY_GATES: "pass_rat >= 90": /);
  expect(await told([], { ASSAY_MAX_RUNS: '5' })).toMatch(/^ASSAY_MAX_RUNS: has a meaning only with /);
  writeFileSync(join(cwd, 'assay.config.json'), JSON.stringify({ gates: ['cost <= 1', 'pass_rat >= 90'] }));
  expect(await told([])).toMatch(/^"gates" in assay\.config: "pass_rat >= 90": /);
});

test('refuses --fail-fast, which would leave the gate without an answer', async () => {
  const { exitCode, stderr } = await gated(scripted({ a: 'P' }), ['pass_rate >= 90'], '--fail-fast');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('a gate needs the whole run');
});
