import { expect, test } from 'vitest';
import type { TestFlags } from '../request.ts';
import { openRunApplication } from './application.ts';
import { readInputs } from './inputs.ts';
import type { PreparedRun } from './prepared.ts';
import { prepareInputs } from './prepared.ts';
import type { TempApplication } from '../temp-application.fixture.ts';
import { tempApplication } from '../temp-application.fixture.ts';

async function prepare({ root, io }: TempApplication, flags: TestFlags): Promise<PreparedRun> {
  const request = { flags, cwd: root, earlierInputs: [], focus: {} };
  const application = await openRunApplication(request, io);
  return prepareInputs(request, application, await readInputs(request, application, io));
}

const FILES = {
  'assay.config.json': '{}',
  'agent.mjs': 'export default () => "hi";\n',
  'cases.jsonl': '{"id":"a","input":"x"}\n{"id":"b","input":"y"}\n',
  'src/hooks.ts': 'export function Before() {}\n',
};

test('everything the run touches is known', async () => {
  const application = tempApplication(FILES);
  const { root, at } = application;
  const flags = { input: ['cases.jsonl'], name: './agent.mjs', runs: '3', run: '^a$', record: 'tapes' };
  const { cases, ...prepared } = await prepare(application, { ...flags, beforeAll: 'hooks.Before' });
  const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
  const agent_id = prepared.targets[0]?.subject.id ?? '';
  expect(prepared).toEqual({
    targets: [
      {
        test_id: 'cases.jsonl',
        root,
        base: root,
        subject: { kind: 'agent-eval', id: agent_id, run: { type: 'module', file: at('agent.mjs') } },
        timeout_ms: 300_000,
      },
    ],
    inputs: [{ type: 'file', path: 'cases.jsonl', sha256, agent_id, agent_sha256: sha256 }],
    context: {},
    total: 1,
    attempts: 3,
    secrets: [],
    judges: [],
    files: [at('cases.jsonl'), at('agent.mjs'), at('src/hooks.ts'), at('assay.config.json')],
    agentFiles: new Map([[agent_id, [at('agent.mjs')]]]),
    caseFiles: [at('cases.jsonl')],
    reach: new Map(),
    folders: [],
    notes: [],
    tapes: { mode: 'record', folder: at('tapes'), rules: {} },
  });
  const ids: string[] = [];
  for await (const batch of cases()) ids.push(...batch.map((loaded) => loaded.case.id));
  expect(ids).toEqual(['a', 'b']);
});

test('a hook that is not there is found out before anything runs', async () => {
  const flags = { input: ['cases.jsonl'], name: './agent.mjs', afterAll: 'hooks.After' };
  await expect(prepare(tempApplication(FILES), flags)).rejects.toMatchObject({
    problems: [{ at: '--after-all' }],
  });
});
