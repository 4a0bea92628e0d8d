// Judges, simulated users, scripts and hooks may block or kill the worker, too: that is never the fault of the agent under test.

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assay, endsIn, folder } from '../support/assay.ts';

/** Blocks or kills its process, as it is asked to. */
const HELPER = `
function trouble(how: string) {
  if (how.includes('loop')) for (;;);
  if (how.includes('kill')) process.kill(process.pid, 'SIGKILL');
  for (;;);
}
`;

const FILES = {
  'agent.mjs': "export default (messages) => 'turn ' + messages.length;",
  'assistants/helper/package.yao': {},
  'assistants/helper/src/index.ts': `${HELPER}
    function Next(ctx: any, payload: any) { trouble(JSON.stringify(payload.messages)); }`,
  'scripts/check.ts': `${HELPER}
    function Loop() { trouble('loop'); }
    function Kill() { trouble('kill'); }`,
};

const RUN = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl', '--retries', '0'];

test('a judge, simulator or hook that blocks or kills the worker is an error, not a failure of the agent', async () => {
  const simulated = (id: string): object => ({
    id,
    input: 'hello',
    simulator: { use: 'agents:helper', options: { metadata: { goal: id } } },
    checkpoints: [{ id: 'never', assert: { type: 'contains', value: 'never' } }],
  });
  const judged = (id: string): object => ({
    id,
    input: 'hello',
    assert: { type: 'agent', use: 'agents:helper', value: id },
  });
  const scripted = (id: string, name: string): object => ({
    id,
    input: 'hello',
    assert: { type: 'script', script: `scripts.check.${name}` },
  });
  const prepared = (id: string, name: string): object => ({
    id,
    input: 'hello',
    before: `scripts.check.${name}`,
  });
  const cwd = folder({
    ...FILES,
    'cases.jsonl': [
      { id: 'fine', input: 'hello' },
      simulated('simulator loop'),
      simulated('simulator kill'),
      judged('judge loop'),
      judged('judge kill'),
      scripted('script loop', 'Loop'),
      scripted('script kill', 'Kill'),
      prepared('before loop', 'Loop'),
      prepared('before kill', 'Kill'),
      { id: 'fine as well', input: 'hello' },
    ],
  });
  const { exitCode } = await assay([...RUN, '--timeout', '700ms', '--parallel', '4'], { cwd });
  const late = '(still waiting at the timeout after 700ms)';
  expect({ exitCode, ends: endsIn(join(cwd, 'log.jsonl')) }).toEqual({
    exitCode: 3,
    ends: {
      fine: 'passed',
      'simulator loop': `error | harness | the simulator agents:helper has not answered ${late}`,
      'simulator kill':
        'error | harness | the simulator agents:helper has not answered: its process was killed by SIGKILL',
      'judge loop': `error | judge | the judge helper has not answered ${late}`,
      'judge kill': 'error | judge | the judge helper has not answered: its process was killed by SIGKILL',
      'script loop': `error | judge | scripts.check.Loop has not answered ${late}`,
      'script kill': 'error | judge | scripts.check.Kill has not answered: its process was killed by SIGKILL',
      'before loop': `error | harness | before scripts.check.Loop has not ended ${late}`,
      'before kill':
        'error | harness | before scripts.check.Kill has not ended: its process was killed by SIGKILL',
      'fine as well': 'passed',
    },
  });
});

describe('a judge, a simulator or a hook that ends or blocks its process', () => {
  const judged = (body: string, more = {}): Record<string, unknown> => ({
    'agent.mjs': 'export default (messages) => messages.at(-1).content;',
    'app.yao': '{}',
    'assistants/helper/package.yao': { run: { module: './helper.ts' } },
    'assistants/helper/helper.ts': `export default () => { ${body} };`,
    'cases.jsonl': [{ id: 'a', input: 'x', ...more }],
  });
  const assert = { type: 'agent', use: 'agents:helper', value: 'is right' };
  const simulated = {
    simulator: { use: 'agents:helper' },
    checkpoints: [{ id: 'k', assert: { type: 'contains', value: 'never' } }],
  };

  test.each([
    [
      'a judge that exits',
      judged('process.exit(0)', { assert }),
      'error | judge | the judge failed: it called process.exit(0)',
    ],
    [
      'a judge that throws later',
      judged('setTimeout(() => { throw new Error("late"); }); return new Promise(() => {})', { assert }),
      'error | judge | the judge failed: late',
    ],
    [
      'a judge that never answers',
      judged('return new Promise(() => {})', { assert, timeout: '500ms' }),
      'error | judge | the judge helper has not answered (still waiting at the timeout after 500ms)',
    ],
    [
      'a simulator that exits',
      judged('process.exit(0)', simulated),
      'error | harness | the simulator agents:helper failed: it called process.exit(0)',
    ],
    [
      'a hook that never ends',
      {
        ...judged('', { before: 'scripts.b.Before', timeout: '500ms' }),
        'scripts/b.ts': 'function Before() { return new Promise(() => {}); }',
      },
      'error | harness | before scripts.b.Before has not ended (still waiting at the timeout after 500ms)',
    ],
  ])('%s is an error, not a failure', async (_, files, end) => {
    const cwd = folder(files);
    const { exitCode } = await assay(RUN, { cwd });
    expect([exitCode, endsIn(join(cwd, 'log.jsonl'))['a']]).toEqual([3, expect.stringContaining(end)]);
  });
});
