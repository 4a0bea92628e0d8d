// The files of an application that are damaged, and the commands that read each of them.

import { mutate } from './mutate.mjs';
import { makeArguments } from './arguments.mjs';

const CASES = [
  { id: 'a', input: 'right', expected: 'right', tags: ['smoke'], timeout: '5s' },
  {
    id: 'b',
    input: [{ role: 'user', content: 'x' }],
    assert: [
      { type: 'contains', value: 'x' },
      { type: 'regex', value: '^x$', negate: true },
    ],
  },
  {
    id: 'c',
    input: { type: 'text', text: 'hello' },
    options: { temperature: 0.5 },
    metadata: { plan: 'pro' },
    user: 'ada',
    skip: false,
  },
  {
    id: 'd',
    input: 'hello',
    assert: { type: 'json_path', path: '$.a[?@.b > 1]', value: 1 },
    description: 'nested',
  },
  {
    id: 'e',
    input: 'hello',
    assert: [
      { type: 'schema', value: { type: 'string', minLength: 1 } },
      { type: 'latency', value: '5s' },
      { type: 'tool_called', value: 'x' },
    ],
  },
  {
    id: 'f',
    input: 'hi',
    simulator: { use: 'agents:chat', options: { metadata: { goal: 'x' } } },
    checkpoints: [{ id: 'k', assert: { type: 'contains', value: 'x' } }],
    max_turns: 2,
  },
];
const DRY = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--dry-run'];
const LIVE = 'test -i cases.jsonl -n ./agent.mjs --retries 0 --timeout 3s --no-history -o out.jsonl'.split(
  ' ',
);
const CHAT = ['test', '-i', 'simple.jsonl', '-n', 'chat', '--dry-run'];
const LIVE_CHAT = 'test -i simple.jsonl -n chat --retries 0 --timeout 3s --no-history -o out.jsonl'.split(
  ' ',
);

/** The files of the application before the damage. */
export const FILES = {
  'app.yao': '{}',
  '.env': 'SHOP_KEY="sk-very-secret-1"\n# comment\nexport PLAIN=1\nMULTI="a\nb"\nEMPTY=\nREF=${PLAIN}\n',
  'agent.mjs': 'export default (messages) => messages.at(-1).content;\n',
  'cases.jsonl': CASES.map((value) => JSON.stringify(value)).join('\n'),
  'simple.jsonl': '{"id":"a","input":"x"}\n',
  'assay.config.json': '{}',
  'config.json': JSON.stringify({
    runs: 2,
    parallel: 2,
    timeout: '5s',
    retries: 0,
    tag: ['smoke'],
    presets: { fast: { Language: 'en' } },
    min_pass_rate: 80,
  }),
  'config.yml': 'runs: 2\nparallel: 2\ntimeout: 5s\nretries: 0\npresets:\n  fast:\n    Language: en\n',
  'assistants/chat/package.yao': JSON.stringify({
    name: 'Chat',
    connector: 'small',
    options: { temperature: 0 },
    mcp: { servers: [{ server_id: 'tools', tools: ['echo'] }] },
  }),
  'assistants/chat/prompts.yml':
    '- role: system\n  content: Be brief with $CTX.USER_ID.\n- role: system\n  content: |\n    More\n    lines\n',
  'assistants/chat/mcps/tools.mcp.yao': JSON.stringify({
    transport: 'stdio',
    command: 'false',
    arguments: ['a'],
    env: { A: '$ENV.PLAIN' },
  }),
  'connectors/small.conn.yao': JSON.stringify({
    type: 'openai',
    options: { model: 'gpt-4o', key: '$ENV.SHOP_KEY', host: 'http://127.0.0.1:9', temperature: 0 },
  }),
  'context.json': JSON.stringify({
    user_id: 'u',
    team_id: 't',
    locale: 'de',
    client: { type: 'web', ip: '127.0.0.1' },
    metadata: { a: 1 },
  }),
  'vars.yml': 'Language: de\nGreeting: Guten Tag\n',
  'tests/greeting.test.json': JSON.stringify({
    id: 'greeting',
    name: 'Greeting',
    type: 'tone',
    input: '../simple.jsonl',
    agent: '../agent.mjs',
    options: { runs: 2, timeout: '5s' },
    tags: ['smoke'],
    variables: { variables: { Language: { exposed: true, defaultValue: 'de' } } },
  }),
  'tests/other.test.yml':
    'id: other\nname: Other\ntype: tone\nagent: ../agent.mjs\ninput: ../cases.jsonl\ntags: [smoke]\noptions:\n  runs: 1\n  parallel: 2\n',
  'tests/nightly.suite.yml':
    'id: nightly\nname: Nightly\ntests: [greeting, "tag:smoke", other]\nvariables:\n  variables: { Language: de }\noptions: { parallel: 2 }\nmatrix:\n  Language: [de, en]\n',
  'tests/tone.type.json': JSON.stringify({
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
          possibleValues: [{ value: 'de' }, { value: 'en' }],
          defaultValue: 'en',
          required: true,
        },
        {
          name: 'Greeting',
          displayName: 'G',
          dataType: 'string',
          valueSource: 'freeform',
          defaultValue: 'Hi',
          dependsOn: { variable: 'Language', values: { de: ['Guten Tag', 'Hi'] } },
          required: true,
        },
      ],
    },
  }),
};

/** Files, how often they are chosen, and the commands that read them. `live` is for the program in a process of its own. */
export const TARGETS = [
  { file: 'cases.jsonl', weight: 5, commands: [DRY], live: [LIVE] },
  { file: 'config.json', to: 'assay.config.json', weight: 2, commands: [DRY, ['validate']], live: [LIVE] },
  {
    file: 'config.yml',
    to: 'assay.config.yml',
    hides: 'assay.config.json',
    weight: 2,
    commands: [DRY],
    live: [LIVE],
  },
  { file: '.env', weight: 2, commands: [CHAT], live: [LIVE_CHAT] },
  { file: 'assistants/chat/package.yao', weight: 2, commands: [CHAT], live: [LIVE_CHAT] },
  { file: 'assistants/chat/prompts.yml', weight: 2, commands: [CHAT], live: [LIVE_CHAT] },
  { file: 'assistants/chat/mcps/tools.mcp.yao', weight: 2, commands: [CHAT], live: [LIVE_CHAT] },
  { file: 'connectors/small.conn.yao', weight: 2, commands: [CHAT], live: [LIVE_CHAT] },
  {
    file: 'context.json',
    weight: 2,
    commands: [[...DRY, '--ctx', 'context.json']],
    live: [[...LIVE, '--ctx', 'context.json']],
  },
  { file: 'vars.yml', weight: 2, commands: [['run', 'greeting', '--var-file', 'vars.yml', '--dry-run']] },
  {
    file: 'tests/greeting.test.json',
    weight: 3,
    commands: [['validate'], ['list', '--show-variables', '--json'], ['run', 'greeting', '--dry-run']],
  },
  {
    file: 'tests/other.test.yml',
    weight: 3,
    commands: [['validate'], ['run', 'other', '--dry-run']],
    live: [['run', 'other', '--no-history']],
  },
  {
    file: 'tests/nightly.suite.yml',
    weight: 3,
    commands: [['validate'], ['suite', 'nightly', '--dry-run'], ['list']],
    live: [['suite', 'nightly', '--no-history']],
  },
  {
    file: 'tests/tone.type.json',
    weight: 3,
    commands: [['validate'], ['list', '--show-variables'], ['run', 'greeting', '--dry-run', '--json']],
  },
  {
    file: 'run.jsonl',
    weight: 6,
    commands: [
      ['report', 'run.jsonl', '-o', 'r.json', '-o', 'r.md', '-o', 'r.csv', '-o', 'r.xml'],
      ['report', 'run.jsonl'],
      ['compare', 'whole.jsonl', 'run.jsonl', '--json'],
      ['compare', 'run.jsonl', 'whole.jsonl'],
      ['import', 'run.jsonl', '--store', 'history.db'],
      ['test', '--failed', 'run.jsonl', '--dry-run'],
    ],
    live: [
      ['test', '--resume', 'run.jsonl', '--no-history', '--timeout', '3s'],
      ['test', '--resume', 'run.jsonl', '--force', '--no-history'],
      ['report', 'run.jsonl', '-o', 'r.html'],
      ['test', '--failed', 'run.jsonl', '--no-history'],
    ],
  },
  {
    file: 'tape',
    weight: 3,
    commands: [
      ['tapes', 'list', 'tapes', '--json'],
      ['tapes', 'diff', 'tapes', 'whole-tapes'],
      ['tapes', 'prune', 'tapes', '--dry-run'],
    ],
    live: [
      [
        'test',
        '-i',
        'taped.jsonl',
        '-n',
        './asking.mjs',
        '--replay',
        'tapes',
        '--retries',
        '0',
        '--no-history',
        '-o',
        'out.jsonl',
      ],
    ],
  },
  { file: undefined, weight: 4, commands: [] },
];
const CHOICES = TARGETS.flatMap((target) => Array.from({ length: target.weight }, () => target));

/** A damaged input: a file with its bytes and the command that reads it, or a command line. */
export function makeInput(random, files, { isLive = false } = {}) {
  const target = random.pick(isLive ? CHOICES.filter(({ live }) => live !== undefined) : CHOICES);
  if (target.file === undefined) return { kind: 'arguments', args: makeArguments(random) };
  const { file, to = file, hides } = target;
  const name = file === 'tape' ? files.tapeName : to;
  const args = random.pick(isLive ? target.live : target.commands);
  const bytes = mutate(files.contents[file === 'tape' ? files.tapeName : file], random);
  return { kind: to, file: name, bytes, args, hides };
}
