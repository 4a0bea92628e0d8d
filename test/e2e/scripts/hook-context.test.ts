// The context of script tests is that of hooks.

import { expect, test } from 'vitest';
import { application, resultsIn, runScripts } from '../support/script-files.ts';

test('ctx has messages, memories and tools, and its members can be mocked', async () => {
  const cwd = application(
    {
      'tools.ts':
        'function Add({ a, b }: any, ctx: any) { ctx.memory.chat.Set("sum", a + b); return a + b; }',
      'context_test.ts': `// @ts-nocheck
export function TestMembers(t, ctx) {
  t.assert.Equal(ctx.Send("hello"), "M1");
  t.assert.Equal(ctx.memory.user.Incr("n"), 1);
  t.assert.Equal(ctx.mcp.CallTool("math", "add", { a: 1, b: 2 }), 3);
  t.assert.Equal(ctx.memory.chat.Get("sum"), 3);
}
export function TestFresh(t, ctx) { t.assert.Equal(ctx.memory.user.Incr("n"), 1); }
export function TestMocked(t, ctx) {
  t.mock.method(ctx.search, "Web", (query) => ({ items: [query] }));
  t.assert.Equal(ctx.search.Web("q").items, ["q"]);
}
export function TestUnknown(t, ctx) { t.assert.Panic(() => ctx.Sned("x")); ctx.search.Web("q"); }`,
    },
    {
      'assistants/expense/mcps/math.mcp.yao': {
        transport: 'process',
        tools: { add: 'agents.expense.tools.Add' },
      },
    },
  );
  const { exitCode } = await runScripts(cwd);
  const results = resultsIn(cwd);
  const ends = Object.entries(results).map(([name, { status, error }]) => [name, status, error]);
  expect([exitCode, ends]).toEqual([
    3,
    [
      ['TestMembers', 'passed', undefined],
      ['TestFresh', 'passed', undefined],
      ['TestMocked', 'passed', undefined],
      ['TestUnknown', 'error', expect.stringContaining('ctx.search.Web needs a mock or a provider')],
    ],
  ]);
});
