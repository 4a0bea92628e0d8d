// Types, tests and suites as files: checked all at once, listed with their variables.

import { expect, test } from 'vitest';
import { assay, folder } from '../support/assay.ts';

const TONE = {
  id: 'tone',
  name: 'Tone',
  kind: 'agent-eval',
  variablesSchema: {
    schemaVersion: '1.0',
    variables: [
      {
        name: 'Language',
        displayName: 'Language',
        dataType: 'string',
        valueSource: 'static',
        possibleValues: [{ value: 'de' }, { value: 'en' }, { value: 'fr' }],
        required: true,
      },
      {
        name: 'Model',
        displayName: 'Model',
        dataType: 'string',
        valueSource: 'entity',
        entity: 'connectors',
        required: false,
      },
      {
        name: 'Since',
        displayName: 'Since',
        dataType: 'date',
        valueSource: 'freeform',
        defaultValue: '2026-01-01',
        required: false,
      },
    ],
  },
};
const GREETING = {
  id: 'greeting',
  name: 'Greeting',
  type: 'tone',
  agent: 'greeter',
  input: 'greeting.jsonl',
  options: { runs: 3, timeout: '30s' },
  tags: ['smoke'],
  variables: {
    variables: {
      Language: { exposed: true, defaultValue: 'de', restrictedValues: ['de', 'en'] },
      Since: { exposed: true, locked: true },
    },
  },
};

function application(files: Record<string, unknown>): string {
  return folder({
    'app.yao': '{}',
    'assistants/greeter/package.yao': { run: { module: './agent.mjs' } },
    'assistants/greeter/agent.mjs': 'export default () => "hi";\n',
    'assistants/expense/package.yao': {},
    'assistants/expense/src/setup_test.ts': 'export function TestSetup() {}\n',
    'connectors/local/a.conn.yao': '{}',
    'connectors/local/b.conn.yao': '{}',
    'tests/tone.type.json': TONE,
    'tests/greeting.jsonl': [{ id: 'a', input: 'hi' }],
    ...files,
  });
}

test('valid definitions are counted, YAML files and sub-folders included', async () => {
  const cwd = application({
    'tests/greeting.test.json': GREETING,
    'tests/deep/setup.test.yml': 'id: setup\nname: Set-up\ntype: script\nscript: scripts.expense.setup\n',
    'tests/nightly.suite.yaml':
      'id: nightly\nname: Nightly\ntests: [greet*, "tag:smoke", setup]\nvariables:\n  variables: { Language: en }\n',
  });
  expect(await assay(['validate'], { cwd })).toEqual({
    exitCode: 0,
    signal: null,
    stdout: '1 type, 2 tests, 1 suite: nothing is wrong.\n',
    stderr: '',
  });
  const { stdout } = await assay(['list', '--show-variables'], { cwd });
  expect(stdout.split('\n')).toEqual([
    'Types',
    '  agent-eval  Agent Eval, agent-eval, built-in',
    '      AIConfiguration: string; one of local.a, local.b',
    '      Temperature: number',
    '      MaxTokens: number',
    '  script      Script, script, built-in',
    '  skill       Skill, skill, built-in',
    '  tone        Tone, agent-eval, tests/tone.type.json',
    '      Language: string; one of de, en, fr; required',
    '      Model: string; one of local.a, local.b',
    '      Since: date; 2026-01-01 (from the type)',
    '',
    'Tests',
    '  setup     Set-up, script, tests/deep/setup.test.yml',
    '  greeting  Greeting, tone, #smoke, tests/greeting.test.json',
    '      Language: string; one of de, en; de (from the test); required',
    '      Model: string; one of local.a, local.b',
    '      Since: date; 2026-01-01 (from the type); locked',
    '',
    'Suites',
    '  nightly  Nightly, greeting setup, tests/nightly.suite.yaml',
    '',
  ]);
  const json = JSON.parse((await assay(['list', 'greeting', '--show-variables', '--json'], { cwd })).stdout);
  expect(json).toEqual({
    types: [],
    tests: [
      {
        id: 'greeting',
        name: 'Greeting',
        at: 'tests/greeting.test.json',
        type: 'tone',
        tags: ['smoke'],
        variables: [
          {
            name: 'Language',
            displayName: 'Language',
            dataType: 'string',
            allowed: ['de', 'en'],
            value: 'de',
            source: 'test',
            required: true,
            locked: false,
          },
          {
            name: 'Model',
            displayName: 'Model',
            dataType: 'string',
            allowed: ['local.a', 'local.b'],
            required: false,
            locked: false,
          },
          {
            name: 'Since',
            displayName: 'Since',
            dataType: 'date',
            value: '2026-01-01',
            source: 'type',
            required: false,
            locked: true,
          },
        ],
      },
    ],
    suites: [],
  });
  expect((await assay(['list', '--tag', 'smoke'], { cwd })).stdout).toBe(
    'Tests\n  greeting  Greeting, tone, #smoke, tests/greeting.test.json\n',
  );
  expect(await assay(['list', 'greting'], { cwd })).toMatchObject({
    exitCode: 2,
    stderr: 'there is no "greting"\n  hint: did you mean greeting?\n',
  });
});

test.each([
  [['--suites'], 'There are no suites. A suite is a file like tests/nightly.suite.yml.\n'],
  [['--tests'], 'There are no tests. A test is a file like tests/nightly.test.yml.\n'],
  [
    ['--tests', '--suites'],
    'There are no tests. A test is a file like tests/nightly.test.yml.\n\nThere are no suites. A suite is a file like tests/nightly.suite.yml.\n',
  ],
])('assay list %o without any says so', async (flags, stdout) => {
  const cwd = folder({ 'app.yao': '{}' });
  expect(await assay(['list', ...flags], { cwd })).toEqual({ exitCode: 0, signal: null, stdout, stderr: '' });
  const json = await assay(['list', ...flags, '--json'], { cwd });
  expect([json.exitCode, JSON.parse(json.stdout)]).toEqual([0, { types: [], tests: [], suites: [] }]);
});

test('assay list says which levels are empty, and suggests what a wrong filter may mean', async () => {
  const cwd = folder({
    'assay.config.json': { tests: 'definitions' },
    'definitions/greeting.test.json': { ...GREETING, type: 'agent-eval', variables: undefined },
  });
  const { exitCode, stdout } = await assay(['list'], { cwd });
  expect([exitCode, stdout.split('\n\n').slice(1)]).toEqual([
    0,
    [
      'Tests\n  greeting  Greeting, agent-eval, #smoke, definitions/greeting.test.json',
      'There are no suites. A suite is a file like definitions/nightly.suite.yml.\n',
    ],
  ]);
  expect((await assay(['list', '--tag', 'smoke', '--suites'], { cwd })).stdout).toBe(
    'Tests\n  greeting  Greeting, agent-eval, #smoke, definitions/greeting.test.json\n\nThere are no suites. A suite is a file like definitions/nightly.suite.yml.\n',
  );
  for (const [args, stderr] of [
    [['--tag', 'smok'], 'no test has the tag "smok"\n  hint: did you mean smoke?\n'],
    [['greting'], 'there is no "greting"\n  hint: did you mean greeting?\n'],
    [['greeting', '--suites'], '"greeting" is not among these\n  hint: it is one of the tests\n'],
    [
      ['--suits'],
      "error: unknown option '--suits'\n(Did you mean --suites?)\n(assay list --help lists its options)\n",
    ],
  ] as const)
    expect(await assay(['list', ...args], { cwd })).toEqual({
      exitCode: 2,
      signal: null,
      stdout: '',
      stderr,
    });
});

test('all problems are reported at once, with file and line', async () => {
  const cwd = application({
    'tests/broken.test.json': '{\n  "id": ,\n}',
    'tests/bad.type.json': `{
  "id": "tone",
  "name": "Twice",
  "kind": "agent",
  "variablesSchema": { "schemaVersion": "2.0", "variables": [] }
}`,
    'tests/bad.test.yml': `id: bad id
name: Bad
typ: tone
type: tone
options:
  timeout: soon
  runs: 0
`,
    'tests/wrong.test.yml': `id: wrong
name: Wrong
type: tones
input: greeting.jsonl
`,
    'tests/values.test.yml': `id: values
name: Values
type: tone
input: nowhere.jsonl
script: scripts.a
variables:
  variables:
    Language:
      exposed: true
      defaultValue: fr
      restrictedValues: [de, it]
    Langage: { exposed: true }
    Since: { exposed: true, defaultValue: 31.1.2026 }
`,
    'tests/nightly.suite.yml': `id: nightly
name: Nightly
tests: [value, values, "tag:smok"]
variables:
  variables:
    Language: 5
    Lang: de
`,
  });
  const { exitCode, stdout, stderr } = await assay(['validate'], { cwd });
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr.split('\n').filter((line) => !line.startsWith('  hint'))).toEqual([
    'tests/bad.test.yml:1: id: expected an id of letters, digits, ".", "-" and "_", got "bad id"',
    'tests/bad.test.yml:3: unknown field "typ"',
    'tests/bad.test.yml:6: options.timeout: expected a duration like 30s or 1m30s, got "soon"',
    'tests/bad.test.yml:7: options.runs: expected a whole number from 1 to 1,000,000, or "auto", got 0',
    'tests/bad.type.json:4: kind: expected "agent-eval", "script" or "skill", got "agent"',
    'tests/bad.type.json:5: variablesSchema.schemaVersion: expected "1.0", got "2.0"',
    'tests/broken.test.json:2: invalid JSON: value expected',
    'tests/values.test.yml:4: a test of kind agent-eval has "input" or "cases"; this one has "input" and "script"',
    'tests/values.test.yml:4: the case file "nowhere.jsonl" does not exist',
    'tests/values.test.yml:11: Language: it is not one of the allowed values: de, en, fr',
    'tests/values.test.yml:10: Language: fr is not one of the allowed values: de, it',
    'tests/values.test.yml:12: unknown variable Langage',
    'tests/values.test.yml:13: Since: expected a date like 2026-01-31 or 2026-01-31T12:00:00Z, got "31.1.2026"',
    'tests/wrong.test.yml:3: no type "tones"',
    'tests/nightly.suite.yml:3: no test "value"',
    'tests/nightly.suite.yml:3: no test has the tag "smok"',
    'tests/nightly.suite.yml:6: Language: expected a text, got 5',
    'tests/nightly.suite.yml:7: unknown variable Lang',
    '',
  ]);
  const json = JSON.parse((await assay(['validate', '--json'], { cwd })).stdout);
  expect(json.problems).toHaveLength(18);
});

test('ids are there once; the folder can be another one', async () => {
  const cwd = application({
    'tests/greeting.test.json': GREETING,
    'tests/z.test.json': { ...GREETING, name: 'Again' },
    'tests/skill.type.json': { id: 'skill', name: 'Own', kind: 'skill' },
    'qa/other.test.json': {
      id: 'other',
      name: 'Other',
      type: 'agent-eval',
      agent: 'greeter',
      cases: [{ id: 'a', input: 'x' }],
    },
  });
  expect(await assay(['validate'], { cwd })).toMatchObject({
    exitCode: 2,
    stderr:
      'tests/skill.type.json:1: the id "skill" is taken: built-in has it\ntests/z.test.json:1: the id "greeting" is taken: tests/greeting.test.json has it\n',
  });
  expect(await assay(['validate'], { cwd, env: { ASSAY_TESTS: 'qa' } })).toMatchObject({
    exitCode: 0,
    stdout: '0 types, 1 test, 0 suites: nothing is wrong.\n',
  });
  expect(await assay(['validate'], { cwd, env: { ASSAY_TESTS: 'nowhere' } })).toMatchObject({
    exitCode: 2,
    stderr: 'the setting "tests": there is no folder nowhere\n',
  });
});

test('validate knows everything that a run would be refused for', async () => {
  const deep = (id: string, more: unknown): unknown => ({
    id,
    name: id,
    type: 'tone',
    agent: 'greeter',
    ...(more as object),
  });
  const language = { variables: { variables: { Language: { exposed: true, defaultValue: 'de' } } } };
  const cwd = application({
    'assay.config.json': { presets: { fast: { Languag: 'de', Language: 'it' } } },
    'tests/required.test.json': deep('required', { cases: [{ id: 'a', input: '{{Language}}' }] }),
    'tests/agent.test.json': deep('agent', { ...language, agent: 'greter', input: 'greeting.jsonl' }),
    'tests/cases.test.json': deep('cases', {
      ...language,
      cases: [
        { id: 'a', inputt: 'x' },
        { id: 'b', input: '{{Lang}}' },
      ],
    }),
    'tests/file.test.json': deep('file', { ...language, input: 'wrong.jsonl' }),
    'tests/wrong.jsonl': [
      { id: 'a', input: 'x' },
      { id: 'a', input: 'x', assert: { type: 'equal' } },
    ],
    'tests/script.test.json': {
      id: 'script-test',
      name: 'S',
      type: 'script',
      script: 'scripts.expense.setupp',
    },
    'tests/skill.test.json': { id: 'skill-test', name: 'S', type: 'skill', skill: 'none' },
    'tests/hooks.suite.json': { id: 'hooks', name: 'H', tests: ['required'], setUp: 'scripts.none.Up' },
    'tests/matrix.suite.json': {
      id: 'matrix',
      name: 'M',
      tests: ['required'],
      matrix: { Language: ['de', 'it'], Foo: [1] },
    },
  });
  const { exitCode, stdout } = await assay(['validate', '--json'], { cwd });
  const { problems } = JSON.parse(stdout) as { problems: { message: string; at: string }[] };
  expect(exitCode).toBe(2);
  expect(problems.map(({ at, message }) => `${at}: ${message}`)).toEqual([
    'tests/matrix.suite.json:1: Language: it is not one of the allowed values: de, en, fr',
    'tests/matrix.suite.json:1: unknown variable Foo',
    'preset fast in assay.config: no type has a variable Languag',
    'preset fast in assay.config: Language: it is not one of the allowed values: de, en, fr',
    'tests/agent.test.json: no agent "greter"; looked for assistants/greter/package.yao, greter/package.yao',
    'tests/cases.test.json:1: unknown field "inputt"',
    'tests/cases.test.json:1: "input" is missing',
    'tests/cases.test.json:1: {{Lang}}: there is no such variable',
    'tests/wrong.jsonl:2: assert: unknown assertion type "equal"',
    'tests/wrong.jsonl:2: duplicate id "a", first used on line 1',
    'tests/script.test.json: no test file for "scripts.expense.setupp": there is no expense/src/setupp_test.ts',
    'skills.none: there are no skills below .',
    expect.stringContaining(
      'suite hooks, setUp: scripts.none.Up: no such script; looked for scripts/none.ts',
    ),
  ]);
});
