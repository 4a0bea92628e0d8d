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

const PACKAGES: Record<string, string> = {
  'the package of its judge':
    "writeFileSync('node_modules/near/index.js', 'export const isRight = () => true;');",
  'a package that it depends on':
    "writeFileSync('node_modules/far/lib/index.js', 'exports.right = \"wrong\";');",
  'a package that takes the place of another': `mkdirSync('node_modules/near/node_modules/far/lib', { recursive: true });
    writeFileSync('node_modules/near/node_modules/far/lib/index.js', 'exports.right = "wrong";');
    writeFileSync('node_modules/near/node_modules/far/package.json', '{"main":"lib/index.js"}');`,
};

test.each(Object.entries(PACKAGES))(
  'a run whose agent has changed %s is not green',
  async (_name, change) => {
    const cwd = folder({
      'app.yao': '{}',
      'agent.mjs': `import { mkdirSync, writeFileSync } from 'node:fs';
      ${change}
      export default () => 'wrong';`,
      'node_modules/near/package.json': {
        name: 'near',
        type: 'module',
        main: 'index.js',
        dependencies: { far: '1' },
      },
      'node_modules/near/index.js':
        "import far from 'far'; export const isRight = (output) => output === far.right;",
      'node_modules/far/package.json': { name: 'far', main: 'lib/index.js' },
      'node_modules/far/lib/index.js': 'exports.right = "right";',
      'scripts/check.ts':
        "import { isRight } from 'near'; function Right(output) { return isRight(output); }",
      'cases.jsonl': [{ id: 'a', input: 'x', assert: { type: 'script', script: 'scripts.check.Right' } }],
    });
    const { exitCode, stderr } = await assay(['test', '-i', 'cases.jsonl', '-n', 'agent.mjs'], { cwd });
    expect({ isGreen: exitCode === 0, stderr }).toEqual({
      isGreen: false,
      stderr: expect.stringMatching(
        /^changed while the run was on, so that its judgements cannot be trusted: node_modules\/(near|far\/lib\/index\.js|near\/index\.js)\n$/,
      ),
    });
  },
);
