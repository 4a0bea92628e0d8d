// Flaky and changed cases, from the history.

import { writeFileSync } from 'node:fs';
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
    'changed  cases.jsonl › broke  6/12 passed, flipped once, fails since\n' +
      'flaky    cases.jsonl › flips  8/12 passed, two runs disagree in 42 of 100\n',
  );
  writeFileSync(join(cwd, 'agent.mjs'), `${AGENT} // another version`);
  await assay(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'], { cwd });
  expect(await flaky()).toEqual([]);
});
