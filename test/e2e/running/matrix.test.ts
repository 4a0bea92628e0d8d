// `assay test --matrix`: the same cases with several agents, connectors and values, without a definition.

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { assay, folder, readLog } from '../support/assay.ts';
import type { ResultEvent } from '../../../src/model/event.ts';
import { eventsInHtml } from '../support/html-events.ts';
import { env, modelServer, openai } from '../support/assistant-files.ts';

const agent = (name: string): string =>
  `export default (messages, ctx) => '${name} ' + messages.at(-1).content + ' ' + JSON.stringify(ctx.variables ?? {});\n`;

const files = {
  'package.json': {},
  'a.mjs': agent('a'),
  'b.mjs': agent('b'),
  'cases.jsonl': [
    { id: 'tone', input: 'be {{Tone}}', assert: { type: 'contains', value: 'be {{Tone}}' } },
    { id: 'only-a', input: 'hi', assert: { type: 'regex', value: '^a ' } },
  ],
};
const AGENTS = ['--matrix', 'agent=./a.mjs,./b.mjs'];
const TONES = ['--matrix', 'Tone=kind,rude'];

const runs = (results: readonly ResultEvent[]): unknown[] =>
  results.map(({ id, status, variables }) => [id, status, variables]);

describe('agents and values', () => {
  const args = ['test', '-i', 'cases.jsonl', ...AGENTS, ...TONES, '-o', 'log.jsonl'];

  test('every combination is a result of its own, in the log and in every report', async () => {
    const cwd = folder(files);
    const reports = ['-o', 'r.json', '-o', 'r.md', '-o', 'r.html'];
    const { exitCode, stdout, stderr } = await assay([...args, ...reports], { cwd });
    expect([exitCode, stderr]).toEqual([
      1,
      'Matrix of agent (2) × Tone (2): 1 test in 4 combinations, 8 cases, 8 attempts.\n',
    ]);
    expect(stdout.match(/Input: .*/g)).toEqual(['Input: cases.jsonl']);
    expect(stdout).toContain('✗ only-a [agent=./b.mjs, Tone=kind]');
    expect(stdout).toMatch(/agent {4}passed .*\n {2}\.\/a\.mjs {5}4\/4 .*\n {2}\.\/b\.mjs {5}2\/4 /);

    const { start, results } = readLog(join(cwd, 'log.jsonl'));
    expect(start.matrix).toEqual({ agent: ['./a.mjs', './b.mjs'], Tone: ['kind', 'rude'] });
    const of = (one: string, Tone: string): unknown => ({ agent: one, Tone });
    expect(runs(results)).toEqual([
      ['tone', 'passed', of('./a.mjs', 'kind')],
      ['only-a', 'passed', of('./a.mjs', 'kind')],
      ['tone', 'passed', of('./a.mjs', 'rude')],
      ['only-a', 'passed', of('./a.mjs', 'rude')],
      ['tone', 'passed', of('./b.mjs', 'kind')],
      ['only-a', 'failed', of('./b.mjs', 'kind')],
      ['tone', 'passed', of('./b.mjs', 'rude')],
      ['only-a', 'failed', of('./b.mjs', 'rude')],
    ]);
    expect(new Set(results.map(({ key }) => key)).size).toBe(8);
    expect(results.map(({ agent_id }) => agent_id)).toEqual([
      ...Array.from({ length: 4 }, () => 'a.mjs'),
      ...Array.from({ length: 4 }, () => 'b.mjs'),
    ]);

    const json = JSON.parse(readText(cwd, 'r.json')) as { by_variable: Record<string, { value: string }[]> };
    expect(json.by_variable['agent']?.map(({ value }) => value)).toEqual(['./a.mjs', './b.mjs']);
    expect(readText(cwd, 'r.md')).toContain('| ./b.mjs | 4     | 2 ');
    expect(eventsInHtml(readText(cwd, 'r.html'))[0]).toMatchObject({ matrix: start.matrix });
  });

  test('--failed, --resume, --dry-run and assay plan mean the same combinations', async () => {
    const cwd = folder(files);
    await assay(args, { cwd });
    const failed = await assay(['test', '--failed', 'log.jsonl', '-o', 'again.jsonl'], { cwd });
    expect(failed.exitCode).toBe(1);
    const again = readLog(join(cwd, 'again.jsonl')).results;
    expect(runs(again)).toEqual([
      ['only-a', 'failed', { agent: './b.mjs', Tone: 'kind' }],
      ['only-a', 'failed', { agent: './b.mjs', Tone: 'rude' }],
    ]);
    const more = await assay(['test', '--resume', 'log.jsonl', '--runs', '2'], { cwd });
    expect(more.exitCode).toBe(1);
    expect(readLog(join(cwd, 'log.jsonl')).results).toHaveLength(16);

    const dry = await assay([...args.slice(0, -2), '--dry-run', '--json'], { cwd });
    expect(JSON.parse(dry.stdout)).toMatchObject({ total_cases: 8, total_runs: 8 });
    const plan = await assay(['plan', ...args.slice(0, -2), '--json'], { cwd });
    expect(JSON.parse(plan.stdout)).toMatchObject({ attempts: 8 });

    const other = await assay(['test', '--failed', 'log.jsonl', ...TONES], { cwd });
    expect([other.exitCode, other.stderr]).toEqual([
      2,
      expect.stringContaining('--failed runs the combinations of the earlier run again'),
    ]);
  });

  test('--pairwise, --max-attempts and --yes', async () => {
    const cwd = folder(files);
    const three = ['test', '-i', 'cases.jsonl', ...AGENTS, ...TONES, '--matrix', 'Temperature=0,1'];
    const json = async (more: string[]): Promise<unknown> =>
      (JSON.parse((await assay([...three, ...more, '--json'], { cwd })).stdout) as { summary: unknown })
        .summary;
    expect(await json([])).toMatchObject({ total: 16 });
    expect(await json(['--pairwise', '-o', 'pairs.jsonl'])).toMatchObject({ total: 8 });
    await assay(['test', '--resume', 'pairs.jsonl', '--runs', '2'], { cwd });
    expect(readLog(join(cwd, 'pairs.jsonl')).results).toHaveLength(16);
    const many = await assay([...three, '--max-attempts', '15'], { cwd });
    expect([many.exitCode, many.stderr]).toEqual([
      2,
      expect.stringContaining('this would be 16 attempts, more than 15'),
    ]);
    expect(await json(['--max-attempts', '15', '--yes'])).toMatchObject({ total: 16 });
  });

  test('messages are numbered as without a matrix, also when they are resumed', async () => {
    const cwd = folder(files);
    const said = ['test', '-i', 'hello {{Tone}}', '-i', 'bye', '-n', './a.mjs', ...TONES, '-o', 'log.jsonl'];
    await assay(said, { cwd });
    await assay(['test', '--resume', 'log.jsonl', '--runs', '2'], { cwd });
    const { results } = readLog(join(cwd, 'log.jsonl'));
    const seen = results.map(
      ({ test_id, run, variables }) => `${test_id} ${run} ${String(variables?.['Tone'])}`,
    );
    expect(seen.toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
      'message 1 kind',
      'message 1 rude',
      'message 2 kind',
      'message 2 rude',
      'message-2 1 kind',
      'message-2 1 rude',
      'message-2 2 kind',
      'message-2 2 rude',
    ]);
    expect(results[0]?.output).toBe('a hello kind {"Tone":"kind"}');
  });

  test('`vars` of a case decide about the type of a value', async () => {
    const typed = { id: 'n', input: 'x', vars: { Count: 1 }, metadata: { n: '{{Count}}' } };
    const cwd = folder({
      'package.json': {},
      'a.mjs': 'export default (_messages, ctx) => JSON.stringify(ctx.metadata.n);\n',
      'cases.jsonl': [typed],
    });
    const argv = ['test', '-i', 'cases.jsonl', '-n', './a.mjs', '--matrix', 'Count=2,3', '-o', 'log.jsonl'];
    await assay(argv, { cwd });
    expect(readLog(join(cwd, 'log.jsonl')).results.map(({ output }) => output)).toEqual(['2', '3']);
  });
});

describe('connectors', () => {
  test('reach the model, together with a judge that chooses between them', async () => {
    const server = await modelServer(({ body }) =>
      body['model'] === 'judge' ? '{"best": 1, "reason": "kinder"}' : `from ${String(body['model'])}`,
    );
    const best = { type: 'select_best', connector: 'judge', value: 'the kinder one' };
    const cwd = folder({
      'assistants/chat/package.yao': { connector: 'small' },
      'assistants/chat/prompts.yml': '- role: system\n  content: Be brief.\n',
      'connectors/small.conn.yao': openai(server.url, { model: 'small' }),
      'connectors/big.conn.yao': openai(server.url, { model: 'big' }),
      'connectors/judge.conn.yao': openai(server.url, { model: 'judge' }),
      'cases.jsonl': [{ id: 'a', input: 'hi', assert: best }],
    });
    const args = ['test', '-i', 'cases.jsonl', '-n', 'chat', '--matrix', 'connector=small,big'];
    const heat = ['--matrix', 'Temperature=0,1', '-o', 'log.jsonl'];
    expect((await assay([...args, ...heat], { cwd, env })).exitCode).toBe(0);
    const { start, results, events } = readLog(join(cwd, 'log.jsonl'));
    expect(start).toMatchObject({ matrix: { connector: ['small', 'big'], Temperature: [0, 1] } });
    expect(start.connector).toBe(undefined);
    expect(results.map(({ output }) => output)).toEqual(['from small', 'from small', 'from big', 'from big']);
    expect(
      server.requests.filter(({ body }) => body['model'] !== 'judge').map(({ body }) => body['temperature']),
    ).toEqual([0, 1, 0, 1]);
    const selections = events.filter(({ type }) => type === 'selection');
    expect(selections).toMatchObject([
      { id: 'a', choices: [{}, {}, {}, {}], best: { connector: expect.any(String) } },
    ]);

    const unknown = await assay(['test', '-i', 'hi', '-n', 'chat', '--matrix', 'connector=small,bg'], {
      cwd,
      env,
    });
    expect([unknown.exitCode, unknown.stderr]).toEqual([2, expect.stringContaining('did you mean big?')]);
  });

  test('have one tape for each combination', async () => {
    const server = await modelServer(({ body }) => `from ${String(body['model'])}`);
    const cwd = folder({
      'assistants/chat/package.yao': { connector: 'small' },
      'assistants/chat/prompts.yml': '- role: system\n  content: Be brief.\n',
      'connectors/small.conn.yao': openai(server.url, { model: 'small' }),
      'connectors/big.conn.yao': openai(server.url, { model: 'big' }),
      'cases.jsonl': [{ id: 'a', input: 'hi' }],
    });
    const args = ['test', '-i', 'cases.jsonl', '-n', 'chat', '--matrix', 'connector=small,big'];
    await assay([...args, '--record', 'tapes'], { cwd, env });
    const replayed = await assay([...args, '--replay', 'tapes', '-o', 'log.jsonl'], { cwd });
    expect(replayed.exitCode).toBe(0);
    expect(server.requests).toHaveLength(2);
    expect(readLog(join(cwd, 'log.jsonl')).results.map(({ output }) => output)).toEqual([
      'from small',
      'from big',
    ]);
  });
});

describe('refused or told', () => {
  const cases: [string, string[], string][] = [
    [
      'both names of the connector',
      ['--matrix', 'connector=x', '--matrix', 'AIConfiguration=y'],
      'the same axis',
    ],
    ['-c beside it', ['-c', 'x', '--matrix', 'connector=x,y'], '-c and --matrix connector both choose'],
    [
      '--var beside it',
      ['--var', 'AIConfiguration=x', '--matrix', 'connector=x,y'],
      'both choose the connector',
    ],
    ['a value twice', ['--matrix', 'Tone=a,b,a'], 'Tone: "a" is in the list twice'],
    ['a number twice', ['--matrix', 'Temperature=0,0.0'], 'Temperature: "0" is in the list twice'],
    ['an empty list', ['--matrix', 'Tone='], '"Tone=" has an empty value'],
    ['no list', ['--matrix', 'Tone'], '"Tone" is no assignment'],
    ['a name that is none', ['--matrix', 'my-tone=a,b'], '"my-tone" cannot be the name of a variable'],
    ['a name nobody uses, nearly one', ['--matrix', 'Tnoe=a,b'], 'did you mean Tone?'],
    ['a secret', ['--matrix', 'ApiKey=a,b'], 'ApiKey cannot be varied'],
    ['an address with a secret', ['--matrix', 'agent=http://me:geheim1@127.0.0.1:1/'], 'with a secret in it'],
    ['an agent that is not there', ['--matrix', 'agent=./a.mjs,./c.mjs'], 'no agent "./c.mjs"'],
    ['--pairwise without a matrix', ['--pairwise'], 'there is nothing that --pairwise could choose from'],
  ];
  test.each(cases)('%s', async (_name, args, message) => {
    const cwd = folder(files);
    const { exitCode, stderr, stdout } = await assay(
      ['test', '-i', 'cases.jsonl', '-n', './a.mjs', ...args],
      { cwd },
    );
    expect([exitCode, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
  });

  test('a name that only the agent could use is noted, and -n beside agents', async () => {
    const cwd = folder(files);
    const args = ['test', '-i', 'cases.jsonl', '-n', './a.mjs', ...AGENTS, '--matrix', 'connector=x,y'];
    const { exitCode, stderr } = await assay(args, { cwd });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('-n has no effect: --matrix agent names the agents');
    expect(stderr).toContain('--matrix connector: no case has {{connector}}');
  });
});

describe('definitions', () => {
  const definition = {
    id: 'greet',
    name: 'Greet',
    type: 'agent-eval',
    input: '../cases.jsonl',
    agent: '../b.mjs',
  };
  const variables = { variables: { Tone: { exposed: true } } };
  const tone = {
    name: 'Tone',
    displayName: 'Tone',
    dataType: 'string',
    valueSource: 'freeform',
    required: false,
  };
  const application = (suite: object): string =>
    folder({
      ...files,
      'app.yao': '{}',
      'tests/c.mjs': agent('c'),
      'tests/toned.type.json': {
        id: 'toned',
        name: 'Toned',
        kind: 'agent-eval',
        variablesSchema: { schemaVersion: '1.0', variables: [{ ...tone, defaultValue: 'calm' }] },
      },
      'tests/greet.test.json': { ...definition, type: 'toned', variables },
      'tests/all.suite.json': { id: 'all', name: 'All', tests: ['*'], ...suite },
    });

  test('vary agents, too: by a flag from the working directory, in a suite from its file', async () => {
    const cwd = application({ matrix: { agent: ['./c.mjs', '../a.mjs'] } });
    expect((await assay(['validate'], { cwd })).exitCode).toBe(0);
    await assay(['suite', 'all', '-o', 'suite.jsonl'], { cwd });
    const answers = (log: string): unknown[] =>
      readLog(join(cwd, log)).results.map(({ output }) => String(output).split(' ')[0]);
    expect(answers('suite.jsonl')).toEqual(['c', 'c', 'a', 'a']);
    await assay(['suite', 'all', ...AGENTS, '-o', 'flags.jsonl'], { cwd });
    expect(answers('flags.jsonl')).toEqual(['a', 'a', 'b', 'b']);
    await assay(['run', 'greet', ...AGENTS, '-o', 'run.jsonl'], { cwd });
    expect(answers('run.jsonl')).toEqual(['a', 'a', 'b', 'b']);
    const typed = await assay(['suite', 'all', '-n', './a.mjs'], { cwd });
    expect([typed.exitCode, typed.stderr]).toEqual([
      2,
      expect.stringContaining('-n and the matrix of the suite'),
    ]);
  });

  test('the connector by two names is refused, in a suite and beside one', async () => {
    const beside = application({ matrix: { connector: ['x', 'y'] } });
    const flag = await assay(['suite', 'all', '--matrix', 'AIConfiguration=z'], { cwd: beside });
    expect([flag.exitCode, flag.stderr]).toEqual([2, expect.stringContaining('AIConfiguration')]);
    const both = application({ matrix: { connector: ['x'], AIConfiguration: ['y'] } });
    const validated = await assay(['validate'], { cwd: both });
    expect([validated.exitCode, validated.stderr]).toEqual([2, expect.stringContaining('the same axis')]);
    const twice = application({ matrix: { agent: ['./c.mjs', './c.mjs'] } });
    const repeated = await assay(['validate'], { cwd: twice });
    expect([repeated.exitCode, repeated.stderr]).toEqual([
      2,
      expect.stringContaining('is in the list twice'),
    ]);
  });
});

function readText(cwd: string, file: string): string {
  return readFileSync(join(cwd, file), 'utf8');
}
