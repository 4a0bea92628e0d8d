// Cases in quarantine run and are shown, and their failures do not fail the run.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { junitProblems } from '../../fixtures/junit-schema.ts';
import { assay, folder, readLog } from '../support/assay.ts';

/** Fails on the inputs that bad.txt names. */
const AGENT = `import { readFileSync } from 'node:fs';
export default ([{ content }]) =>
  readFileSync('bad.txt', 'utf8').split(' ').includes(content) ? 'wrong' : 'right';
`;
const ARGS = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--retries', '0'];

/** The day that is so many days from today, in UTC. */
function day(from: number): string {
  return new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10);
}

function entry(id: string, expires = day(1), more = ''): string {
  return `- case: cases.jsonl › ${id}\n  reason: flips at night\n  expires: ${expires}\n${more}`;
}

type Shop = { cwd: string; run: (...more: string[]) => ReturnType<typeof assay>; log: string };

function shop(quarantine: string, { bad = 'b', ids = ['a', 'b', 'c'] } = {}): Shop {
  const judge = { assert: { type: 'script', script: 'scripts.test.Throws' } };
  const cases = ids.map((id) => ({ id, input: id, ...(id === 'unclear' ? judge : { expected: 'right' }) }));
  const files = { 'assay.config.json': '{}', 'agent.mjs': AGENT, 'bad.txt': bad, 'cases.jsonl': cases };
  const script = 'function Throws() { throw new Error("no judge"); }';
  const cwd = folder({ ...files, 'scripts/test.ts': script, 'quarantine.yml': quarantine });
  const run: Shop['run'] = (...more) => assay([...ARGS, '-o', 'log.jsonl', ...more], { cwd });
  return { cwd, run, log: join(cwd, 'log.jsonl') };
}

test('a failure in quarantine is shown everywhere and does not fail the run', async () => {
  const { cwd, run, log } = shop(entry('b', day(3), '  owner: maria\n'));
  const reports = ['report.json', 'report.md', 'report.xml', 'report.html'].flatMap((file) => ['-o', file]);
  const { exitCode, stdout, stderr } = await run(...reports);
  const mark = `quarantined: flips at night, until ${day(3)} (maria)`;
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toContain(`[${mark}]`);
  expect(stdout).toContain('Quarantined: 1 case, 1 failed, which does not fail the run');

  const { results, summary } = readLog(log);
  const quarantined = { reason: 'flips at night', until: day(3), owner: 'maria' };
  expect(results.map((result) => result.quarantined)).toEqual([undefined, quarantined, undefined]);
  expect(summary).toMatchObject({ failed: 1, exit_code: 0, quarantined: { cases: 1, failed: 1 } });

  const text = (file: string): string => readFileSync(join(cwd, file), 'utf8');
  expect(JSON.parse(text('report.json'))).toMatchObject({
    summary: { quarantined: { cases: 1, failed: 1 } },
    results: [{ id: 'a' }, { id: 'b', status: 'failed', quarantined }, { id: 'c' }],
  });
  expect(text('report.md')).toContain(`Q${mark.slice(1)}.`);
  const junit = text('report.xml');
  expect(junitProblems(junit)).toEqual([]);
  expect(junit).toContain(`<system-out>${mark}</system-out>`);
  expect(junit).toContain(
    '<property name="quarantined" value="1 case, 1 failed, which does not fail the run"/>',
  );
  expect(junit).not.toContain('<skipped');

  const again = await assay(['test', '--failed', 'log.jsonl', '--dry-run'], { cwd });
  expect(again.stdout).toContain('1 case');
});

test('other failures, errors, expired entries and --no-quarantine fail the run as ever', async () => {
  const other = shop(entry('b'), { bad: 'b c' });
  const expired = shop(entry('b', day(-1)));
  const unclear = shop(entry('unclear'), { ids: ['a', 'unclear'] });
  const off = shop(entry('b'));
  expect([
    (await other.run()).exitCode,
    (await expired.run()).exitCode,
    (await unclear.run()).exitCode,
    (await off.run('--no-quarantine')).exitCode,
    (await off.run('--quarantine', 'quarantine.yml')).exitCode,
  ]).toEqual([1, 1, 3, 1, 0]);
});

test('an entry that ended yesterday and one for a case that is gone are told', async () => {
  const { run } = shop(entry('b', day(-1)) + entry('bb'));
  const { stderr } = await run();
  expect(stderr).toBe(
    `quarantine.yml:1: the quarantine of "cases.jsonl › b" ended on ${day(-1)}, so that its failures count again\n` +
      'quarantine.yml:4: there is no case "cases.jsonl › bb"; did you mean "cases.jsonl › b"?\n',
  );
});

test('a case in quarantine that is proven worse than its history fails the run', async () => {
  const { cwd, run, log } = shop(entry('b'), { bad: '-' });
  expect((await run('--runs', '20')).exitCode).toBe(0);
  writeFileSync(join(cwd, 'bad.txt'), 'b');
  const once = await run();
  expect({ exitCode: once.exitCode, quarantined: readLog(log).summary?.quarantined }).toEqual({
    exitCode: 0,
    quarantined: { cases: 1, failed: 1 },
  });
  const { exitCode, stdout } = await run('--runs', '3');
  expect(exitCode).toBe(1);
  expect(stdout).toContain(
    'cases.jsonl › b is worse than its history, so that its failure counts: 20/21 → 0/3 passed (p 0.002)',
  );
  expect(readLog(log).summary?.quarantined).toMatchObject({ cases: 1, failed: 0, worse: [{ id: 'b' }] });
});

test('--fail-fast does not stop at a failure in quarantine', async () => {
  const { run, log } = shop(entry('b'), { bad: 'b' });
  const { exitCode } = await run('--fail-fast');
  expect({ exitCode, statuses: readLog(log).results.map(({ status }) => status) }).toEqual({
    exitCode: 0,
    statuses: ['passed', 'failed', 'passed'],
  });
});

test('a file that is wrong or missing stops everything before the first case', async () => {
  const wrong = await shop('- case: cases.jsonl › b\n  reason: flips\n').run();
  expect(wrong.exitCode).toBe(2);
  expect(wrong.stderr).toContain('quarantine.yml:1: "cases.jsonl › b" has no expiry');
  expect(wrong.stderr).toContain(`"expires: ${day(14)}"`);
  const missing = await shop('').run('--quarantine', 'other.yml');
  expect(missing.exitCode).toBe(2);
  expect(missing.stderr).toContain('the quarantine file other.yml does not exist');
});

test('script tests can be in quarantine, too', async () => {
  const cwd = folder({
    'app.yao': '{}',
    'assistants/shop/package.yao': '{"name":"shop","connector":"x"}',
    'assistants/shop/src/stock_test.ts':
      'export function TestFlips(t: any) { t.assert.True(false); }\nexport function TestSound(t: any) { t.assert.True(true); }\n',
    'quarantine.yml': `- { case: scripts.shop.stock › TestFlips, reason: flips, expires: ${day(1)} }\n`,
  });
  const { exitCode, stdout } = await assay(['test', '-i', 'scripts.shop.stock'], { cwd });
  expect(stdout).toContain(`[quarantined: flips, until ${day(1)}]`);
  expect(exitCode).toBe(0);
});
