// The end of a run lists what did not pass, if it may have left the screen.

import { expect, test } from 'vitest';
import { assay, folder } from '../support/assay.ts';

const AGENT = 'export default (messages) => messages.at(-1).content;\n';

function cases(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `c${String(index)}`,
    input: `text ${String(index)}`,
    assert: { type: 'contains', value: index % 10 === 3 ? 'missing' : 'text' },
  }));
}

const files = (count: number): Record<string, unknown> => ({
  'agent.mjs': AGENT,
  'cases.jsonl': cases(count),
});

test('a small run does not repeat its failures', async () => {
  const { stdout } = await assay(['test', 'cases.jsonl', 'agent.mjs'], { cwd: folder(files(5)) });
  expect(stdout).toContain('✗ c3 ');
  expect(stdout).not.toContain('Did not pass:');
  expect(stdout).toMatch(/\n {2}Run again what failed: assay test --failed output-\d+\.jsonl\n$/);
});

test('a longer run lists them by cause', async () => {
  const { stdout, exitCode } = await assay(['test', 'cases.jsonl', 'agent.mjs'], { cwd: folder(files(60)) });
  expect(exitCode).toBe(1);
  const list = stdout.slice(stdout.indexOf('Did not pass:'), stdout.indexOf('\n\n═'));
  expect(list).toBe(
    'Did not pass:\n✗ contains: the answer does not contain "missing"\n  └─ 6 cases: c3, c13, c23 and 3 more',
  );
});

test('--quiet shows only what did not pass and the summary', async () => {
  const cwd = folder(files(5));
  const { stdout, exitCode } = await assay(['test', 'cases.jsonl', 'agent.mjs', '-q'], { cwd });
  expect(exitCode).toBe(1);
  expect(
    stdout
      .replace(/\d+ms/, '1ms')
      .replace(/output-\d+/g, 'log')
      .split('\n'),
  ).toEqual([
    'Did not pass:',
    '✗ contains: the answer does not contain "missing"',
    '  └─ c3',
    '',
    '═'.repeat(79),
    '  Summary: 4 passed, 1 failed, 0 skipped (1ms)',
    expect.stringMatching(/^ {2}Pass rate: /),
    '═'.repeat(79),
    '  Log: log.jsonl',
    '  Run again what failed: assay test --failed log.jsonl',
    '',
  ]);
  const green = await assay(['test', 'cases.jsonl', 'agent.mjs', '--run', 'c1'], {
    cwd,
    env: { ASSAY_QUIET: '1' },
  });
  expect(green.stdout.split('\n').slice(0, 2)).toEqual([
    '═'.repeat(79),
    expect.stringMatching(/Summary: 1 passed/),
  ]);
});

test('--quiet and --verbose contradict each other', async () => {
  const cwd = folder(files(1));
  const run = (...args: string[]) =>
    assay(['test', 'cases.jsonl', 'agent.mjs', ...args], { cwd, env: { ASSAY_QUIET: '1' } });
  expect(await run('-q', '-v')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^--quiet: quiet and verbose contradict/),
  });
  expect((await run('-v')).stdout).toContain('✓ c0');
});
