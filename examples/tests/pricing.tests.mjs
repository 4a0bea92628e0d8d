// Tests of the skill pricing: what its script prints is what the agent will say.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const SCRIPT = fileURLToPath(new URL('../skills/pricing/scripts/price.mjs', import.meta.url));
const run = promisify(execFile);

const CASES = [
  { args: ['1'], expected: '12' },
  { args: ['3'], expected: '36' },
  { args: ['6'], expected: '60' },
  { args: ['9'], expected: '84' },
  { args: ['7', '--member'], expected: '45' },
];

export async function runTests() {
  const result = { passed: 0, failed: 0, errors: [] };
  for (const { args, expected } of CASES) {
    const { stdout } = await run(process.execPath, [SCRIPT, ...args]);
    const actual = stdout.trim();
    if (actual === expected) result.passed += 1;
    else {
      result.failed += 1;
      result.errors.push(`price ${args.join(' ')}: ${actual} instead of ${expected}`);
    }
  }
  return result;
}
