import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { completeCommand } from './complete.ts';
import type { Invocation } from '../define.ts';
import { defineCommands } from '../define.ts';

const LANGUAGE = {
  name: 'Language',
  displayName: 'Language',
  description: 'What is spoken',
  dataType: 'string',
  valueSource: 'static',
  possibleValues: [{ value: 'de', label: 'German' }, { value: 'en' }, { value: "it's a word" }],
  defaultValue: 'en',
  required: true,
};
const optional = { valueSource: 'freeform', required: false };
const VARIABLES = [
  LANGUAGE,
  {
    ...optional,
    name: 'Model',
    displayName: 'Model',
    dataType: 'string',
    valueSource: 'entity',
    entity: 'connectors',
  },
  { ...optional, name: 'Strict', displayName: 'Strict', dataType: 'boolean' },
  { ...optional, name: 'Limit', displayName: 'Limit', dataType: 'number', defaultValue: 5 },
  {
    ...optional,
    name: 'Accent',
    displayName: 'Accent',
    dataType: 'string',
    dependsOn: { variable: 'Language', values: { de: ['Austrian', 'Swiss'], en: ['Scottish'] } },
  },
];
const FILES: Record<string, unknown> = {
  'app.yao': {},
  'assay.config.json': { presets: { cheap: {}, costly: {} }, unknown: 1 },
  'assistants/shop/package.yao': {},
  'connectors/local/a.conn.yao': {},
  'connectors/local/b.conn.yao': {},
  'skills/pricing/SKILL.md': '---\nname: pricing\ndescription: Prices\n---\n',
  'tests/tone.type.json': {
    id: 'tone',
    name: 'Tone',
    kind: 'agent-eval',
    variablesSchema: { schemaVersion: '1.0', variables: VARIABLES },
  },
  'tests/greeting.test.json': {
    id: 'greeting',
    name: 'Greeting\twith\na tab',
    type: 'tone',
    tags: ['smoke', 'two words'],
    cases: [{ id: 'a', input: 'hi' }],
    variables: {
      variables: {
        Language: { exposed: true, restrictedValues: ['de', 'en'], defaultValue: 'de' },
        Strict: { exposed: true, locked: true },
        Limit: { exposed: false },
      },
    },
  },
  'tests/grading.test.json': {
    id: 'grading',
    name: 'Grading',
    type: 'tone',
    tags: ['smoke', 'bad\u001bone'],
    cases: [{ id: 'a', input: 'hi' }],
  },
  'tests/orphan.test.json': { id: 'orphan', name: 'Orphan', type: 'gone', skill: 'x' },
  'tests/broken.test.json': '{ "id": ',
  'tests/nightly.suite.yml': 'id: nightly\nname: Nightly\ntests: [greeting]\n',
  'tests/broken.suite.yml': 'id: [',
};

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'assay-complete-'));
  for (const [name, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** The lines that are printed for a line that is typed, its words split at spaces. */
async function complete(line: string, folder = cwd): Promise<string[]> {
  const program = defineCommands(new Command(), { version: '' } as Invocation);
  let printed = '';
  const stdout = { write: (text: string) => (printed += text) } as unknown as NodeJS.WriteStream;
  const words = line.split(' ');
  expect(await completeCommand(words, {}, { program, io: { cwd: folder, env: {}, stdout } })).toBe(0);
  return printed.split('\n').slice(0, -1);
}

test.each([
  [
    'comp',
    [
      'compare\tcompare two runs: is the new one worse? exit 1 if that is shown',
      'completion\tprint a script that completes commands, names and values in a shell',
    ],
  ],
  ['help comple', ['completion\tprint a script that completes commands, names and values in a shell']],
  ['__', []],
  ['completion ', ['bash', 'zsh', 'fish']],
  ['completion bash ', []],
  ['nonsense ', []],
])('commands: %s', async (line, candidates) => {
  expect(await complete(line)).toEqual(candidates);
});

test('assay test has commands of assay', async () => {
  const names = (await complete('test ')).map((line) => line.split('\t')[0]);
  expect(new Set(names)).toEqual(new Set(['list', 'run', 'suite', 'shop', '']));
  expect(await complete('test run gre')).toEqual(await complete('run gre'));
  expect(await complete('test list gre')).toEqual(await complete('list gre'));
});

test('commands of a command, and what they are given', async () => {
  expect(await complete('tapes ')).toEqual(
    expect.arrayContaining([
      'list\twhat is recorded: cases, runs, requests',
      'prune\tremove what the last replay did not use',
    ]),
  );
  expect(await complete('tapes prune ')).toEqual(['\tfiles']);
  expect(await complete('test --replay ')).toEqual(['\tfiles']);
});

test('plan has the commands that it plans, each with its options', async () => {
  const names = async (line: string): Promise<(string | undefined)[]> =>
    (await complete(line)).map((text) => text.split('\t')[0]);
  expect(await names('plan ')).toEqual(['test', 'run', 'suite', 'help']);
  expect(await names('plan test ')).toEqual(['shop', '']);
  expect(await names('plan test --ma')).toEqual([
    '--map',
    '--matrix',
    '--max-attempts',
    '--margin',
    '--max-runs',
  ]);
  expect(await names('plan suite nightly --min')).toEqual(['--min-pass-rate', '--min-runs']);
  expect(await complete('plan suite nightly --var ')).toEqual(await complete('suite nightly --var '));
});

test('options are those of the command; what is there once is not offered again', async () => {
  const output =
    '--output\treport by extension (.jsonl .json .md .html .csv .xml), "-" for stdout; repeatable';
  const reporter =
    '--reporter\treport.html, report.json, report.markdown, report.summary, or an agent that writes the report';
  const k = '--k\treport pass@k and pass^k for these numbers of runs, like 1,3,5';
  const cluster =
    '--cluster\tinterval of the pass rate for groups of related cases: tag:<prefix>, test or variable:<name>';
  expect(await complete('report -')).toEqual([
    output,
    reporter,
    k,
    '--json\tJSON report on stdout',
    cluster,
    '--help\tshow this help',
  ]);
  expect(await complete('report --json -r report.json log.jsonl -')).toEqual([
    output,
    k,
    cluster,
    '--help\tshow this help',
  ]);
  expect(await complete('report -o a.md --out')).toEqual([output]);
  expect(await complete('report -o')).toEqual([
    '-o\treport by extension (.jsonl .json .md .html .csv .xml), "-" for stdout; repeatable',
  ]);
  expect(await complete('run -- -')).toEqual([]);
});

test.each([
  [
    'run ',
    ['grading\tGrading', 'greeting\tGreeting with a tab', 'orphan\tOrphan', 'tag:smoke', 'tag:two words'],
  ],
  ['run gre', ['greeting\tGreeting with a tab']],
  ['run greeting gr', ['grading\tGrading']],
  ['run tag:s', ['tag:smoke']],
  ['suite ', ['nightly\tNightly']],
  ['plan run gre', ['greeting\tGreeting with a tab']],
  ['plan suite ', ['nightly\tNightly']],
  ['plan test -n s', ['shop', '\tfiles']],
  ['test cases.jsonl s', ['shop', '\tfiles']],
  ['plan test s', ['shop', '\tfiles']],
  ['plan test --against ', []],
  ['list n', ['nightly\tNightly']],
  ['list to', ['tone\tTone']],
  ['list greeting ', []],
  ['list --tag t', ['two words']],
  [
    'skills ',
    ['pricing\tPrices', 'all\tthe tests of all skills', 'new\twrite a test to start from', '\tfiles'],
  ],
  ['skills new ', ['pricing\tPrices']],
  ['report ', ['\tfiles']],
])('arguments: %s', async (line, candidates) => {
  expect(await complete(line)).toEqual(candidates);
});

test.each([
  ['report -r report.j', ['report.json']],
  ['report --reporter=report.j', ['--reporter=report.json']],
  ['report -rreport.j', ['-rreport.json']],
  ['report -o rep', ['\tfiles']],
  ['report --output=rep', ['\tfiles\t--output=']],
  ['test --failed ', ['\tfiles']],
  ['test -n s', ['shop', '\tfiles']],
  ['test -c ', ['local.a', 'local.b']],
  ['run --var-file ', ['\tfiles']],
  ['run --preset c', ['cheap', 'costly']],
])('values of options: %s', async (line, candidates) => {
  expect(await complete(line)).toEqual(candidates);
});

const ALL = [
  'Language=\tWhat is spoken',
  'Model=\tModel',
  'Strict=\tStrict',
  'Limit=\tLimit',
  'Accent=\tAccent',
  '\tnospace',
];

test.each([
  ['run -V ', ALL],
  ['run grading --var ', ALL],
  ['run greeting --var ', ['Language=\tWhat is spoken', 'Model=\tModel', 'Accent=\tAccent', '\tnospace']],
  ['suite nightly --var ', ['Language=\tWhat is spoken', 'Model=\tModel', 'Accent=\tAccent', '\tnospace']],
  ['run greeting -V Language=', ['Language=de\tGerman, default', 'Language=en']],
  [
    'run grading --var=Language=',
    ['--var=Language=de\tGerman', '--var=Language=en\tdefault', "--var=Language=it's a word"],
  ],
  ['run -V Model=local.b', ['Model=local.b']],
  ['run grading -V Strict=', ['Strict=true', 'Strict=false']],
  ['run grading -V Limit=', []],
  ['run grading -V Nobody=', []],
  ['run grading -V Accent=', []],
  ['run grading -V Language=de --var Accent=', ['Accent=Austrian', 'Accent=Swiss']],
  ['run grading --matrix Str', ['Strict=\tStrict', '\tnospace']],
  ['run grading --matrix Language=de,', ['Language=de,en\tdefault', "Language=de,it's a word", '\tnospace']],
  ['run orphan -V ', []],
])('variables: %s', async (line, candidates) => {
  expect(await complete(line)).toEqual(candidates);
});

test('where nothing is, nothing is printed', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'assay-complete-'));
  writeFileSync(join(empty, 'assay.config.json'), '{ "tests": ');
  expect(await complete('run ', empty)).toEqual([]);
  expect(await complete('run --preset ', empty)).toEqual([]);
  expect(await complete('run -V A=', empty)).toEqual([]);
  rmSync(empty, { recursive: true });
});
