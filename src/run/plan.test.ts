import { expect, test } from 'vitest';
import { LOG_VERSION } from '../model/event.ts';
import { planRun } from './plan.ts';
import { openingEvent } from './start-event.ts';
import type { TempApplication } from './temp-application.fixture.ts';
import { tempApplication } from './temp-application.fixture.ts';
import type { TestFlags } from './request.ts';

const CASES = '{"id":"a","input":"x"}\n{"id":"b","input":"y"}\n';
const FILES = { 'agent.mjs': 'export default () => "hi";\n', 'cases.jsonl': CASES };
const FLAGS = { input: ['cases.jsonl'], name: './agent.mjs', runs: '2', user: 'me' };

async function opening({ io }: TempApplication, flags: TestFlags): Promise<unknown> {
  const plan = await planRun(flags, io);
  if (plan === undefined) return undefined;
  return openingEvent(plan, { runId: 'run-1', origin: { node: 'v20' }, version: '1.2.3' });
}

const TIME = expect.stringMatching(/^\d{4}-.*Z$/) as string;
const SHA256 = expect.stringMatching(/^[0-9a-f]{64}$/) as string;

test('a plan says everything that the first event of the log holds', async () => {
  const application = tempApplication(FILES);
  expect(await opening(application, FLAGS)).toEqual({
    type: 'start',
    timestamp: TIME,
    agent_id: 'agent.mjs',
    total_cases: 2,
    run_id: 'run-1',
    log_version: LOG_VERSION,
    runs_per_case: 2,
    environment: { user_id: 'me', team_id: 'test-team', locale: 'en-us' },
    inputs: [
      { type: 'file', path: 'cases.jsonl', sha256: SHA256, agent_id: 'agent.mjs', agent_sha256: SHA256 },
    ],
    flags: {
      name: './agent.mjs',
      user: 'me',
      runs: 2,
      tags: [],
      retries: 2,
      fail_fast: false,
      isolate: false,
      allow_empty: false,
      require_tests: false,
    },
    cwd: application.root,
    version: '1.2.3',
    origin: { node: 'v20' },
  });
});

test('a resumed run is the same run: changed cases are refused, unless --force', async () => {
  const application = tempApplication(FILES);
  const { write } = application;
  write('log.jsonl', `${JSON.stringify(await opening(application, FLAGS))}\n`);
  const resumed = { type: 'resume', run_id: 'run-1', timestamp: TIME };
  expect(await opening(application, { resume: 'log.jsonl' })).toEqual(resumed);

  write('cases.jsonl', CASES.replace('x', 'changed'));
  await expect(opening(application, { resume: 'log.jsonl' })).rejects.toMatchObject({
    problems: [{ message: 'the case file has changed since the run began', at: 'cases.jsonl' }],
  });
  expect(await opening(application, { resume: 'log.jsonl', force: true })).toEqual(resumed);
});
