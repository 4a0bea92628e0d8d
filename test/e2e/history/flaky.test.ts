// Flaky and changed cases, from the history.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, folder } from '../support/assay.ts';

/** Answers by the number of the run, which the test writes to a file. */
const AGENT = `
import { readFileSync } from 'node:fs';
export default (messages) => {
  const n = Number(readFileSync('n.txt', 'utf8'));
  const answers = { steady: 'yes', flips: n % 3 === 0 ? 'no' : 'yes', broke: n < 6 ? 'yes' : 'no', once: n === 4 ? 'no' : 'yes' };
  return answers[messages[0].content];
};`;

/** Twelve runs of four cases, two of which are worth a look. */
async function moody(): Promise<string> {
  const ids = ['steady', 'flips', 'broke', 'once'];
  const cwd = folder({
    'app.yao': '{}',
    'agent.mjs': AGENT,
    'cases.jsonl': ids.map((id) => ({ id, input: id, expected: 'yes' })),
  });
  for (let n = 0; n < 12; n += 1) {
    writeFileSync(join(cwd, 'n.txt'), String(n));
    await assay(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'], { cwd });
  }
  return cwd;
}

test('proposes entries for the quarantine, and adds them if asked to', async () => {
  const cwd = await moody();
  const file = join(cwd, 'quarantine.yml');
  const day = (from: number): string => new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10);
  const entry =
    '- case: cases.jsonl › flips\n' +
    '  reason: "flaky: 8 of 12 runs passed, two runs disagree in 42 of 100"\n' +
    `  added: ${day(0)}\n  expires: ${day(14)}\n`;
  const proposed = await assay(['flaky', '--propose'], { cwd });
  expect({ stdout: proposed.stdout, isWritten: existsSync(file) }).toEqual({
    stdout: entry,
    isWritten: false,
  });

  writeFileSync(file, '# by hand\n');
  const written = await assay(['flaky', '--write'], { cwd });
  expect(written.stdout).toBe(
    'Added to quarantine.yml; write who repairs them and why they flip:\n' +
      `  cases.jsonl › flips, until ${day(14)}\n`,
  );
  expect(readFileSync(file, 'utf8')).toBe(`# by hand\n${entry}`);

  const again = await assay(['flaky', '--write'], { cwd });
  expect(again.stdout).toBe('Nothing to add to quarantine.yml.\n');
  const { stdout } = await assay(['flaky', 'cases.jsonl'], { cwd });
  expect(stdout).toContain(`two runs disagree in 42 of 100  in quarantine until ${day(14)}\n`);
  const json = await assay(['flaky', '--json'], { cwd });
  expect(JSON.parse(json.stdout)).toMatchObject({
    cases: [{ case_id: 'broke' }, { case_id: 'flips', quarantined: { until: day(14), expired: false } }],
    proposal: { entries: [], most: 1, left_out: 0 },
  });
  const wrong = await assay(['flaky', 'case.jsonl'], { cwd });
  expect([wrong.exitCode, wrong.stdout, wrong.stderr]).toEqual([
    2,
    '',
    expect.stringMatching(
      /^no run in .* has a test "case\.jsonl"\n {2}hint: did you mean "cases\.jsonl"\?\n$/,
    ),
  ]);

  // In quarantine the flip does not fail the run any more; the case that broke does.
  writeFileSync(join(cwd, 'n.txt'), '3');
  const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'];
  expect((await assay([...args, '--run', 'flips'], { cwd })).exitCode).toBe(0);
  expect((await assay([...args, '--run', 'flips', '--no-quarantine'], { cwd })).exitCode).toBe(1);
});

test('tells cases that flip from one that changed, and starts again with another version', async () => {
  const ids = ['steady', 'flips', 'broke', 'once'];
  const cwd = folder({
    'app.yao': '{}',
    'agent.mjs': AGENT,
    'cases.jsonl': ids.map((id) => ({ id, input: id, expected: 'yes' })),
  });
  const flaky = async (): Promise<unknown[]> => {
    const { stdout } = await assay(['flaky', '--json'], { cwd });
    const { cases } = JSON.parse(stdout) as { cases: Record<string, unknown>[] };
    return cases.map((one) => [one['case_id'], one['kind'], one['passed'], one['runs'], one['passes_now']]);
  };
  expect(await flaky()).toEqual([]);
  for (let n = 0; n < 12; n += 1) {
    writeFileSync(join(cwd, 'n.txt'), String(n));
    await assay(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'], { cwd });
  }
  expect(await flaky()).toEqual([
    ['broke', 'changed', 6, 12, false],
    ['flips', 'flaky', 8, 12, true],
  ]);
  const { stdout } = await assay(['flaky'], { cwd });
  expect(stdout).toBe(
    'A flaky case flips between runs with the same content, agent and judges; a changed case flipped once and stayed so.\n\n' +
      '  changed  cases.jsonl › broke  6/12 passed  flipped once, fails since\n' +
      '  flaky    cases.jsonl › flips  8/12 passed  two runs disagree in 42 of 100\n' +
      '\nassay flaky --propose prints an entry for the quarantine, --write adds it.\n',
  );
  writeFileSync(join(cwd, 'agent.mjs'), `${AGENT} // another version`);
  await assay(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'], { cwd });
  expect(await flaky()).toEqual([]);
});
