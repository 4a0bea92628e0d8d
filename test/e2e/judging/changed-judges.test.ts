import { expect, test } from 'vitest';
import { assay, folder } from '../support/assay.ts';

test('a run whose judge the agent has replaced is not green', async () => {
  const cwd = folder({
    'app.yao': '{}',
    'agent.mjs': `import { writeFileSync } from 'node:fs';
      writeFileSync('scripts/check.ts', 'function Right() { return true; }');
      export default () => 'wrong';`,
    'scripts/check.ts': "function Right(output) { return output === 'right'; }",
    'cases.jsonl': [{ id: 'a', input: 'x', assert: { type: 'script', script: 'scripts.check.Right' } }],
  });
  const { exitCode, stderr } = await assay(['test', '-i', 'cases.jsonl', '-n', 'agent.mjs'], { cwd });
  expect({ isGreen: exitCode === 0, stderr }).toEqual({
    isGreen: false,
    stderr: 'changed while the run was on, so that its judgements cannot be trusted: scripts/check.ts\n',
  });
});
