// Answers in place of members of the context, and the sandbox.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ResultEvent } from '../../../src/model/event.ts';
import { assay, endsIn, folder, outputsIn, readLog } from '../support/assay.ts';
import type { Finished } from '../support/assay.ts';

const INPUT = 'assistants/wild/tests/inputs.jsonl';

const next = (code: string, cases: unknown[], files: Record<string, unknown> = {}): string =>
  folder({
    'assistants/wild/package.yao': { name: 'Wild' },
    'assistants/wild/src/index.ts': `// @ts-nocheck\nfunction Next(ctx, { messages }) { const input = messages[0].content; return { data: ${code} } }`,
    [INPUT]: cases,
    ...files,
  });
const run = (cwd: string, ...args: string[]): Promise<Finished> =>
  assay(['test', '-i', INPUT, '-o', 'log.jsonl', '--retries', '0', ...args], { cwd });
const resultsIn = (cwd: string): ResultEvent[] => readLog(join(cwd, 'log.jsonl')).results;

const CODE = `[
  ctx.search.Web(input, { limit: 1 }),
  ctx.search.All([{ type: "web", query: "a" }, { type: "kb", query: "b" }]).map((one) => [one.type, one.query, one.items.length]),
  ctx.mcp.CallTool("orders", "find", { id: 1 }),
  ctx.mcp.CallTools("orders", [{ name: "find" }]),
  ctx.llm.Stream("gpt", "x").content,
  ctx.agent.Call("other", "x").content,
  ctx.agent.All([{ agent: "one", messages: "x" }])[0].agent_id,
]`;
const MOCKS = {
  'search.Web': { items: [{ title: 'Rome', url: 'https://example.com' }] },
  'ctx.search.KB': [{ items: [] }],
  'mcp.CallTool': [{ state: 'shipped' }, { state: 'lost' }],
  'llm.Stream': 'from the model',
  'agent.Call': { content: 'from the agent' },
};
const ANSWERS = [
  { type: 'web', query: 'q', source: 'mock', items: [{ title: 'Rome', url: 'https://example.com' }] },
  [
    ['web', 'a', 1],
    ['kb', 'b', 0],
  ],
  { state: 'shipped' },
  [{ state: 'lost' }],
  'from the model',
  'from the agent',
  'one',
];

test('mocks of a case answer, and again for every repetition', async () => {
  const tool = { type: 'tool_called', value: { name: 'find', arguments: { id: 1 } } };
  const cwd = next(CODE, [{ id: 'a', input: 'q', mocks: MOCKS, assert: tool }]);
  const { exitCode } = await run(cwd, '--runs', '2');
  expect([exitCode, resultsIn(cwd).map(({ output }) => output)]).toEqual([0, [ANSWERS, ANSWERS]]);
});

test('mocks of a before hook may be functions; data beside them reaches the after hook', async () => {
  const cwd = next(
    'ctx.search.Web(input).items',
    [{ id: 'a', input: 'q', before: 'Before', after: 'src/env_test.After' }],
    {
      'assistants/wild/src/env_test.ts': `// @ts-nocheck
function Before() { return { data: { port: 1 }, mocks: { "search.Web": (query) => ({ items: [query] }) } } }
function After(ctx, testCase, result, data) { console.log("after", JSON.stringify(data)) }`,
    },
  );
  const { exitCode } = await run(cwd);
  const [result] = resultsIn(cwd);
  expect([exitCode, result?.output, result?.logs]).toEqual([0, ['q'], ['after {"port":1}']]);
});

test('mocks reach agents that are called, and count their calls', async () => {
  const cwd = next(
    '[ctx.agent.Call("helper", "x").content, ctx.search.Web("q").items]',
    [{ id: 'a', input: 'x', mocks: { 'search.Web': [{ items: [1] }, { items: [2] }] } }],
    {
      'assistants/helper/package.yao': { name: 'Helper' },
      'assistants/helper/src/index.ts':
        '// @ts-nocheck\nfunction Next(ctx) { return { data: ctx.search.Web("h").items } }',
    },
  );
  const { exitCode } = await run(cwd);
  expect([exitCode, resultsIn(cwd)[0]?.output]).toEqual([0, ['[1]', [2]]]);
});

test('without a mock, search is an error that names the member', async () => {
  const cwd = next('ctx.search.Web(input)', [
    { id: 'none', input: 'q' },
    { id: 'used-up', input: 'q', mocks: { 'search.Web': [] } },
  ]);
  const { exitCode } = await run(cwd);
  expect([exitCode, endsIn(join(cwd, 'log.jsonl'))]).toEqual([
    1,
    {
      none: expect.stringMatching(
        /^error \| harness \| ctx\.search\.Web needs a mock or a provider: /,
      ) as string,
      'used-up': expect.stringMatching(
        /ctx\.search\.Web: its mock has 0 answers, and this is call 1/,
      ) as string,
    },
  ]);
});

test('a tool or an agent may provide the search', async () => {
  const files = {
    'assistants/wild/mcps/find.mcp.yao': { transport: 'process', tools: { find: 'agents.wild.tools.Find' } },
    'assistants/wild/src/tools.ts':
      'export function Find({ query, type }: any) { return [{ title: type + query }]; }',
    'assistants/finder/package.yao': { name: 'Finder' },
    'assistants/finder/src/index.ts': `// @ts-nocheck
function Next(ctx, { messages }) { return { data: { items: [JSON.parse(messages[0].content).query] } } }`,
  };
  const code = '[ctx.search.Web(input), ctx.search.All([{ type: "kb", query: "b" }])[0].items]';
  const outputs: unknown[] = [];
  for (const search of ['mcp:agents.wild.find.find', 'finder', 'mcp:agents.wild.find.none']) {
    const cwd = next(code, [{ id: 'a', input: 'q' }], {
      ...files,
      'assistants/wild/package.yao': { name: 'Wild', uses: { search } },
    });
    await run(cwd);
    outputs.push(outputsIn(join(cwd, 'log.jsonl'))['a']);
  }
  const web = { type: 'web', query: 'q' };
  expect(outputs).toEqual([
    [{ ...web, source: 'mcp:agents.wild.find.find', items: [{ title: 'webq' }] }, [{ title: 'kbb' }]],
    [{ ...web, source: 'finder', items: ['q'] }, ['b']],
    [
      {
        ...web,
        source: 'mcp:agents.wild.find.none',
        items: [],
        error: expect.stringContaining('no tool "none"') as string,
      },
      [],
    ],
  ]);
});

test('a mock of an unknown member is an error before anything runs', async () => {
  const cwd = next('1', [{ id: 'a', input: 'q', mocks: { 'search.Wbe': 1 } }]);
  const { exitCode, stderr } = await run(cwd);
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringMatching(/inputs\.jsonl:1: .*mocks.*did you mean "search\.Web"\?/),
  ]);
});

test('the sandbox is a folder of the attempt', async () => {
  const code = `(() => {
    const box = ctx.sandbox;
    if (box === undefined) return "none";
    if (input === "out") return box.ReadFile("../x");
    if (input === "fail") return box.Exec(["sh", "-c", "echo broken >&2; exit 4"]);
    box.WriteFile("deep/a.txt", "hello");
    return [box.workdir, box.ReadFile("deep/a.txt"), box.ListDir("deep"), box.ListDir(), box.Exec(["cat", "deep/a.txt"])];
  })()`;
  const cases = ['in', 'out', 'fail'].map((input) => ({ id: input, input }));
  const cwd = next(code, cases, { 'assistants/wild/package.yao': { name: 'Wild', sandbox: {} } });
  const { exitCode } = await run(cwd);
  const [workdir, ...rest] = outputsIn(join(cwd, 'log.jsonl'))['in'] as [string, ...unknown[]];
  const ends = endsIn(join(cwd, 'log.jsonl'));
  expect([exitCode, existsSync(workdir), rest]).toEqual([
    1,
    false,
    [
      'hello',
      [{ name: 'a.txt', size: 5, is_dir: false }],
      [{ name: 'deep', size: expect.any(Number) as number, is_dir: true }],
      'hello',
    ],
  ]);
  expect([ends['out'], ends['fail']]).toEqual([
    expect.stringContaining('ctx.sandbox.ReadFile: ../x is outside of the sandbox'),
    expect.stringContaining('ctx.sandbox.Exec: sh exited with 4: broken'),
  ]);

  const without = next('input === "ask" ? typeof ctx.sandbox : ctx.sandbox.ReadFile("x")', [
    { id: 'ask', input: 'ask' },
    { id: 'use', input: 'use' },
  ]);
  await run(without);
  expect(endsIn(join(without, 'log.jsonl'))).toEqual({
    ask: 'passed',
    use: expect.stringContaining('ctx.sandbox is not configured; add "sandbox": {} to package.yao') as string,
  });
});
