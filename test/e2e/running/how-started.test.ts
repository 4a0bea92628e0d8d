// Commands in messages can be typed the way the program was started.

import { expect, test } from 'vitest';
import { assay, folder } from '../support/assay.ts';

const NPX = { npm_config_user_agent: 'npm/11.1.0 node/v22.0.0 linux x64' };

test('prints commands with npx if npx started it', async () => {
  const cwd = folder({ 'greeting.test.yml': 'id: greeting\n' });
  const args = ['test', '-i', 'greeting.test.yml'];

  const typed = await assay(args, { cwd });
  const viaNpx = await assay(args, { cwd, env: NPX });

  const message = '"greeting.test.yml" defines a test, it is not a case file\n  hint: run it: ';
  expect(typed.stderr).toBe(`${message}assay run greeting\n`);
  expect(viaNpx.stderr).toBe(`${message}npx assay run greeting\n`);
});

test('writes the examples of --help the same way', async () => {
  const { stdout } = await assay(['plan', '--help'], { env: NPX });
  expect(stdout).toContain('Usage: npx assay plan ');
  expect(stdout).toContain('\n  npx assay plan test -i cases.jsonl --runs 3 ');
  expect(stdout).not.toMatch(/(?<!npx )assay [a-z]/);
});
