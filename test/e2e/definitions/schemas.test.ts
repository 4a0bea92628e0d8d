// The schemas for editors say the same about a definition as `assay validate`, as far as one file can tell.

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Ajv } from 'ajv';
import { parse as parseJson } from 'jsonc-parser';
import { globSync } from 'tinyglobby';
import { expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { assay, folder } from '../support/assay.ts';

type Files = Record<string, unknown>;

const LANGUAGE = {
  name: 'Language',
  displayName: 'Language',
  dataType: 'string',
  valueSource: 'static',
  possibleValues: [{ value: 'de', label: 'German', description: 'Deutsch' }, { value: 'en' }],
  defaultValue: 'en',
  required: true,
};
const FREE = {
  name: 'Free',
  displayName: 'Free',
  dataType: 'number',
  valueSource: 'freeform',
  required: false,
};
const TYPE = { name: 'Tone', kind: 'agent-eval' };
const TEST = { name: 'Test', type: 'tone', cases: [{ id: 'a', input: 'hi' }] };
const SUITE = { name: 'Suite', tests: ['right-0'] };
const withVariables = (...variables: unknown[]): unknown => ({
  ...TYPE,
  variablesSchema: { schemaVersion: '1.0', variables },
});

const RIGHT = {
  type: [
    TYPE,
    { $schema: '../type.schema.json', description: 'Of voice', ...TYPE },
    withVariables(),
    withVariables(LANGUAGE, FREE),
    withVariables({ ...FREE, dataType: 'date', defaultValue: '2026-01-31' }),
    withVariables({ ...FREE, dataType: 'boolean', defaultValue: false, description: 'a switch' }),
    withVariables({ ...FREE, dataType: 'string', valueSource: 'entity', entity: 'agents' }),
    withVariables(LANGUAGE, { ...FREE, dependsOn: { variable: 'Language', values: { de: [1, 2] } } }),
  ],
  test: [
    TEST,
    { ...TEST, agent: 'greeter', tags: [], description: 'x', $schema: 'x' },
    { ...TEST, tags: ['smoke', 'a b'], options: { runs: 3, timeout: '1m30.5s', parallel: 1 } },
    { name: 'A', type: 'tone', input: 'cases.jsonl' },
    { name: 'A', type: 'agent-eval', input: ['cases.jsonl', '*.jsonl'] },
    { name: 'A', type: 'script', script: 'scripts.a' },
    { name: 'A', type: 'skill', skill: 'pricing' },
    {
      ...TEST,
      variables: {
        variables: {
          Language: { exposed: true, defaultValue: 'de', locked: true, restrictedValues: ['de'] },
          Free: { exposed: false },
        },
      },
    },
  ],
  suite: [
    SUITE,
    { ...SUITE, tests: ['right-*', 'tag:smoke'], setUp: 'env.SetUp', tearDown: 'env.TearDown' },
    { ...SUITE, variables: { variables: { Language: 'de' } }, matrix: { Language: ['de', 'en'] } },
    { ...SUITE, options: { parallel: 2, failFast: false, order: 'random' } },
  ],
};

const WRONG = {
  type: [
    [],
    'text',
    {},
    { ...TYPE, kind: 'agent' },
    { ...TYPE, name: ' ' },
    { ...TYPE, id: 'bad id' },
    { ...TYPE, id: '-a' },
    { ...TYPE, description: null },
    { ...TYPE, toString: 1 },
    { ...TYPE, $schema: 5 },
    { ...TYPE, variablesSchema: { schemaVersion: '2.0', variables: [] } },
    { ...TYPE, variablesSchema: { schemaVersion: '1.0', variables: {} } },
    withVariables({ ...LANGUAGE, $schema: 'x' }),
    withVariables({ ...LANGUAGE, name: 'a-b' }),
    withVariables({ ...LANGUAGE, required: 'yes' }),
    withVariables({ ...LANGUAGE, possibleValues: [] }),
    withVariables({ ...LANGUAGE, possibleValues: undefined }),
    withVariables({ ...LANGUAGE, possibleValues: ['de'] }),
    withVariables({ ...LANGUAGE, possibleValues: [{ value: 1 }], defaultValue: undefined }),
    withVariables({ ...FREE, defaultValue: '5' }),
    withVariables({ ...FREE, dataType: 'boolean', defaultValue: 1 }),
    withVariables({ ...FREE, dataType: 'date', defaultValue: 20_260_131 }),
    withVariables({ ...FREE, dataType: 'integer' }),
    withVariables({ ...FREE, valueSource: 'entity' }),
    withVariables({ ...FREE, valueSource: 'entity', entity: 'models' }),
    withVariables(LANGUAGE, { ...FREE, dependsOn: { variable: 'Language' } }),
    withVariables(LANGUAGE, { ...FREE, dependsOn: { variable: 'Language', values: { de: [] } } }),
  ],
  test: [
    { ...TEST, type: undefined },
    { ...TEST, cases: undefined },
    { ...TEST, cases: [] },
    { ...TEST, cases: ['hi'] },
    { ...TEST, input: 'cases.jsonl' },
    { ...TEST, cases: undefined, input: [] },
    { ...TEST, cases: undefined, input: [''] },
    { ...TEST, cases: undefined, input: 5 },
    { ...TEST, cases: undefined, type: 'skill', script: 'scripts.a' },
    { ...TEST, type: 'script' },
    { ...TEST, typ: 'tone' },
    { ...TEST, agent: '' },
    { ...TEST, tags: 'smoke' },
    { ...TEST, tags: [1] },
    { ...TEST, options: { runs: 0 } },
    { ...TEST, options: { runs: 1.5 } },
    { ...TEST, options: { runs: '3' } },
    { ...TEST, options: { timeout: 'soon' } },
    { ...TEST, options: { timeout: '0s' } },
    { ...TEST, options: { timeout: 30 } },
    { ...TEST, options: { retries: 3 } },
    { ...TEST, options: [] },
    { ...TEST, variables: {} },
    { ...TEST, variables: { variables: { Language: 'de' } } },
    { ...TEST, variables: { variables: { Language: {} } } },
    { ...TEST, variables: { variables: { Language: { exposed: true, restrictedValues: [] } } } },
    { ...TEST, variables: { variables: { Language: { exposed: true, defaultValue: ['de'] } } } },
  ],
  suite: [
    { ...SUITE, tests: undefined },
    { ...SUITE, tests: [] },
    { ...SUITE, tests: 'right-0' },
    { ...SUITE, variables: { Language: 'de' } },
    { ...SUITE, variables: { variables: { Language: null } } },
    { ...SUITE, matrix: { Language: 'de' } },
    { ...SUITE, matrix: { Language: [] } },
    { ...SUITE, options: { order: 'sorted' } },
    { ...SUITE, options: { failFast: 'yes' } },
    { ...SUITE, options: { timeout: '5s' } },
    { ...SUITE, setUp: ['env.SetUp'] },
  ],
};

/** What takes more than the file, or more than a schema can say. */
const ONLY_VALIDATE = {
  type: [
    withVariables(LANGUAGE, LANGUAGE),
    withVariables({ ...LANGUAGE, defaultValue: 'fr' }),
    withVariables({ ...FREE, dependsOn: { variable: 'Free', values: {} } }),
    withVariables({ ...FREE, dataType: 'date', defaultValue: '2026-02-30' }),
  ],
  test: [
    { ...TEST, type: 'tones' },
    { ...TEST, cases: undefined, input: 'nowhere.jsonl' },
    { ...TEST, cases: undefined, type: 'tone', skill: 'pricing' },
    { ...TEST, options: { timeout: '99999999h' } },
    { ...TEST, variables: { variables: { Langage: { exposed: true } } } },
  ],
  suite: [
    { ...SUITE, tests: ['nobody'] },
    { ...SUITE, variables: { variables: { Language: 'fr' } } },
  ],
};

/** One file for each: `right-0.type.json` … with an id of its own unless it has one. */
function filesOf(prefix: string, tables: Record<string, readonly unknown[]>): Files {
  const files = Object.entries(tables).flatMap(([level, values]) =>
    values.map((value, index) => {
      const isObject = typeof value === 'object' && !Array.isArray(value);
      const id =
        level === 'type'
          ? `type-${prefix}-${index}`
          : `${level === 'test' ? '' : 'suite-'}${prefix}-${index}`;
      const content = isObject ? { id, ...value } : value;
      return [`tests/${prefix}-${index}.${level}.json`, JSON.stringify(content)];
    }),
  );
  return Object.fromEntries(files) as Files;
}

/** What the definitions name. */
const WORLD = {
  'tests/cases.jsonl': [{ id: 'a', input: 'hi' }],
  'tests/package.yao': { run: { module: './agent.mjs' } },
  'tests/agent.mjs': 'export default () => "hi";\n',
  'tests/src/env.ts': 'export function SetUp() {}\nexport function TearDown() {}\n',
  'assistants/greeter/package.yao': { run: { module: '../../tests/agent.mjs' } },
  'scripts/a_test.ts': 'export function TestA() {}\n',
  'skills/pricing/SKILL.md': '---\nname: pricing\ndescription: Prices\n---\n',
  'tests/pricing.tests.mjs': 'export default () => ({ passed: 1, failed: 0, errors: [] });\n',
};

/** The files that `assay validate` finds something wrong with. */
async function wrongForAssay(files: Files): Promise<string[]> {
  const tone = { ...(withVariables(LANGUAGE, FREE) as object), id: 'tone' };
  const cwd = folder({
    'app.yao': '{}',
    ...WORLD,
    'tests/tone.type.json': tone,
    ...files,
  });
  const { stdout } = await assay(['validate', '--json'], { cwd });
  const { problems } = JSON.parse(stdout) as { problems: { at: string }[] };
  return [...new Set(problems.map(({ at }) => at.replace(/:\d+$/, '')))].sort();
}

function wrongForSchemas(files: Files): string[] {
  const ajv = new Ajv({ strict: false });
  const validators = ['type', 'test', 'suite'].map((level) => {
    const schema = JSON.parse(readFileSync(`schemas/${level}.schema.json`, 'utf8')) as object;
    return [level, ajv.compile(schema)] as const;
  });
  const isWrong = ([name, content]: [string, unknown]): boolean => {
    const value: unknown = name.endsWith('.json') ? parseJson(String(content)) : parseYaml(String(content));
    const level = basename(name).split('.').at(-2);
    return validators.find(([one]) => one === level)?.[1](value) !== true;
  };
  return Object.entries(files)
    .filter(([name]) => /\.(?:type|test|suite)\.\w+$/.test(name))
    .filter(isWrong)
    .map(([name]) => name)
    .sort();
}

test('both accept what is right', async () => {
  const files = filesOf('right', RIGHT);
  expect({ assay: await wrongForAssay(files), schemas: wrongForSchemas(files) }).toEqual({
    assay: [],
    schemas: [],
  });
});

test('both refuse what is wrong', async () => {
  const files = filesOf('wrong', WRONG);
  const all = Object.keys(files).sort();
  const found = await wrongForAssay({ ...files, ...filesOf('right', RIGHT) });
  expect({ assay: found, schemas: wrongForSchemas(files) }).toEqual({ assay: all, schemas: all });
});

test('only assay validate knows about other files, calendars and the longest duration', async () => {
  const files = filesOf('strange', ONLY_VALIDATE);
  const found = await wrongForAssay({ ...files, ...filesOf('right', RIGHT) });
  expect({ assay: found, schemas: wrongForSchemas(files) }).toEqual({
    assay: Object.keys(files).sort(),
    schemas: [],
  });
});

test('the definitions of the documentation are right for both', async () => {
  const text = readFileSync('docs/definitions.md', 'utf8');
  const blocks = text.matchAll(/^<!-- file: (tests\/\S+) -->\n```\w+\n(.*?)^```$/gms);
  const files = Object.fromEntries([...blocks].map(([, name, content]) => [name, content])) as Files;
  expect(Object.keys(files).length).toBeGreaterThan(2);
  expect({ assay: await wrongForAssay(files), schemas: wrongForSchemas(files) }).toEqual({
    assay: [],
    schemas: [],
  });
});

test('the definitions of the examples are right for both', async () => {
  const names = globSync('examples/tests/**/*.{type,test,suite}.{json,yml,yaml}');
  const files = Object.fromEntries(names.map((name) => [name, readFileSync(name, 'utf8')]));
  const { exitCode, stderr } = await assay(['validate'], { cwd: 'examples' });
  expect({ exitCode, stderr, schemas: wrongForSchemas(files) }).toEqual({
    exitCode: 0,
    stderr: '',
    schemas: [],
  });
});
