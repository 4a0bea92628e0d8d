// What people do with recordings: miss some, add some, prune them, compare them, and ask for what cannot be.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, endsIn, folder, outputsIn, readLog, write } from '../support/assay.ts';
import { serve } from '../support/http-server.ts';

const runIn = (cwd: string, ...args: string[]): ReturnType<typeof assay> =>
  assay(['test', '-i', 'cases.jsonl', '-o', 'log.jsonl', ...args], { cwd });

const ONE = `export default async ([{ content }]) => {
  try {
    return await (await fetch(process.env.BASE + '/ask', { method: 'POST', body: JSON.stringify({ question: content, model: process.env.MODEL ?? 'm1' }) })).text();
  } catch { return 'sorry, sorry'; }
};`;

/** A recorded run of one case; the server counts. */
async function recorded(cases: unknown[] = [{ id: 'a', input: 'one' }], ...args: string[]) {
  const server = await serve((_request, response, count) => void response.end(`answer ${String(count)}`));
  const cwd = folder({ 'agent.mjs': ONE, 'cases.jsonl': cases });
  const environment = { BASE: server.url };
  const run = (more: string[], env: Record<string, string> = environment) =>
    assay(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl', ...more], { cwd, env });
  expect((await run(['--record', 'tapes', ...args])).exitCode).toBe(0);
  return { server, cwd, run, log: join(cwd, 'log.jsonl'), env: environment };
}

test('a request without a recording is an error, whatever the agent makes of it', async () => {
  const { server, run, log, env: environment } = await recorded();
  const { exitCode } = await run(['--replay', 'tapes'], { ...environment, MODEL: 'm2' });
  expect(exitCode).toBe(3);
  expect(server.received).toHaveLength(1);
  expect(endsIn(log)).toEqual({
    a: `error | replay | no recording of POST ${server.url}/ask: json.model was "m1", is "m2" (nearest: request 1 of the recording)`,
  });
});

test('the history says which runs were replayed', async () => {
  const { cwd, run } = await recorded();
  expect((await run(['--replay', 'tapes'])).exitCode).toBe(0);
  const history = await assay(['history'], { cwd });
  expect(history.stdout.split('\n').map((line) => line.endsWith('  replayed'))).toEqual([true, false, false]);
  const shown = await assay(['show', 'latest'], { cwd });
  expect(shown.stdout).toContain('\n  traffic: replayed from tapes\n');
});

test('a case, or a run of it, that was never recorded', async () => {
  const { cwd, run, log } = await recorded();
  expect((await run(['--replay', 'tapes', '--runs', '2'])).exitCode).toBe(3);
  expect(readLog(log).results.map(({ status, code, error }) => [status, code, error])).toEqual([
    ['passed', undefined, undefined],
    [
      'error',
      'replay',
      expect.stringContaining(
        'cases.jsonl/a.tape.json has 1 run of the case and not run 2; record with --runs 2 or more',
      ) as string,
    ],
  ]);
  write(join(cwd, 'cases.jsonl'), [{ id: 'new', input: 'one' }]);
  expect((await run(['--replay', 'tapes'])).exitCode).toBe(3);
  expect(endsIn(log)['new']).toContain('the case was never recorded (there is no cases.jsonl/new.tape.json)');
});

test('--record-missing records what is not there and keeps what is', async () => {
  const { server, cwd, run, log } = await recorded();
  write(join(cwd, 'cases.jsonl'), [
    { id: 'a', input: 'one' },
    { id: 'b', input: 'two' },
  ]);
  expect((await run(['--replay', 'tapes', '--record-missing'])).exitCode).toBe(0);
  expect(outputsIn(log)).toEqual({ a: 'answer 1', b: 'answer 2' });
  expect((await run(['--replay', 'tapes', '--parallel', '2'])).exitCode).toBe(0);
  expect(outputsIn(log)).toEqual({ a: 'answer 1', b: 'answer 2' });
  expect(server.received).toHaveLength(2);
});

test('unused recordings are reported, listed and pruned', async () => {
  const cases = [
    { id: 'a', input: 'one' },
    { id: 'gone', input: 'two' },
  ];
  const { cwd, run } = await recorded(cases);
  write(join(cwd, 'cases.jsonl'), cases.slice(0, 1));
  write(join(cwd, 'agent.mjs'), 'export default () => "alone";');
  const replayed = await run(['--replay', 'tapes']);
  expect(replayed.exitCode).toBe(0);
  expect(replayed.stdout).toContain(
    '  Not used: 1 request in 1 tape and 1 tape of other cases; assay tapes prune tapes removes them\n',
  );
  const tapes = async (...args: string[]) => (await assay(['tapes', ...args], { cwd })).stdout;
  expect(await tapes('tapes')).toMatch(
    /^cases\.jsonl\n {2}a {5}1 run, 1 request, \d+ bytes\n {2}gone {2}1 run, 1 request, \d+ bytes\n\n2 tapes, 2 requests, /,
  );
  const said = 'from tapes:\n  cases.jsonl/gone.tape.json\n  cases.jsonl/a.tape.json: 1 request\n';
  expect(await tapes('prune', 'tapes', '--dry-run')).toBe(`Would remove ${said}`);
  expect(await tapes('prune', 'tapes')).toBe(`Removed ${said}`);
  expect(JSON.parse(await tapes('list', 'tapes', '--json'))).toMatchObject({
    tapes: [{ file: 'cases.jsonl/a.tape.json', case: 'a', runs: 1, requests: 0 }],
  });
  expect(await tapes('prune', 'tapes')).toBe(
    'Nothing to remove: the last replay used everything it was asked about.\n',
  );
});

test('two recordings are compared', async () => {
  const { cwd, run } = await recorded([
    { id: 'a', input: 'one' },
    { id: 'b', input: 'two' },
  ]);
  write(join(cwd, 'cases.jsonl'), [
    { id: 'a', input: 'one' },
    { id: 'c', input: 'two' },
  ]);
  expect((await run(['--record', 'tonight'])).exitCode).toBe(0);
  const diff = await assay(['tapes', 'diff', 'tapes', 'tonight'], { cwd });
  expect([diff.exitCode, diff.stdout]).toEqual([
    1,
    expect.stringMatching(
      /^~ cases\.jsonl › a\n {4}run 1, request 1 {2}POST http:\S+\n {6}answer text: "answer 1" → "answer 3"\n\+ cases\.jsonl › c\n- cases\.jsonl › b\ntapes → tonight: 0 the same, 1 changed, 1 new, 1 gone\n$/,
    ) as string,
  ]);
  const same = await assay(['tapes', 'diff', 'tapes', 'tapes', '--json'], { cwd });
  expect([same.exitCode, JSON.parse(same.stdout)]).toEqual([
    0,
    { before: 'tapes', after: 'tapes', same: 2, changed: [], added: [], removed: [] },
  ]);
});

test('custom rules say which parts of a request are ignored', async () => {
  const { cwd, run, log, env: environment } = await recorded();
  write(join(cwd, 'app.yao'), {});
  write(join(cwd, 'assay.config.json'), { tapes: { replace: [{ pattern: 'm\\d', with: 'model' }] } });
  expect((await run(['--replay', 'tapes'], { ...environment, MODEL: 'm2' })).exitCode).toBe(0);
  write(join(cwd, 'assay.config.json'), { tapes: { ignore: ['model'] } });
  expect((await run(['--replay', 'tapes'], { ...environment, MODEL: 'x' })).exitCode).toBe(0);
  expect(outputsIn(log)).toEqual({ a: 'answer 1' });
});

test('connections that cannot be recorded are reported, and refused in a replay', async () => {
  const server = await serve((_request, response) => void response.end('hello'));
  const { port } = new URL(server.url);
  const agent = `import net from 'node:net';
export default () => new Promise((resolve, reject) => {
  const socket = net.connect(${port}, '127.0.0.1', () => { socket.end(); resolve('connected'); });
  socket.on('error', () => resolve('not connected'));
});`;
  const cwd = folder({ 'agent.mjs': agent, 'cases.jsonl': [{ id: 'a', input: 'x' }] });
  const run = (...args: string[]) => runIn(cwd, '-n', './agent.mjs', ...args);
  const record = await run('--record', 'tapes');
  expect(record.stdout).toContain(
    `Not recorded: connections to 127.0.0.1:${port}, made past fetch and node:http`,
  );
  expect((await run('--replay', 'tapes')).exitCode).toBe(3);
  expect(endsIn(join(cwd, 'log.jsonl'))['a']).toContain(
    `error | replay | a connection to 127.0.0.1:${port} cannot be replayed`,
  );
  write(join(cwd, 'app.yao'), {});
  write(join(cwd, 'assay.config.json'), { tapes: { allow: [`127.0.0.1:${port}`] } });
  expect((await run('--replay', 'tapes')).exitCode).toBe(0);
});

test('a command agent can be neither recorded nor replayed', async () => {
  const cwd = folder({
    'program/package.yao': { run: { command: ['node', '-e', '0'] } },
    'cases.jsonl': [{ id: 'a', input: 'x' }],
  });
  const { exitCode, stderr } = await runIn(cwd, '-n', 'program', '--record', 'tapes');
  expect([exitCode, stderr]).toEqual([
    2,
    'the traffic of program cannot be recorded or replayed: it is a program of its own\n' +
      '  hint: leave --record and --replay out, or test it as a module or behind a URL\n',
  ]);
  expect(readdirSync(cwd).sort()).toEqual(['cases.jsonl', 'program']);
});

test('a token that the program fetches once is found, whichever attempt asks for it', async () => {
  const server = await serve(({ url }, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(url === '/oauth/token' ? { access_token: 'tok-123456789' } : { fine: true }));
  });
  const agent = `let token;
const authorize = async () => (await (await fetch(process.env.BASE + '/oauth/token', { method: 'POST' })).json()).access_token;
export default async ([{ content }]) => {
  token ??= authorize();
  const headers = { authorization: 'Bearer ' + (await token) };
  return (await fetch(process.env.BASE + '/ask/' + content, { headers })).json();
};`;
  const cwd = folder({ 'agent.mjs': agent, 'cases.jsonl': ['a', 'b', 'c'].map((id) => ({ id, input: id })) });
  const run = (...args: string[]) =>
    assay(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl', ...args], {
      cwd,
      env: { BASE: server.url },
    });
  expect((await run('--record', 'tapes')).exitCode).toBe(0);
  expect(server.received.map(({ url }) => url)).toEqual(['/oauth/token', '/ask/a', '/ask/b', '/ask/c']);
  const last = await run('--replay', 'tapes', '--run', '^c$');
  expect([last.exitCode, last.stdout]).toEqual([0, expect.not.stringContaining('Not used') as string]);
  expect(server.received).toHaveLength(4);
});

test('a recorded timeout is a timeout again, without the wait', async () => {
  const server = await serve(({ url }, response) => {
    if (url !== '/never') response.end('fine');
  });
  const agent = `export default async () => {
  const first = await (await fetch(process.env.BASE + '/first')).text();
  return first + await (await fetch(process.env.BASE + '/never')).text();
};`;
  const cwd = folder({ 'agent.mjs': agent, 'cases.jsonl': [{ id: 'a', input: 'x', timeout: '700ms' }] });
  const run = (...args: string[]) =>
    assay(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl', '--retries', '0', ...args], {
      cwd,
      env: { BASE: server.url },
    });
  expect((await run('--record', 'tapes')).exitCode).toBe(1);
  const { results: recorded } = readLog(join(cwd, 'log.jsonl'));
  expect((await run('--replay', 'tapes')).exitCode).toBe(1);
  const { results } = readLog(join(cwd, 'log.jsonl'));
  expect(results).toEqual(recorded);
  expect(results).toMatchObject([{ status: 'timeout', error: 'timeout after 700ms' }]);
  expect(server.received.map(({ url }) => url)).toEqual(['/first', '/never']);
});

test('a recording that fails leaves the earlier one alone; keys are masked wherever they turn up', async () => {
  const server = await serve(({ headers, url }, response, count) => {
    const said = { key: headers.authorization, url, count };
    response
      .writeHead(count > 2 ? 429 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(said));
  });
  const cwd = folder({
    'assistants/echo/package.yao': {
      run: { http: { url: '$ENV.BASE', headers: { authorization: 'Bearer $ENV.KEY' } } },
    },
    'assistants/echo/tests/cases.jsonl': [{ id: 'a', input: 'x' }],
    'agent.mjs': `export default async () => {
  const headers = { authorization: 'Bearer ' + process.env.MY_KEY };
  const answer = await (await fetch(process.env.BASE + '/?token=' + process.env.OTHER, { headers })).text();
  console.log(process.env.THIRD_API_KEY);
  return answer;
};`,
  });
  const env = {
    BASE: server.url,
    KEY: 'sk-first-1',
    MY_KEY: 'sk-second-2',
    OTHER: 'sk-third-33',
    THIRD_API_KEY: 'sk-fourth-4',
  };
  const run = (...args: string[]) =>
    assay(['test', '-i', 'assistants/echo/tests/cases.jsonl', '-o', 'log.jsonl', '--retries', '0', ...args], {
      cwd,
      env,
    });
  expect((await run('--record', 'tapes')).exitCode).toBe(0);
  const file = join(cwd, 'tapes/assistants/echo/tests/cases.jsonl/a.tape.json');
  const before = readFileSync(file, 'utf8');
  expect((await run('-n', './agent.mjs', '--record', 'module')).exitCode).toBe(0);
  const texts = [
    before,
    readFileSync(file.replace('tapes', 'module'), 'utf8'),
    readFileSync(join(cwd, 'log.jsonl'), 'utf8'),
  ];
  expect(texts.join('')).not.toMatch(/sk-(?:first|second|third|fourth)/);

  const failed = await run('--record', 'tapes', '--runs', '2');
  expect([failed.exitCode, failed.stdout]).toEqual([
    3,
    expect.stringContaining(
      '  Recorded: 0 requests in 0 tapes in tapes\n  Not recorded: 2 runs that could not be measured; what was recorded of them before stays\n',
    ) as string,
  ]);
  expect(readFileSync(file, 'utf8')).toBe(before);
});

test('a reader that stops at the end mark, or in the middle, does so again', async () => {
  const server = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"a":1}\n\n');
    response.write('data: [DONE]\n\n');
    setTimeout(() => response.end('data: never read\n\n'), 300);
  });
  const agent = `export default async () => {
  let text = '';
  for await (const piece of (await fetch(process.env.BASE)).body) {
    text += Buffer.from(piece).toString();
    if (text.includes('[DONE]')) break;
  }
  return text.split('data: never')[0];
};`;
  const cwd = folder({ 'agent.mjs': agent, 'cases.jsonl': [{ id: 'a', input: 'x' }] });
  const run = (...args: string[]) =>
    assay(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl', ...args], {
      cwd,
      env: { BASE: server.url },
    });
  expect((await run('--record', 'tapes')).exitCode).toBe(0);
  const { results } = readLog(join(cwd, 'log.jsonl'));
  expect((await run('--replay', 'tapes')).exitCode).toBe(0);
  expect(readLog(join(cwd, 'log.jsonl')).results).toEqual(results);
  expect(results[0]?.output).toBe('data: {"a":1}\n\ndata: [DONE]\n\n');
});
