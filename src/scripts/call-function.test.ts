import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AgentDefinition } from '../model/agent.ts';
import { contextWith } from '../model/context.fixture.ts';
import { callFunction } from './call-function.ts';
import { checkFunction } from './check-function.ts';
import { hookFolder } from './locate-function.ts';

const context = contextWith({ chat_id: 'c', assistant_id: 'a', authorized: { user_id: 'eve' } });

const root = realpathSync(mkdtempSync(join(tmpdir(), 'assay-function-')));
const shop = join(root, 'assistants/shop');
const files: Record<string, string> = {
  'assistants/shop/package.yao': '{}',
  'assistants/shop/src/env_test.ts': `
    import { port } from './deep/port.ts';
    function Before(ctx: any, testCase: any) { return [ctx.User.ID, testCase.id, port]; }
    async function Slow() { await new Promise(() => {}); }
    function Throw() { throw new Error('boom'); }`,
  'assistants/shop/src/deep/port.ts':
    'export const port = 4711; export function Port() { return port; } export function Twice() {}',
  'assistants/shop/src/more.ts': 'export function Twice() {}',
  'assistants/shop/tests/helper.ts': 'function Prepare() { return "prepared"; }',
  'scripts/env.ts': 'function Before(...args: any[]) { return args.length; }',
  'src/env_test.ts': 'export function Before() { return "root"; }',
  'src/broken.ts': 'export function Before( {',
};
beforeAll(() => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
});
afterAll(() => rmSync(root, { recursive: true }));

function call(reference: string, folder?: string, signal = new AbortController().signal): Promise<unknown> {
  return callFunction(reference, (ctx) => [ctx, { id: 'one' }], { root, folder, context, signal });
}

test('calls functions of an assistant and scripts by their full name, exported or not', async () => {
  expect(await call('env_test.Before', shop)).toEqual(['eve', 'one', 4711]);
  expect(await call('deep.port.Port', shop)).toBe(4711);
  expect(await call('scripts.env.Before', shop)).toBe(2);
  expect(await call('agents.shop.env_test.Before')).toEqual(['eve', 'one', 4711]);
  expect(await call('env_test.Before')).toBe('root');
});

test('all spellings of a hook lead to its function', async () => {
  const spelt = ['Before', 'env_test.Before', 'src/env_test.Before'];
  for (const reference of spelt) expect(await call(reference, shop)).toEqual(['eve', 'one', 4711]);
  expect(await call('src/deep/port.Port', shop)).toBe(4711);
  expect(await call('deep/port.Port', shop)).toBe(4711);
  expect(await call('scripts:env.Before', shop)).toBe(2);
  expect(await call('tests/helper.Prepare', shop)).toBe('prepared');
  const problemOf = (reference: string): Promise<unknown> =>
    checkFunction(reference, { root, folder: shop, cwd: root }).catch((error: unknown) => String(error));
  expect(await problemOf('Twice')).toContain(
    'several files have this function: assistants/shop/src/deep/port.ts, assistants/shop/src/more.ts; write <module>.Twice',
  );
  expect(await problemOf('Befor')).toContain(
    'Befor: no function "Befor" in the files of assistants/shop/src',
  );
  expect(await problemOf('Befor')).toContain('did you mean "Before"?');
  expect(await problemOf('tests/none.Fn')).toContain(
    'looked for assistants/shop/tests/none.ts, assistants/shop/src/tests/none.ts',
  );
});

test('throws what the function throws, and stops waiting when the signal says so', async () => {
  await expect(call('env_test.Throw', shop)).rejects.toThrow(new Error('boom'));
  await expect(call('env_test.None', shop)).rejects.toMatchObject({ name: 'AttemptError', code: 'harness' });
  const controller = new AbortController();
  const slow = call('env_test.Slow', shop, controller.signal);
  controller.abort(new Error('too late'));
  await expect(slow).rejects.toThrow(new Error('too late'));
});

test('checks a function without running it and gives its files', async () => {
  const check = (reference: string): ReturnType<typeof checkFunction> =>
    checkFunction(reference, { root, folder: shop, cwd: root });
  const found = await check('env_test.Before');
  expect(found.files.sort()).toEqual([join(shop, 'src/deep/port.ts'), join(shop, 'src/env_test.ts')]);
  await expect(check('env_test.Befor')).rejects.toThrow(
    'env_test.Befor: no function "Befor" in assistants/shop/src/env_test.ts; did you mean "Before"?',
  );
  await expect(check('none.Before')).rejects.toThrow(
    `none.Before: no such module; looked for assistants/shop/src/none.ts below ${root}`,
  );
  await expect(check('bad name')).rejects.toThrow('"bad name" is not the name of a function');
  await expect(check('../x.Before')).rejects.toThrow('"../x.Before" is not the name of a function');
  await expect(checkFunction('broken.Before', { root, cwd: root })).rejects.toMatchObject({
    name: 'ConfigError',
    problems: [{ at: 'src/broken.ts' }],
  });
});

test('looks in the assistant first, then around the cases up to the root', () => {
  const module: AgentDefinition = { id: 'm', run: { type: 'module', file: join(root, 'agent.ts') } };
  const assistant: AgentDefinition = {
    id: 'shop',
    run: { type: 'assistant', folder: shop, tool_loop: false, max_turn: 1 },
  };
  const tests = join(shop, 'tests');
  const folders = [
    hookFolder('env_test.Before', { agent: assistant, base: root, root }),
    hookFolder('env_test.Before', { agent: module, base: tests, root }),
    hookFolder('env_test.Before', { agent: module, base: join(root, 'elsewhere/deep'), root }),
    hookFolder('none.Before', { agent: module, base: tests, root }),
    hookFolder('none.Before', { agent: module, base: '/elsewhere', root }),
  ];
  expect(folders).toEqual([shop, shop, root, tests, root]);
});
