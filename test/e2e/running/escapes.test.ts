// Children that leave their process group or session are ended with the run, whichever part starts them and whatever ends it.

import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folder, start, write } from '../support/assay.ts';
import { until } from '../../until.ts';

/** Starts children that leave the group, the session or their parent, in all ways a shell has. */
const ESCAPE = `
cd "$(dirname "$0")"
run='echo $$ >> pids; exec sleep 300'
setsid sh -c "$run" &
setsid -f sh -c "$run"
nohup sh -c "$run" > /dev/null 2>&1 &
(setsid sh -c "$run" < /dev/null > /dev/null 2>&1 &) &
(set -m; sh -c "trap '' TERM HUP; $run" < /dev/null > /dev/null 2>&1 &)
sh -c "setsid env -i sh -c '$run; :' & wait" < /dev/null > /dev/null 2>&1 &
until [ "$(wc -l < pids)" -ge 6 ]; do sleep 0.01; done
`;

/** Escapes, then ends in the way that the environment asks for. */
const ESCAPE_JS = `
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const home = process.env.ESCAPE_HOME;
const lines = () => (existsSync(join(home, 'pids')) ? readFileSync(join(home, 'pids'), 'utf8').split('\\n').length - 1 : 0);

export async function escape() {
  execFileSync('sh', [join(home, 'escape.sh')], { stdio: 'ignore' });
  for (const env of [process.env, {}]) {
    const code = 'require("fs").appendFileSync(' + JSON.stringify(join(home, 'pids')) + ', process.pid + "\\\\n"); setInterval(() => {}, 1000)';
    spawn(process.execPath, ['-e', code], { detached: true, stdio: 'ignore', env }).unref();
  }
  while (lines() < 8) await new Promise((done) => setTimeout(done, 10));
  if (process.env.ENDING === 'crash') process.kill(process.pid, 'SIGKILL');
  while (process.env.ENDING !== 'end' && !existsSync(join(home, 'go'))) await new Promise((done) => setTimeout(done, 10));
}
`;

const FILES = { 'app.yao': '{}', 'escape.sh': ESCAPE, 'escape.mjs': ESCAPE_JS };
const CASES = [{ id: 'T1', input: 'hi' }];
const IMPORT = `const { escape } = await import(process.env.ESCAPE_HOME + '/escape.mjs');`;

type Source = { files: Record<string, unknown>; args: string[] };

/** Who starts the children. */
const SOURCES: Record<string, Source> = {
  module: {
    files: {
      'agent.mjs': `export default async () => { ${IMPORT} await escape(); return 'ok'; }`,
      'cases.jsonl': CASES,
    },
    args: ['test', '-i', 'cases.jsonl', '-n', './agent.mjs'],
  },
  command: {
    files: {
      'assistants/cmd/package.yao': { run: { command: ['node', 'agent.mjs'] } },
      'assistants/cmd/agent.mjs': `${IMPORT} await escape(); console.log('ok');`,
      'cases.jsonl': CASES,
    },
    args: ['test', '-i', 'cases.jsonl', '-n', 'cmd'],
  },
  'script test': {
    files: {
      'assistants/cmd/package.yao': '{}',
      'assistants/cmd/src/escape_test.ts': `export async function TestEscape(t: any) { ${IMPORT} await escape(); }`,
    },
    args: ['test', '-i', 'scripts.cmd'],
  },
  'skill test': {
    files: {
      'skills/escape/SKILL.md': '---\nname: escape\ndescription: Escapes.\n---\n',
      'tests/escape.tests.mjs': `export default async () => { ${IMPORT} await escape(); return { passed: 1, failed: 0, errors: [] }; }`,
    },
    args: ['skills', 'all'],
  },
  hook: {
    files: {
      'agent.mjs': `export default () => 'ok'`,
      'scripts/env.ts': `export async function Before() { ${IMPORT} await escape(); }`,
      'cases.jsonl': [{ id: 'T1', input: 'hi', before: 'scripts.env.Before' }],
    },
    args: ['test', '-i', 'cases.jsonl', '-n', './agent.mjs'],
  },
  'hook of the run': {
    files: {
      'agent.mjs': `export default () => 'ok'`,
      'scripts/env.ts': `export async function BeforeAll() { ${IMPORT} await escape(); }`,
      'cases.jsonl': CASES,
    },
    args: ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--before-all', 'scripts.env.BeforeAll'],
  },
  'tool server': {
    files: {
      'assistants/chat/package.yao': { connector: 'small', mcp: { servers: ['agents.chat.tools'] } },
      'assistants/chat/prompts.yml': '- role: system\n  content: Be brief.\n',
      'assistants/chat/mcps/tools.mcp.yao': {
        transport: 'stdio',
        command: 'node',
        arguments: ['server.mjs'],
        env: { ESCAPE_HOME: '$ENV.ESCAPE_HOME', ENDING: '$ENV.ENDING' },
      },
      'connectors/small.conn.yao': {
        type: 'openai',
        options: { model: 'm', key: 'none', host: 'http://127.0.0.1:9' },
      },
      'server.mjs': `${IMPORT} await escape();`,
      'cases.jsonl': CASES,
    },
    args: ['test', '-i', 'cases.jsonl', '-n', 'chat', '--retries', '0'],
  },
  'run inside of a run': {
    files: {
      'outer.mjs': `import { spawn } from 'node:child_process';
        export default () => new Promise((done) => {
          const args = [process.env.ASSAY_CLI, 'test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'inner.jsonl'];
          spawn(process.execPath, args, { stdio: 'ignore' }).on('exit', (code) => done('exit ' + code));
        });`,
      'agent.mjs': `export default async () => { ${IMPORT} await escape(); return 'ok'; }`,
      'cases.jsonl': CASES,
    },
    args: ['test', '-i', 'cases.jsonl', '-n', './outer.mjs'],
  },
};

type End = { ending?: string; args?: string[]; signals?: NodeJS.Signals[]; onlyFor?: string[] };
const SOME = ['module', 'command', 'skill test', 'run inside of a run'];

/** What ends the run. */
const ENDS: Record<string, End> = {
  'its end': { ending: 'end' },
  'a timeout': { args: ['--timeout', '1500ms'] },
  'a crash of the process': { ending: 'crash' },
  'Ctrl-C': { signals: ['SIGINT'], onlyFor: SOME },
  'Ctrl-C twice': { signals: ['SIGINT', 'SIGINT'], onlyFor: SOME },
  'SIGTERM twice': { signals: ['SIGTERM', 'SIGTERM'], onlyFor: ['module'] },
  'kill -9': { signals: ['SIGKILL'] },
};

describe.each(Object.entries(SOURCES))('children of a %s are ended by', (name, source) => {
  const ends = Object.entries(ENDS).filter(([, { onlyFor = [name] }]) => onlyFor.includes(name));
  test.each(ends)('%s', async (_end, { ending = 'wait', args = [], signals = [] }) => {
    const cwd = folder({ ...FILES, ...source.files });
    const env = { ESCAPE_HOME: cwd, ENDING: ending, ASSAY_CLI: resolve('dist/cli.js') };
    const run = start([...source.args, '-o', 'log.jsonl', ...args], { cwd, env });
    await until(() => pidsIn(cwd).length === 8);
    const pids = pidsIn(cwd);
    for (const signal of signals) {
      run.child.kill(signal);
      await new Promise((done) => setTimeout(done, 100));
    }
    if (signals.length === 1) write(join(cwd, 'go'), '');
    await run.finished;
    // A killed process is gone a moment later, and the reaper works after the end of the coordinator.
    await until(() => !pids.some(isAlive), 5000);
  });
});

test('the end of a run does not touch the children of another one', async () => {
  const { files, args } = SOURCES['module'] as Source;
  const runs = ['wait', 'end'].map((ending) => {
    const cwd = folder({ ...FILES, ...files });
    return {
      cwd,
      run: start([...args, '-o', 'log.jsonl'], { cwd, env: { ESCAPE_HOME: cwd, ENDING: ending } }),
    };
  });
  const [waiting, ending] = runs as [(typeof runs)[0], (typeof runs)[0]];
  await until(() => runs.every(({ cwd }) => pidsIn(cwd).length === 8));
  await ending.run.finished;
  await until(() => !pidsIn(ending.cwd).some(isAlive), 5000);
  expect(pidsIn(waiting.cwd).filter(isAlive)).toHaveLength(8);
  write(join(waiting.cwd, 'go'), '');
  await waiting.run.finished;
  await until(() => !pidsIn(waiting.cwd).some(isAlive), 5000);
});

function pidsIn(cwd: string): number[] {
  const file = join(cwd, 'pids');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1).map(Number) : [];
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${String(pid)}/status`, 'utf8'));
  } catch {
    return false;
  }
}
