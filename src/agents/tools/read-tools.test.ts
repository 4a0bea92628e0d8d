import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Application } from './read-tools.fixture.ts';
import { createApplication, MATH, math, SCHEMA } from './read-tools.fixture.ts';

let application: Application;
let root: string;
beforeEach(() => {
  application = createApplication();
  ({ root } = application);
});
afterEach(() => application.remove());

const write: Application['write'] = (path, content) => application.write(path, content);
const read: Application['read'] = (mcp, env) => application.read(mcp, env);

const add = {
  name: 'add',
  process: 'agents.calc.tools.Add',
  parameters: { type: 'object' },
  args: [':arguments'],
};

async function problemsOf(mcp: unknown) {
  return (await read(mcp)).problems;
}

const paths = (...files: string[]) => files.map((file) => join(root, file));

test('no tools', async () => {
  const nothing = { servers: [], tool_loop: true, max_turn: 5, files: [], secrets: [], problems: [] };
  expect(await read(undefined)).toEqual(nothing);
  expect(await read({})).toEqual(nothing);
  expect(await read({ options: { tool_loop: false, max_turn: 2 } })).toEqual({
    ...nothing,
    tool_loop: false,
    max_turn: 2,
  });
});

test('functions of the assistant, with their schemas', async () => {
  write(
    MATH,
    `{ // the functions\n "label": "Math", "transport": "process",\n "tools": {"add": "agents.calc.tools.Add", "sub": "agents.calc.tools.Sub"}, }`,
  );
  const schema = {
    description: 'Adds two numbers.',
    properties: { a: { type: 'number' }, token: { type: 'string', description: 'costs $ENV.NOTHING' } },
    'x-group': 'math',
  };
  write(SCHEMA, { ...schema, 'x-process-args': ['$args.a', ':arguments', 7] });
  expect(await read({ servers: ['agents.calc.math'] })).toEqual({
    servers: [
      {
        id: 'agents.calc.math',
        transport: 'process',
        functions: [
          {
            name: 'add',
            process: 'agents.calc.tools.Add',
            description: 'Adds two numbers.',
            parameters: { type: 'object', ...schema },
            args: ['$args.a', ':arguments', 7],
          },
          { ...add, name: 'sub', process: 'agents.calc.tools.Sub' },
        ],
      },
    ],
    tool_loop: true,
    max_turn: 5,
    files: paths(MATH, 'assistants/calc/src/sum.ts', 'assistants/calc/src/tools.ts', SCHEMA),
    secrets: [],
    problems: [],
  });
});

test('finds servers of the application, of this assistant and of others, in folders too', async () => {
  write('mcps/web/search.mcp.yao', { transport: 'http', url: 'http://127.0.0.1:1/mcp' });
  write('assistants/calc/mcps/deep/er.mcp.yao', math);
  write('assistants/team/other/package.yao', '{}');
  write('assistants/team/other/mcps/math.mcp.yao', math);
  const { servers, problems } = await read({
    servers: [
      'web.search',
      'deep.er',
      'agents.team.other.math',
      { server_id: 'agents.calc.deep.er', tools: ['add'] },
    ],
  });
  expect(servers).toEqual([
    { id: 'web.search', transport: 'http', url: 'http://127.0.0.1:1/mcp', headers: {} },
    { id: 'agents.calc.deep.er', transport: 'process', functions: [add] },
    { id: 'agents.team.other.math', transport: 'process', functions: [add] },
  ]);
  expect(problems).toEqual([
    { message: 'mcp.servers[3]: agents.calc.deep.er is listed twice', at: 'package.yao:servers.3' },
  ]);
});

test('programs and addresses, with what must not be shown', async () => {
  write('tools/server', '#!/bin/sh\n');
  chmodSync(join(root, 'tools/server'), 0o755);
  write('server.js', '');
  write('mcps/local.mcp.yao', {
    transport: 'stdio',
    command: './tools/server',
    arguments: ['-v'],
    env: { API_KEY: '$ENV.KEY', DEPTH: 3 },
  });
  write('mcps/node.mcp.yao', { transport: 'stdio', command: 'node', args: ['server.js'] });
  write('mcps/web.mcp.yao', {
    transport: 'sse',
    url: 'https://me:password1@example.com/mcp',
    headers: { 'x-token': '$ENV.KEY' },
  });
  const key = 'k-1234567890';
  expect(
    await read({ servers: ['local', { server_id: 'node', tools: ['a'] }, 'web'] }, { KEY: key }),
  ).toEqual({
    servers: [
      {
        id: 'local',
        transport: 'stdio',
        command: join(root, 'tools/server'),
        arguments: ['-v'],
        env: { API_KEY: key, DEPTH: '3' },
        cwd: root,
      },
      {
        id: 'node',
        only: ['a'],
        transport: 'stdio',
        command: 'node',
        arguments: ['server.js'],
        env: {},
        cwd: root,
      },
      {
        id: 'web',
        transport: 'http',
        url: 'https://me:password1@example.com/mcp',
        headers: { 'x-token': key },
      },
    ],
    tool_loop: true,
    max_turn: 5,
    files: paths('mcps/local.mcp.yao', 'tools/server', 'mcps/node.mcp.yao', 'server.js', 'mcps/web.mcp.yao'),
    secrets: [key, 'password1', 'me:password1', Buffer.from('me:password1').toString('base64')],
    problems: [],
  });
});

test('the name of a function is no secret', async () => {
  write(MATH, { transport: 'process', tools: { get_token: 'agents.calc.tools.Add' } });
  expect((await read({ servers: ['math'] })).secrets).toEqual([]);
});

test('servers that do not exist', async () => {
  write(MATH, math);
  write('mcps/search.mcp.yao', math);
  expect(
    await problemsOf({ servers: ['agents.calc.maths', 'serch', 'agents.cal.zzz', '../x', 7, {}] }),
  ).toEqual([
    {
      message: 'mcp.servers[4]: expected the id of a tool server',
      at: 'package.yao:servers.4',
      hint: 'write "agents.<id>.<server>" or {"server_id": …, "tools": […]}',
    },
    {
      message: 'mcp.servers[5].server_id: is missing',
      at: 'package.yao:servers.5.server_id',
      hint: 'write "agents.<id>.<server>" or {"server_id": …, "tools": […]}',
    },
    {
      message:
        'mcp.servers[0]: no tool server "agents.calc.maths"; looked for assistants/calc/mcps/maths.mcp.yao',
      at: 'package.yao:servers.0',
      hint: 'did you mean agents.calc.math?',
    },
    {
      message:
        'mcp.servers[1]: no tool server "serch"; looked for mcps/serch.mcp.yao, assistants/calc/mcps/serch.mcp.yao',
      at: 'package.yao:servers.1',
      hint: 'did you mean search?',
    },
    {
      message: 'mcp.servers[2]: no tool server "agents.cal.zzz"; looked for assistants/cal/mcps/zzz.mcp.yao',
      at: 'package.yao:servers.2',
      hint: 'did you mean agents.calc.math?',
    },
    {
      message: 'mcp.servers[3]: "../x" is not the id of a tool server',
      at: 'package.yao:servers.3',
      hint: 'write agents.<id>.<server>',
    },
  ]);
});

test('what mcp may say', async () => {
  write(MATH, math);
  expect(await problemsOf([])).toEqual([
    {
      message: 'mcp: expected an object',
      at: 'package.yao:',
      hint: 'write {"servers": ["agents.<id>.<server>"]}',
    },
  ]);
  expect(
    await problemsOf({
      server: [],
      servers: [
        { server_id: 'math', tools: ['ad', 'zzz'], tool: 1 },
        { server_id: 'math', tools: 'add' },
      ],
      options: { max_turns: 3, max_turn: 0, tool_loop: 'yes' },
    }),
  ).toEqual([
    { message: 'mcp.server: unknown key', at: 'package.yao:server', hint: 'did you mean "servers"?' },
    {
      message: 'mcp.servers[0].tool: unknown key',
      at: 'package.yao:servers.0.tool',
      hint: 'did you mean "tools"?',
    },
    { message: 'mcp.servers[1].tools: expected a list of names', at: 'package.yao:servers.1.tools' },
    {
      message: 'mcp.options.max_turns: unknown key',
      at: 'package.yao:options.max_turns',
      hint: 'did you mean "max_turn"?',
    },
    { message: 'mcp.options.max_turn: expected a whole number from 1', at: 'package.yao:options.max_turn' },
    { message: 'mcp.options.tool_loop: expected true or false', at: 'package.yao:options.tool_loop' },
    {
      message: 'mcp.servers[0].tools[0]: agents.calc.math has no tool "ad"',
      at: 'package.yao:servers.0.tools.0',
      hint: 'did you mean "add"?',
    },
    {
      message: 'mcp.servers[0].tools[1]: agents.calc.math has no tool "zzz"',
      at: 'package.yao:servers.0.tools.1',
      hint: 'it has add',
    },
  ]);
});
