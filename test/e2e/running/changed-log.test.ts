import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, folder } from '../support/assay.ts';

test('no report is made from a log that the agent has changed', async () => {
  const cwd = folder({
    'agent.mjs': `import { readFileSync, writeFileSync } from 'node:fs';
      export default (messages) => {
        const log = readFileSync('log.jsonl', 'utf8');
        writeFileSync('log.jsonl', log.replaceAll('"status":"failed"', '"status":"passed"'), { flag: 'r+' });
        return messages.at(-1).content;
      };`,
    'cases.jsonl': [
      { id: 'a', input: 'x', expected: 'y' },
      { id: 'b', input: 'x', expected: 'x' },
    ],
  });
  const run = ['test', '-i', 'cases.jsonl', '-n', 'agent.mjs', '-o', 'log.jsonl', '-o', 'report.json'];
  const { exitCode, stderr } = await assay(run, { cwd });
  expect({ exitCode, stderr, hasReport: existsSync(join(cwd, 'report.json')) }).toEqual({
    exitCode: 1,
    stderr:
      'the run log log.jsonl was changed by another program while the run was on; reports and the history are not made from it\n',
    hasReport: false,
  });
});
