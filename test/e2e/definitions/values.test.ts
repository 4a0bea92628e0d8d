// Values that must not get lost, mixed up or told: secrets, connectors of the configuration, files that change.

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assay, folder, readLog, start, write } from '../support/assay.ts';
import { env, modelServer, openai } from '../support/assistant-files.ts';
import {
  application,
  readText,
  refusal,
  report,
  suite,
  TONE,
  variable,
} from '../support/definition-files.ts';

const SECRET = {
  ...TONE,
  variablesSchema: {
    ...TONE.variablesSchema,
    variables: [...TONE.variablesSchema.variables, variable('ApiKey', 'string')],
  },
};

describe('secrets', () => {
  const key = 'very-secret-value';
  const everywhere = async (cwd: string, args: string[]): Promise<string> => {
    const { stdout, stderr } = await assay([...args, '-o', 'log.jsonl', '-o', 'r.md', '-o', 'r.json'], {
      cwd,
    });
    return [stdout, stderr, ...['log.jsonl', 'r.md', 'r.json'].map((file) => readText(join(cwd, file)))].join(
      '',
    );
  };

  test('of every level appear nowhere', async () => {
    const files = { 'tests/tone.type.json': SECRET };
    const ofRun = application({ files });
    expect(await everywhere(ofRun, ['run', 'greeting', '--var', `ApiKey=${key}`])).not.toContain(key);
    const ofTest = application({ files, overrides: { ApiKey: { exposed: true, defaultValue: key } } });
    expect(await everywhere(ofTest, ['run', 'greeting'])).not.toContain(key);
    const ofSuite = application({
      files: { ...files, ...suite({ variables: { variables: { ApiKey: key } } }) },
    });
    expect(await everywhere(ofSuite, ['suite', 'nightly'])).not.toContain(key);
    const dry = await assay(['run', 'greeting', '--var', `ApiKey=${key}`, '--dry-run'], { cwd: ofRun });
    expect([dry.exitCode, dry.stdout.includes(key)]).toEqual([0, false]);
    expect(await refusal(['run', 'greeting', '--matrix', `ApiKey=${key},${key}2`], ofRun)).toEqual([
      2,
      expect.stringContaining('ApiKey cannot be varied'),
    ]);
  });

  test('are no obstacle to --failed and --resume', async () => {
    const cases = [
      { id: 'a', input: 'x' },
      { id: 'b', input: 'x', expected: 'y' },
    ];
    const cwd = application({ cases, files: { 'tests/tone.type.json': SECRET } });
    await assay(['run', 'greeting', '--var', `ApiKey=${key}`, '-o', 'log.jsonl'], { cwd });
    const again = ['--var', `ApiKey=${key}`, '-o', 'again.jsonl'];
    expect((await assay(['test', '--failed', 'log.jsonl', ...again], { cwd })).exitCode).toBe(1);
    expect(readLog(join(cwd, 'again.jsonl')).results.map(({ id }) => id)).toEqual(['b']);
    expect(await refusal(['test', '--failed', 'log.jsonl'], cwd)).toEqual([
      2,
      expect.stringContaining('the log does not hold the secret value of ApiKey'),
    ]);
    const lines = readText(join(cwd, 'log.jsonl')).trim().split('\n');
    write(join(cwd, 'log.jsonl'), `${lines.slice(0, 2).join('\n')}\n`);
    await assay(['test', '--resume', 'log.jsonl', '--var', 'ApiKey=another-secret'], { cwd });
    expect(readLog(join(cwd, 'log.jsonl')).results.map(({ id }) => id)).toEqual(['a', 'b']);
  });
});

describe('a connector of the configuration', () => {
  const app = async (): Promise<{ cwd: string; models: () => unknown[] }> => {
    const server = await modelServer(() => 'ok');
    const connector = (model: string): unknown => openai(server.url, { model });
    const cwd = folder({
      'assay.config.json': { connector: 'configured' },
      'assistants/chat/package.yao': {},
      'assistants/chat/prompts.yml': '- role: system\n  content: hi\n',
      'connectors/configured.conn.yao': connector('configured'),
      'connectors/a.conn.yao': connector('a'),
      'connectors/b.conn.yao': connector('b'),
      'tests/chat.test.json': {
        id: 'chat',
        name: 'Chat',
        type: 'agent-eval',
        agent: 'chat',
        cases: [{ id: 'c', input: 'hi', expected: 'no' }],
      },
      'tests/all.suite.json': {
        id: 'all',
        name: 'All',
        tests: ['chat'],
        matrix: { AIConfiguration: ['a', 'b'] },
      },
    });
    return { cwd, models: () => server.requests.splice(0).map(({ body }) => body['model']) };
  };

  test('yields to variables, of whatever level, and -c does not', async () => {
    const { cwd, models } = await app();
    await assay(['run', 'chat'], { cwd, env });
    expect(models()).toEqual(['configured']);
    await assay(['suite', 'all'], { cwd, env });
    expect(models()).toEqual(['a', 'b']);
    await assay(['run', 'chat', '--var', 'AIConfiguration=a', '-o', 'log.jsonl'], { cwd, env });
    expect(models()).toEqual(['a']);
    await assay(['test', '--failed', 'log.jsonl', '-o', 'again.jsonl'], { cwd, env });
    expect(models()).toEqual(['a']);
    await assay(['run', 'chat', '-c', 'b'], { cwd, env });
    expect(models()).toEqual(['b']);
    const both = await assay(['suite', 'all', '-c', 'b'], { cwd, env });
    expect([both.exitCode, both.stderr]).toEqual([
      2,
      expect.stringContaining('-c and the matrix both choose'),
    ]);
  });
});

test('a run is not taken up again with other values', async () => {
  const cwd = folder({
    'echo.mjs': 'export default (m) => m[0].content;\n',
    'c.jsonl': [1, 2, 3].map((index) => ({ id: String(index), input: 'x' })),
  });
  const args = ['test', '-i', 'c.jsonl', '-n', './echo.mjs', '-o', 'log.jsonl'];
  await assay([...args, '--var', 'Temperature=0.2'], { cwd });
  const cut = (): void => {
    const lines = readText(join(cwd, 'log.jsonl')).trim().split('\n');
    write(join(cwd, 'log.jsonl'), `${lines.slice(0, 2).join('\n')}\n`);
  };
  cut();
  const other = await assay(['test', '--resume', 'log.jsonl', '--var', 'Temperature=0.9'], { cwd });
  expect([other.exitCode, other.stderr]).toEqual([
    2,
    expect.stringContaining('what variables are set to has changed'),
  ]);
  const same = await assay(['test', '--resume', 'log.jsonl'], { cwd, env: { ASSAY_VAR_Temperature: '0.9' } });
  expect([same.exitCode, readLog(join(cwd, 'log.jsonl')).results.map(({ variables }) => variables)]).toEqual([
    0,
    [{ Temperature: 0.2 }, { Temperature: 0.2 }, { Temperature: 0.2 }],
  ]);
  await assay(args, { cwd });
  cut();
  const later = await assay(['test', '--resume', 'log.jsonl'], {
    cwd,
    env: { ASSAY_VAR_Temperature: '0.9' },
  });
  expect([later.exitCode, readLog(join(cwd, 'log.jsonl')).results.at(-1)?.variables]).toEqual([0, undefined]);
});

test('a case file that changes while combinations of it run ends the run', async () => {
  const cwd = application({
    files: {
      'tests/echo.mjs':
        'export default async () => { await new Promise((r) => setTimeout(r, 500)); return "x"; };\n',
      'tests/greeting.test.json': {
        id: 'greeting',
        name: 'G',
        type: 'tone',
        agent: './echo.mjs',
        input: 'g.jsonl',
      },
      'tests/g.jsonl': [{ id: 'a', input: 'x' }],
    },
  });
  const running = start(['run', 'greeting', '--matrix', 'Count=1,2,3,4,5,6,7,8', '-o', 'log.jsonl'], { cwd });
  await expect
    .poll(() => readText(join(cwd, 'log.jsonl')).split('\n').length, { timeout: 20_000 })
    .toBeGreaterThan(2);
  write(join(cwd, 'tests/g.jsonl'), [{ id: 'same', input: '{{Nope}}' }]);
  const { exitCode, stderr } = await running.finished;
  expect([exitCode, stderr]).toEqual([3, expect.stringContaining('changed during the run')]);
});

test('filled-in text is not filled in again', async () => {
  const server = await modelServer(() => 'ok');
  const cwd = folder({
    'assistants/chat/package.yao': { connector: 'small' },
    'assistants/chat/prompts.yml': '- role: system\n  content: >-\n    {{Note}} \\{{Note}} $CTX.USER_ID\n',
    'connectors/small.conn.yao': openai(server.url),
    'tests/tone.type.json': TONE,
    'tests/chat.test.json': {
      id: 'chat',
      name: 'C',
      type: 'tone',
      agent: 'chat',
      cases: [{ id: 'c', input: '{{Note}}' }],
    },
  });
  await assay(['run', 'chat', '--var', 'Note=$CTX.USER_ID {{Count}}'], { cwd, env });
  expect(server.requests[0]?.body['messages']).toEqual([
    { role: 'system', content: '$CTX.USER_ID {{Count}} {{Note}} test-user' },
    { role: 'user', content: '$CTX.USER_ID {{Count}}' },
  ]);
});

test('values of the environment and of presets may be meant for other tests, but not for none', async () => {
  const cwd = application({
    files: {
      'tests/plain.test.json': {
        id: 'plain',
        name: 'P',
        type: 'agent-eval',
        agent: './echo.mjs',
        cases: [{ id: 'a', input: 'x' }],
      },
      'assay.config.json': { presets: { fast: { Note: 'n' } } },
    },
  });
  const { exitCode, stderr } = await assay(['run', 'plain', '--preset', 'fast'], { cwd });
  expect([exitCode, stderr]).toEqual([0, 'Note (preset fast) has no effect here: no test has it\n']);
  const wrong = await assay(['run', 'plain'], { cwd, env: { ASSAY_VAR_Nobody: '1' } });
  expect([wrong.exitCode, wrong.stderr]).toEqual([
    2,
    expect.stringContaining('ASSAY_VAR_Nobody: no selected test'),
  ]);
});

test('several files and presets are joined, the later one wins; nothing to combine is refused', async () => {
  const cwd = application({
    files: {
      'a.yml': 'Note: a\nCount: 2\n',
      'b.json': { Note: 'b' },
      'assay.config.json': { presets: { loud: { Loud: true, Note: 'p' }, german: { Language: 'de' } } },
    },
  });
  const args = ['--var-file', 'a.yml', '--var-file', 'b.json', '--preset', 'loud', '--preset', 'german'];
  const { resolved_variables: resolved } = await report(['run', 'greeting', ...args], cwd);
  expect(resolved?.values).toEqual({ Language: 'de', Count: 2, Loud: true, Since: '2026-01-31', Note: 'b' });
  expect(await refusal(['run', 'greeting', '--pairwise'], cwd)).toEqual([
    2,
    expect.stringContaining('nothing that --pairwise could choose from'),
  ]);
});
