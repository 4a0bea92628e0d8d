// `assay convert promptfoo` on the configurations in test/fixtures/promptfoo. `expected.txt` beside each has everything that it writes.

import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { assay, endsIn, folder, logIn, readLog, write } from '../support/assay.ts';

const FIXTURES = resolve('test/fixtures/promptfoo');
const KEYS = {
  OPENAI_API_KEY: 'not-a-real-key',
  ANTHROPIC_API_KEY: 'not-a-real-key',
  DESK_TOKEN: 'not-a-real-token',
};

/** A copy of a fixture in a folder of its own. */
function copyOf(name: string): string {
  const cwd = folder();
  cpSync(join(FIXTURES, name), cwd, { recursive: true, filter: (path) => !path.endsWith('expected.txt') });
  return cwd;
}

/** Every file below a folder, with its name before it. */
function contentsOf(path: string): string {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => `──── ${relative(path, file)}\n${readFileSync(file, 'utf8')}`)
    .join('\n');
}

/** The arguments of the printed command, which runs in the folder that was written. */
function wordsOf(command: string): string[] {
  return command.replace(/^cd \S+ && \S+ /, '').split(' ');
}

const EXIT_CODES: Record<string, number> = { 'getting-started': 0, 'python-provider': 0 };

test.each(readdirSync(FIXTURES))('%s: files, list and exit code; a dry run accepts them', async (name) => {
  const cwd = copyOf(name);
  const { stdout, stderr, exitCode } = await assay(['convert', 'promptfoo', 'promptfooconfig.yaml'], { cwd });
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: EXIT_CODES[name] ?? 1 });
  await expect(`${stdout}\n${contentsOf(join(cwd, 'assay'))}`).toMatchFileSnapshot(
    join(FIXTURES, name, 'expected.txt'),
  );

  const again = await assay(['convert', 'promptfoo', 'promptfooconfig.yaml', '--force', '--json'], { cwd });
  const { command } = JSON.parse(again.stdout) as { command: string };
  const planned = await assay([...wordsOf(command), '--dry-run'], { cwd: join(cwd, 'assay'), env: KEYS });
  expect(planned).toMatchObject({ exitCode: 0 });
});

test('a provider and checks in JavaScript give the verdicts of promptfoo', async () => {
  const cwd = copyOf('json-output');
  await assay(['convert', 'promptfoo', 'promptfooconfig.yaml', '-o', 'tests/converted'], { cwd });
  const run = await assay(['test', '-i', 'tests/converted/cases/cases.yml'], { cwd });
  expect(run.exitCode).toBe(1);
  expect(endsIn(logIn(join(cwd, 'tests/converted/cases')))).toEqual({
    // 4 of 5 shares of the weight hold.
    'quick and short': 'passed',
    'the title is the dish': 'passed',
    // Code that throws fails in promptfoo, too.
    'plain words are no JSON': expect.stringMatching(/^failed \| SyntaxError: Unexpected token/) as unknown,
    'the whole answer': 'passed',
  });
});

test('a provider and checks in Python give the verdicts of promptfoo', async () => {
  const cwd = copyOf('python-provider');
  await assay(['convert', 'promptfoo', 'promptfooconfig.yaml'], { cwd });
  const run = await assay(['test', '-i', 'assay/cases/cases.yml'], { cwd });
  expect(run.exitCode).toBe(1);
  expect(endsIn(logIn(join(cwd, 'assay/cases')))).toEqual({
    'test-1': 'passed',
    'test-2': expect.stringMatching(/^failed \| .*ZeroDivisionError: division by zero/s) as unknown,
  });
});

test('endpoints get the request that promptfoo sends', async () => {
  const requests: unknown[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      requests.push({ method: request.method, url: request.url, token: request.headers.authorization, body });
      const isSearch = request.url?.startsWith('/search') === true;
      const answer = isSearch
        ? { hits: [{ title: 'Dear delivery' }, { title: 'other' }] }
        : { reply: { text: 'Dear Ada, your parcel is near.' } };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const cwd = copyOf('http-provider');
  const config = readFileSync(join(cwd, 'promptfooconfig.yaml'), 'utf8');
  const port = (server.address() as AddressInfo).port;
  write(join(cwd, 'promptfooconfig.yaml'), config.replaceAll('4711', String(port)));
  await assay(['convert', 'promptfoo', 'promptfooconfig.yaml'], { cwd });
  const run = await assay(['run', 'cases', '--matrix', 'agent=help-desk,search'], {
    cwd: join(cwd, 'assay'),
    env: KEYS,
  });
  expect(run).toMatchObject({ exitCode: 0 });
  expect(requests).toEqual([
    {
      method: 'POST',
      url: '/ask',
      token: 'Bearer not-a-real-token',
      body: '{"message":"Where is my parcel?","customer":"ada"}',
    },
    { method: 'GET', url: '/search?q=Where+is+my+parcel%3F', token: undefined, body: '' },
  ]);
});

test('files that exist stay, unless --force replaces them', async () => {
  const cwd = copyOf('rag');
  const file = join(cwd, 'assay/cases/cases.yml');
  write(file, '# mine\n');
  const refused = await assay(['convert', 'promptfoo', 'promptfooconfig.yaml'], { cwd });
  expect(refused).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr:
      'assay/cases/cases.yml: the file exists\n  hint: --force replaces files, -o names another folder; nothing was written\n',
  });
  expect(contentsOf(join(cwd, 'assay'))).toBe('──── cases/cases.yml\n# mine\n');
  expect(await assay(['convert', 'promptfoo', 'promptfooconfig.yaml', '--force'], { cwd })).toMatchObject({
    exitCode: 1,
  });
  expect(readFileSync(file, 'utf8')).toContain('How many days of leave');
});

test.each([
  ['missing.yaml', undefined, 'no such file: missing.yaml\n'],
  [
    'list.yaml',
    '- a\n',
    'list.yaml: is no configuration of promptfoo\n  hint: it has at least one of prompts, providers, targets, tests, scenarios, defaultTest, redteam\n',
  ],
  [
    'other.json',
    '{"name": "x"}',
    'other.json: is no configuration of promptfoo\n  hint: it has at least one of prompts, providers, targets, tests, scenarios, defaultTest, redteam\n',
  ],
  ['broken.yaml', 'prompts: [a\n', 'broken.yaml:2: invalid YAML'],
  [
    'config.js',
    'export default {}',
    'config.js: a configuration that is code is not read\n  hint: write what it exports into a YAML or JSON file\n',
  ],
  [
    'gone.yaml',
    'prompts: [a]\ntests: file://testz.csv\n',
    'gone.yaml:2: no such file: testz.csv\n  hint: did you mean "tests.csv"?\n',
  ],
  ['ref.yaml', 'prompts: [a]\ntests:\n  - $ref: "#/nowhere"\n', 'ref.yaml: $ref "#/nowhere" leads nowhere\n'],
])('%s is exit 2 and writes nothing', async (name, content, message) => {
  const cwd = folder({ 'tests.csv': 'a\n1\n', ...(content !== undefined && { [name]: content }) });
  const { exitCode, stderr, stdout } = await assay(['convert', 'promptfoo', name], { cwd });
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr.slice(0, message.length)).toBe(message);
  expect(readdirSync(cwd)).not.toContain('assay');
});

test('lists of prompts and folders of tests in files; programs as providers; two of three in a set', async () => {
  const set = ['y', 'e', 'z'].map((value) => ({ type: 'contains', value }));
  const cwd = folder({
    'promptfooconfig.yaml':
      'prompts: file://parts/prompts.yaml\nproviders: [echo, "exec:node shout.mjs \'a b\'"]\ntests: file://parts/tests/\n',
    'parts/prompts.yaml': '- id: plain\n  raw: "{{word}}"\n- file://parts/loud.txt\n',
    'parts/loud.txt': '{{ word | upper }}',
    'parts/tests/one.json': JSON.stringify([
      { vars: { word: 'yes' }, assert: [{ type: 'assert-set', threshold: 0.6, assert: set }] },
    ]),
    'parts/tests/two.csv': 'word,__expected\nno,not-contains: y\n"{{_conversation}}",never\n',
    'shout.mjs':
      'const [first, prompt, , context] = process.argv.slice(2);\nconsole.log(first, prompt, JSON.parse(context).vars.word);\n',
  });
  const { exitCode, stdout } = await assay(['convert', 'promptfoo', 'promptfooconfig.yaml', '--json'], {
    cwd,
  });
  const { not_carried_over, cases, prompts, command } = JSON.parse(stdout) as Record<string, unknown>;
  expect({ exitCode, cases, prompts, command, not_carried_over }).toEqual({
    exitCode: 1,
    cases: 6,
    prompts: 2,
    command: 'cd assay && assay suite promptfoo',
    not_carried_over: [
      {
        kind: 'missing',
        at: 'parts/tests/two.csv:3',
        what: 'vars: word',
        why: 'the template cannot be computed: it uses the conversation so far; the test is skipped',
      },
    ],
  });
  const run = await assay(['suite', 'promptfoo', '-o', 'log.jsonl'], { cwd: join(cwd, 'assay') });
  expect(run.exitCode).toBe(1);
  const ends = readLog(join(cwd, 'assay/log.jsonl')).results.map(
    ({ test_id, id, variables, status, output }) =>
      `${test_id} ${id} ${String(variables?.['agent'])}: ${status} ${JSON.stringify(output ?? null)}`,
  );
  expect(ends.sort()).toEqual([
    'loud test-1 echo: failed "YES"',
    'loud test-1 shout: passed "a b YES yes"',
    'loud test-2 echo: passed "NO"',
    'loud test-2 shout: passed "a b NO no"',
    'loud test-3 echo: skipped null',
    'loud test-3 shout: skipped null',
    'plain test-1 echo: passed "yes"',
    'plain test-1 shout: passed "a b yes yes"',
    'plain test-2 echo: passed "no"',
    'plain test-2 shout: passed "a b no no"',
    'plain test-3 echo: skipped null',
    'plain test-3 shout: skipped null',
  ]);
});
