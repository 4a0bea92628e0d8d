import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { contextWith } from '../../model/context.fixture.ts';
import type { ProcessTool, ToolServer } from '../../model/tool-server.ts';
import { openToolbox } from './toolbox.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-toolbox-'));
afterAll(() => rmSync(folder, { recursive: true }));

const never = new AbortController().signal;
const context = contextWith({ assistant_id: 'calc' });

const tool = (name: string, description?: string): ProcessTool => ({
  name,
  process: 'agents.calc.tools.Add',
  parameters: { type: 'object' },
  args: [':arguments'],
  ...(description !== undefined && { description }),
});
const math: ToolServer = {
  id: 'agents.calc.math',
  transport: 'process',
  functions: [tool('add', 'Adds.'), tool('sub')],
};

/** A program that has the tools `one` and, several times, `two`. */
function program(): ToolServer {
  const file = join(folder, 'server.cjs');
  writeFileSync(
    file,
    `const tools = ['one', 'two', 'two', 'two'].map((name) => ({ name, inputSchema: { type: 'object' } }));
    const answers = {
      initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }),
      'tools/list': () => ({ tools }),
    };
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method](params) }));
    });`,
  );
  return {
    id: 'local',
    transport: 'stdio',
    command: process.execPath,
    arguments: [file],
    env: {},
    cwd: folder,
  };
}

test('offers the tools of all servers under names that models accept', async () => {
  const toolbox = openToolbox([math, program()]);
  const parameters = { type: 'object' };
  const local = { server: 'local', parameters };
  expect(await toolbox.tools(never)).toEqual([
    {
      name: 'agents_calc_math__add',
      server: 'agents.calc.math',
      tool: 'add',
      description: 'Adds.',
      parameters,
    },
    { name: 'agents_calc_math__sub', server: 'agents.calc.math', tool: 'sub', parameters },
    { name: 'local__one', tool: 'one', ...local },
    { name: 'local__two', tool: 'two', ...local },
  ]);
});

test('offers only the tools that are wanted', async () => {
  const namesOf = async (server: ToolServer) =>
    (await openToolbox([server]).tools(never)).map(({ name }) => name);
  expect(await namesOf({ ...math, only: ['sub'] })).toEqual(['agents_calc_math__sub']);
  expect(await namesOf({ ...program(), only: ['one'] })).toEqual(['local__one']);
  await expect(namesOf({ ...program(), only: ['tow'] })).rejects.toMatchObject({
    code: 'protocol',
    isFinal: true,
    message: 'tool server local has no tool "tow"; did you mean "two"?',
  });
});

test('a tool of nobody cannot be called', async () => {
  const deps = { root: folder, context, signal: never };
  const toolbox = openToolbox([math]);
  const work = [
    toolbox.call({ name: 'x', server: 'x', tool: 'x', parameters: {} }, {}, deps),
    toolbox.call({ name: 'x', server: 'agents.calc.math', tool: 'x', parameters: {} }, {}, deps),
  ];
  expect(await Promise.all(work.map((call) => call.catch((error: unknown) => String(error))))).toEqual([
    'AttemptError: no tool server x',
    'AttemptError: tool server agents.calc.math has no tool x',
  ]);
});
