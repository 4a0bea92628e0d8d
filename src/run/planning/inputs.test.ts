import { expect, test } from 'vitest';
import type { TestFlags } from '../request.ts';
import { openRunApplication } from './application.ts';
import type { RunInputs } from './inputs.ts';
import { readInputs } from './inputs.ts';
import type { Focus } from './request.ts';
import { NOTHING_SET, tempApplication } from '../temp-application.fixture.ts';
import type { TempApplication } from '../temp-application.fixture.ts';

async function read(
  { root, io }: TempApplication,
  flags: TestFlags,
  focus: Focus = {},
): Promise<RunInputs & { mask(text: string): string }> {
  const request = { flags, cwd: root, only: undefined, earlierInputs: [], focus };
  const application = await openRunApplication(request, io);
  const inputs = await readInputs(request, application, io);
  return { ...inputs, mask: application.redactor.text };
}

test('case files and messages are tested as they were named', async () => {
  const application = tempApplication({ 'cases.jsonl': '' });
  const input = ['cases.jsonl', 'Hello there'];
  const { select, mask: _mask, ...inputs } = await read(application, { input, tag: ['fast'] });
  expect(inputs).toEqual({
    settings: { ...NOTHING_SET, inputs: input, tags: ['fast'] },
    sources: [
      { type: 'file', path: application.at('cases.jsonl') },
      { type: 'message', message: 'Hello there' },
    ],
    isOnlyMessages: false,
    defined: undefined,
    values: undefined,
  });
  const origin = { test_id: 'cases.jsonl', root: application.root };
  expect([
    select({ id: 'a', input: 'x', tags: ['fast'] }, origin),
    select({ id: 'b', input: 'x' }, origin),
  ]).toEqual([true, false]);
});

const TEST = 'export function TestOne(t) {}\n';

test('the focus limits script tests and puts some first', async () => {
  const application = tempApplication({
    'assistants/a/src/one_test.ts': TEST,
    'assistants/a/src/three_test.ts': TEST,
    'assistants/a/src/two_test.ts': TEST,
  });
  const names = async (focus: Focus): Promise<unknown[]> => {
    const { sources } = await read(application, { input: ['scripts.a.*'] }, focus);
    return sources.map((source) => ('name' in source ? source.name : undefined));
  };
  expect({
    all: await names({}),
    first: await names({ first: new Set(['scripts.a.two']) }),
    only: await names({ only: new Set(['scripts.a.one']) }),
  }).toEqual({
    all: ['scripts.a.one', 'scripts.a.three', 'scripts.a.two'],
    first: ['scripts.a.two', 'scripts.a.one', 'scripts.a.three'],
    only: ['scripts.a.one'],
  });
});

test('a definition brings its inputs, its settings and its variables, and secrets are masked', async () => {
  const application = tempApplication({
    'app.yao': '',
    'tests/bot.type.json': JSON.stringify({
      id: 'bot',
      name: 'Bot',
      kind: 'agent-eval',
      variablesSchema: {
        schemaVersion: '1.0',
        variables: [
          {
            name: 'ApiKey',
            displayName: 'Key',
            dataType: 'string',
            valueSource: 'freeform',
            required: false,
          },
        ],
      },
    }),
    'tests/greet.test.json': JSON.stringify({
      id: 'greet',
      name: 'Greet',
      type: 'bot',
      agent: './agent.mjs',
      cases: [{ id: 'a', input: 'hi' }],
      options: { runs: 4 },
    }),
  });
  const flags = { selection: { tests: ['greet'] }, var: ['ApiKey=top-secret-1234'] };
  const { settings, sources, defined, mask } = await read(application, flags);
  expect({ runs: settings.runs, sources, flags: defined?.flags, masked: mask('top-secret-1234') }).toEqual({
    runs: 4,
    sources: [
      {
        type: 'cases',
        path: application.at('tests/greet.test.json'),
        cases: [{ id: 'a', input: 'hi' }],
        lines: [1],
        test: { id: 'greet', test_id: 'greet', agent: application.at('tests/agent.mjs') },
        variables: {
          resolved: { values: { ApiKey: 'top-secret-1234' }, sources: { ApiKey: 'run' } },
          dates: [],
          isStrict: true,
          withoutValue: [],
          hidden: [],
        },
      },
    ],
    flags: {
      tests: ['greet'],
      given: { values: { ApiKey: { text: 'top-secret-1234' } }, matrix: {} },
      untyped: ['after_all', 'before_all', 'fail_fast', 'gates', 'name', 'parallel', 'runs', 'timeout_ms'],
    },
    masked: '***',
  });
});

test('-c and --var AIConfiguration cannot both choose the connector', async () => {
  const flags = { input: ['hi'], connector: 'a', var: ['AIConfiguration=b'] };
  await expect(read(tempApplication(), flags)).rejects.toThrow(
    '-c and --var AIConfiguration both choose the connector',
  );
});
