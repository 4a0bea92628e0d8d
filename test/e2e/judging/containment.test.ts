// Judges, simulated users, scripts and hooks may block or kill the worker, too: that is never the fault of the agent under test.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, endsIn, folder, readLog } from '../support/assay.ts';

/** Blocks or kills its process, as it is asked to. */
const HELPER = `
function trouble(how: string) {
  if (how.includes('loop')) for (;;);
  if (how.includes('kill')) process.kill(process.pid, 'SIGKILL');
  for (;;);
}
`;

const FILES = {
  'agent.mjs': `
    export default (messages) => {
      if (messages.at(-1).content === 'block') for (;;);
      return 'turn ' + messages.length;
    };`,
  'assistants/helper/package.yao': {},
  'assistants/helper/src/index.ts': `${HELPER}
    function Next(ctx: any, payload: any) { trouble(JSON.stringify(payload.messages)); }`,
  'scripts/check.ts': `${HELPER}
    function Loop() { trouble('loop'); }
    function Kill() { trouble('kill'); }`,
};

const RUN = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl', '--retries', '0'];

test('who judges, simulates or prepares is to blame for what it does to the worker', async () => {
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

test('what was said before a turn blocked the worker is kept', async () => {
  const turns = [{ input: 'hello' }, { input: 'block' }];
  const cwd = folder({ ...FILES, 'cases.jsonl': [{ id: 'talk', turns }] });
  const { exitCode } = await assay([...RUN, '--timeout', '500ms'], { cwd });
  const [result] = readLog(join(cwd, 'log.jsonl')).results;
  const { status, error, messages, output, turns: count } = result ?? {};
  expect({ exitCode, status, error, messages, output, count }).toEqual({
    exitCode: 1,
    status: 'timeout',
    error: 'timeout after 500ms',
    messages: [
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: 'turn 1' },
      { role: 'user', content: 'block' },
    ],
    output: 'turn 1',
    count: 2,
  });
});

test('cases between others that block or kill the worker all run, in their order', async () => {
  const agent = `
    export default (messages) => {
      const [what] = messages[0].content.split(' ');
      if (what === 'loop') for (;;);
      if (what === 'kill') { process.kill(process.pid, 'SIGKILL'); for (;;); }
      return what;
    };`;
  const ids = ['a', 'b', 'loop 1', 'kill 1', 'c', 'd', 'loop 2', 'kill 2', 'e', 'f', 'kill 3'];
  const cases = ids.map((id) => ({ id, input: id }));
  const cwd = folder({ 'agent.mjs': agent, 'cases.jsonl': cases });
  const { exitCode } = await assay([...RUN, '--timeout', '400ms'], { cwd });
  const { results } = readLog(join(cwd, 'log.jsonl'));
  const fine = results.filter(({ status }) => status === 'passed').map(({ id }) => id);
  const others = results
    .filter(({ status }) => status !== 'passed')
    .map(({ id, status }) => `${id} ${status}`);
  expect({ exitCode, fine, others: others.toSorted() }).toEqual({
    exitCode: 1,
    fine: ['a', 'b', 'c', 'd', 'e', 'f'],
    others: ['kill 1 error', 'kill 2 error', 'kill 3 error', 'loop 1 timeout', 'loop 2 timeout'],
  });
});
