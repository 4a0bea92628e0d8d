// `assay init` writes tests that pass at once, and never changes what is there.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { assay, folder, logIn, readLog, write } from '../support/assay.ts';

/** The files below a folder with their texts, without what runs leave there. */
function filesIn(cwd: string): Record<string, string> {
  const names = readdirSync(cwd, { recursive: true, encoding: 'utf8' }).sort();
  const isWanted = (name: string): boolean =>
    !/^\.assay|output-\d/.test(name) && statSync(join(cwd, name)).isFile();
  return Object.fromEntries(
    names.filter(isWanted).map((name) => [name, readFileSync(join(cwd, name), 'utf8')]),
  );
}

const COMMON = ['.gitignore', '.vscode/settings.json', 'assay.config.ts', 'package.json'];

test.each([
  ['function', ['agent.cases.yml', 'agent.ts']],
  ['http', ['agent.cases.yml', 'example/server.ts']],
  ['python', ['agent.cases.yml', 'agent.py']],
  [
    'assistant',
    [
      'assistants/helper/assay.agent.json',
      'assistants/helper/src/index.ts',
      'assistants/helper/tests/agent.cases.yml',
    ],
  ],
])('the example of %s passes at once, and a second time nothing changes', async (type, own) => {
  const cwd = folder({ 'package.json': { name: 'mine', devDependencies: { assay: '*' } } });
  const first = await assay(['init', '--agent', type, '--json'], { cwd });
  expect([first.exitCode, first.stderr]).toEqual([0, '']);
  const report = JSON.parse(first.stdout) as { written: string[]; command: string };
  expect(report).toMatchObject({ agent: type, changed: ['package.json'], kept: [], command: 'assay test' });
  expect(Object.keys(filesIn(cwd))).toEqual([...own, ...COMMON].sort());
  expect([...report.written, 'package.json'].sort()).toEqual([...own, ...COMMON].sort());

  const { exitCode, stderr } = await assay(['test', '-o', 'log.jsonl'], { cwd });
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(readLog(join(cwd, 'log.jsonl')).results.map(({ id, status }) => [id, status])).toEqual([
    ['refund', 'passed'],
    ['opening-hours', 'passed'],
  ]);

  const before = filesIn(cwd);
  const second = await assay(['init', '--agent', type, '--yes'], { cwd });
  expect([second.exitCode, filesIn(cwd)]).toEqual([0, before]);
  expect(second.stdout).not.toContain('wrote');
  expect(second.stdout).toMatch(/Next: assay test/);
});

test('files that are there stay; lines are added to lists, with comments and line ends as they were', async () => {
  const settings = '{\r\n\t// ours\r\n\t"json.schemas": [{ "url": "./x.json" }], // theirs\r\n}\r\n';
  const cwd = folder({
    'package.json': '{\n    "name": "mine",\n    "scripts": { "test:agent": "echo mine" }\n}\n',
    'agent.cases.yml': '- id: own\n  input: hi\n',
    '.gitignore': '/.assay\r\nnode_modules',
    '.vscode/settings.json': settings,
    'agent.ts': 'export default () => "an answer";\n',
    'assay.config.json': '{ "runs": 2 }',
  });
  const before = filesIn(cwd);
  const { exitCode, stdout } = await assay(['init', '--yes'], { cwd });
  expect(exitCode).toBe(0);
  expect(stdout).toBe(`  changed  .gitignore
  changed  .vscode/settings.json
  kept     agent.cases.yml
  kept     assay.config.json
  kept     package.json

agent.ts is the agent: its default export answers.
package.json has a script "test:agent" already; it stays as it is.
package.json does not name assay: npm install --save-dev assay

Next: assay test -i agent.cases.yml -n ./agent.ts
`);
  const after = filesIn(cwd);
  expect(after['.gitignore']).toBe('/.assay\r\nnode_modules\r\noutput-*.jsonl\r\n');
  const edited = after['.vscode/settings.json'] ?? '';
  expect(edited).toContain('\t// ours\r\n');
  expect(edited).toContain('"url": "./x.json"');
  expect(edited).toContain('// theirs');
  expect(edited).toContain('cases.schema.json');
  expect(edited.replaceAll('\r\n', '')).not.toContain('\n');
  expect({ ...after, '.gitignore': '', '.vscode/settings.json': '' }).toEqual({
    ...before,
    '.gitignore': '',
    '.vscode/settings.json': '',
  });
  const run = await assay(['test', '-i', 'agent.cases.yml', '-n', './agent.ts'], { cwd });
  expect(run.exitCode).toBe(0);
});

test('an agent of the user is named, not copied', async () => {
  const cwd = folder({
    'src/bot.mjs': 'export default () => "hello";\n',
    'bot.py': 'def reply(messages): return "hi"\n',
  });
  const script = await assay(['init', 'src/bot.mjs'], { cwd });
  expect([script.exitCode, script.stderr]).toEqual([0, '']);
  expect(readFileSync(join(cwd, 'assay.config.ts'), 'utf8')).toContain("name: './src/bot.mjs'");
  expect((await assay(['test'], { cwd })).exitCode).toBe(0);
  expect(readLog(logIn(cwd)).results.map(({ id, output }) => [id, output])).toEqual([['hello', 'hello']]);

  const python = await assay(['init', 'bot.py:reply', '--json'], { cwd });
  expect(JSON.parse(python.stdout)).toMatchObject({
    agent: 'python',
    kept: ['agent.cases.yml', 'assay.config.ts', '.gitignore', '.vscode/settings.json'],
    command: 'assay test -i agent.cases.yml -n ./bot.py:reply',
  });
});

test('what is in the folder decides which example is written', async () => {
  const kindOf = async (files: Record<string, unknown>): Promise<unknown> => {
    const { stdout } = await assay(['init', '--json'], { cwd: folder(files) });
    return (JSON.parse(stdout) as { agent: string }).agent;
  };
  expect(
    await Promise.all([
      kindOf({}),
      kindOf({ 'package.json': { dependencies: { ai: '^6.0.0' } } }),
      kindOf({ 'package.json': { dependencies: { ai: '^6.0.0', '@mastra/core': '1' } } }),
      kindOf({ 'pyproject.toml': '' }),
      kindOf({ 'assistants/a/package.yao': {}, 'package.json': {} }),
    ]),
  ).toEqual(['function', 'ai-sdk', 'mastra', 'python', 'assistant']);
});

test('a file that is no agent is neither changed nor taken for one', async () => {
  const cwd = folder({ 'agent.ts': 'export const helper = 1;\n' });
  const { stdout } = await assay(['init', '--json'], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({ name: './example-agent.ts' });
  expect((await assay(['test'], { cwd })).exitCode).toBe(0);
  expect(readFileSync(join(cwd, 'agent.ts'), 'utf8')).toBe('export const helper = 1;\n');
});

test.each([
  [['--agent', 'pythn'], 'there is no "pythn"', {}],
  [['src/missing.ts'], 'there is no file "src/missing.ts"', {}],
  [['http://user:secret@host/x'], 'the address has a password', {}],
  [['--agent', 'http', 'ftp://host'], '"ftp://host" is not an http:// or https:// address', {}],
  [['nothing-like-it'], 'no agent "nothing-like-it"', {}],
  [[], 'package.json:1', { 'package.json': '{ "name": ' }],
  [[], '.vscode/settings.json:1', { '.vscode/settings.json': '{ nope' }],
])('a mistake is found before anything is written: %j', async (args, message, files) => {
  const cwd = folder(files);
  const before = filesIn(cwd);
  const { exitCode, stdout, stderr } = await assay(['init', ...args], { cwd });
  expect([exitCode, stdout, filesIn(cwd)]).toEqual([2, '', before]);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('secret@');
});

test('the workflow is whole, in the root of the repository', async () => {
  const cwd = folder({
    '.git/HEAD': 'ref: refs/heads/main\n',
    'packages/bot/package.json': { devDependencies: { assay: '*' } },
    'packages/bot/package-lock.json': {},
  });
  const { exitCode } = await assay(['init', '--yes', '--workflow'], { cwd: join(cwd, 'packages/bot') });
  expect(exitCode).toBe(0);
  const text = readFileSync(join(cwd, '.github/workflows/assay.yml'), 'utf8');
  const workflow = parse(text) as { jobs: { assay: { steps: { uses?: string; run?: string }[] } } };
  expect(workflow).toMatchObject({
    permissions: { contents: 'read' },
    jobs: {
      assay: { 'runs-on': 'ubuntu-latest', defaults: { run: { 'working-directory': 'packages/bot' } } },
    },
  });
  expect(workflow.jobs.assay.steps.map(({ uses, run }) => uses ?? run)).toEqual([
    'actions/checkout@v4',
    'actions/setup-node@v4',
    'npm ci',
    'npx assay test --output assay-report/report.md --output assay-report/junit.xml',
    'cat assay-report/report.md >> "$GITHUB_STEP_SUMMARY"',
    'actions/upload-artifact@v4',
  ]);
});

test('a plain name of package.yao works everywhere, and two of them are an error', async () => {
  const cases = [{ id: 'a', input: 'hi', expected: 'hello' }];
  const cwd = folder({
    'app.yao': '',
    'assistants/one/assay.agent.json': '{ /* ours */ "run": { "module": "./agent.mjs" } }',
    'assistants/one/agent.mjs': 'export default () => "hello";\n',
    'assistants/one/tests/cases.jsonl': cases,
    'assistants/two/agent.json': { run: { module: '../one/agent.mjs' } },
    'assistants/two/tests/cases.jsonl': cases,
    'assistants/card/agent.json': { name: 'Card', url: 'https://x', skills: [] },
  });
  const both = await assay(['test', '-i', 'assistants', '-o', 'log.jsonl'], { cwd });
  expect([both.exitCode, both.stderr]).toEqual([0, '']);
  expect(readLog(join(cwd, 'log.jsonl')).results.map(({ agent_id }) => agent_id)).toEqual(['one', 'two']);
  const named = await assay(['test', '-i', 'hi', '-n', 'assistants/two/agent.json'], { cwd });
  expect(named.exitCode).toBe(0);

  const card = await assay(['test', '-i', 'hi', '-n', 'card'], { cwd });
  expect(card.exitCode).toBe(2);
  expect(card.stderr).toContain('assistants/card/agent.json is not read');

  write(join(cwd, 'assistants/one/package.yao'), {});
  const twice = await assay(['test', '-i', 'hi', '-n', 'one'], { cwd });
  expect(twice.exitCode).toBe(2);
  expect(twice.stderr).toContain(
    'two files describe one agent: assistants/one/package.yao and assistants/one/assay.agent.json',
  );
});
