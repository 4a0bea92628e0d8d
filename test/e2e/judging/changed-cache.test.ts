// An agent that changes compiled code in the cache affects neither this run nor later ones.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, folder, readLog, write } from '../support/assay.ts';

const RUN = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'];
/** With `files`, `read`, `sha` and `write` for the compiled judge. */
const START = `
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, utimesSync, statSync, writeFileSync } from 'node:fs';
const folder = '.assay/cache/';
const sha = (text) => createHash('sha256').update(text).digest('hex');
const bundle = readdirSync(folder).find((name) => name.startsWith('check-') && name.endsWith('.mjs'));
const code = readFileSync(folder + bundle, 'utf8');
const wrong = code.replace('output === "right"', 'output !== "right"');
`;
const END = "export default () => 'wrong';";
const CHANGES: Record<string, string> = {
  'writes another judge of the same size': 'writeFileSync(folder + bundle, wrong);',
  'writes another judge and sets its time back': `const { atime, mtime } = statSync(folder + bundle);
    writeFileSync(folder + bundle, wrong); utimesSync(folder + bundle, atime, mtime);`,
  'writes another judge and its hash': `writeFileSync(folder + bundle, wrong);
    for (const name of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
      const text = readFileSync(folder + name, 'utf8');
      writeFileSync(folder + name, text.replaceAll(sha(code), sha(wrong)));
    }`,
  'adds another judge and names it in the manifest': `writeFileSync(folder + 'check-other.mjs', wrong);
    for (const name of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
      const text = readFileSync(folder + name, 'utf8');
      writeFileSync(folder + name, text.replaceAll(sha(code), sha(wrong)).replaceAll(bundle, 'check-other.mjs'));
    }`,
  'removes the judge and the manifest': `rmSync(folder + bundle);
    for (const name of readdirSync(folder).filter((name) => name.endsWith('.json'))) rmSync(folder + name);`,
};

test.each(Object.entries(CHANGES))(
  'an agent that %s fails, and so does the next one',
  async (_name, change) => {
    const cwd = folder({
      'app.yao': '{}',
      'agent.mjs': `${START}\n${change}\n${END}`,
      'scripts/check.ts': "function Right(output) { return output === 'right'; }",
      'cases.jsonl': [{ id: 'a', input: 'x', assert: { type: 'script', script: 'scripts.check.Right' } }],
    });
    const changed = await assay(RUN, { cwd });
    const [result] = readLog(join(cwd, 'log.jsonl')).results;
    write(join(cwd, 'agent.mjs'), END);
    const later = await assay(RUN, { cwd });
    expect({ status: result?.status, codes: [changed.exitCode, later.exitCode] }).toEqual({
      status: 'failed',
      codes: [1, 1],
    });
  },
);

test('a judge that was changed in the cache after it was loaded makes a passed run exit 3', async () => {
  const cwd = folder({
    'app.yao': '{}',
    'agent.mjs': `${START}
      export default ([{ content }]) => {
        if (content === 'last') writeFileSync(folder + bundle, wrong);
        return 'right';
      };`,
    'scripts/check.ts': "function Right(output) { return output === 'right'; }",
    'cases.jsonl': ['first', 'last'].map((id) => ({
      id,
      input: id,
      assert: { type: 'script', script: 'scripts.check.Right' },
    })),
  });
  const { exitCode, stderr } = await assay([...RUN, '--parallel', '1'], { cwd });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 3,
    stderr:
      'changed in the cache of compiled code while the run was on, so that its results cannot be trusted: scripts/check.ts\n',
  });
  expect(readdirSync(join(cwd, '.assay/cache')).filter((name) => name.startsWith('check-'))).toEqual([]);
  write(join(cwd, 'agent.mjs'), "export default () => 'right';");
  expect((await assay(RUN, { cwd })).exitCode).toBe(0);
});

test('two runs that compile the same judge at the same time do not take it for changed', async () => {
  const files = {
    'app.yao': '{}',
    'agent.mjs': "export default () => 'right';",
    'scripts/check.ts': "function Right(output) { return output === 'right'; }",
    'cases.jsonl': [{ id: 'a', input: 'x', assert: { type: 'script', script: 'scripts.check.Right' } }],
  };
  const cwd = folder(files);
  const runs = [1, 2, 3, 4].map((number) => assay([...RUN.slice(0, -1), `${String(number)}.jsonl`], { cwd }));
  const ends = await Promise.all(runs);
  expect(ends.map(({ exitCode, stderr }) => `${String(exitCode)} ${stderr}`)).toEqual(Array(4).fill('0 '));
});
