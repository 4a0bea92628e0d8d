import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const compiler = resolve('node_modules/@typescript/native/bin/tsc');
const types = resolve('types/testing.d.ts');

/** What the compiler says about a test file whose project has these types and no others. */
function complaints(source: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'assay-types-'));
  try {
    writeFileSync(join(folder, 'sample_test.ts'), source);
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'ES2023',
      lib: ['ES2023'],
      module: 'NodeNext',
      types: [],
    };
    const project = { compilerOptions, files: ['sample_test.ts', types] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));
    const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder], {
      cwd: folder,
      encoding: 'utf8',
    });
    // What is indented explains the line above.
    return stdout.split('\n').filter((line) => line !== '' && !line.startsWith(' '));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('a test file is checked without any import', () => {
  const source = `
    function Setup(ctx: agent.Context, data: { id: number }) {
      return { id: data.id, user: ctx.User.ID };
    }
    async function TestSetup(t: testing.T, ctx: agent.Context) {
      const { assert, log } = t;
      const result = Setup(ctx, { id: 1 });
      const isSame: boolean = assert.Equal(result.id, 1, 'row %d', 1);
      ctx.User = null;
      ctx.Metadata['order'].items[0].price = 5;
      ctx.memory.chat.Set('a', 1);
      log(isSame, t.name, t.failed, ctx.AssistantID, ctx.authorized.user_id);
      const sync: boolean = assert.Panic(() => { throw new Error('x'); });
      const waited: boolean = await assert.Panic(async () => 1);
      const ran: boolean = t.run('part', (t) => t.assert.True(sync));
      const later: boolean = await t.run('part', async (t) => t.assert.Greater(new Date(2), new Date(1)));
      const add = t.mock.fn((a: number, b: number) => a + b);
      const sum: number = add(1, 2);
      const first: number | undefined = add.mock.calls[0]?.arguments[0];
      t.mock.method(Math, 'max', (...values) => values.length);
      t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: new Date(0) });
      t.mock.fetch({ 'GET https://example.com/': { status: 404 }, 'https://example.com/x': () => ['a'] });
      t.mock.module('./mail', { send: t.mock.fn() });
      t.cleanup(() => log(waited, ran, later, sum, first));
      if (!isSame) t.skip('reason');
      await assert.Agent('answer', 'judge', { criteria: 'be kind' });
      const folder: string = t.tempDir();
      t.fatal(folder);
    }
    async function TestMain(m: testing.M) {
      await m.run();
    }
    export { TestSetup, TestMain };
  `;
  expect(complaints(source)).toEqual([]);
});

test('the globals of scripts are known, and can be mocked', () => {
  const source = `
    function Ask(ctx: agent.Context) {
      const { status, data } = http.Get('https://example.com/', { page: 1 });
      if (status !== 200) throw new Exception('not there', 404);
      log.Info('%s has %d', ctx.User.ID, data.items.length);
      return Process('scripts.math.Add', 1, 2).total;
    }
    function TestAsk(t: testing.T, ctx: agent.Context) {
      const answer = { status: 200, code: 200, data: {}, headers: {}, message: '' };
      const got = t.mock.method(http, 'Get', () => answer);
      t.mock.method(globalThis, 'Process', () => ({ total: 3 }));
      t.mock.timers.enable(['Date']);
      t.mock.module('./mail', { namedExports: { send: 1 }, defaultExport: 2 });
      t.assert.Equal(Ask(ctx), 3);
      const { log } = t;
      log(got.mock.callCount(), new Exception('x').code + 1);
    }
  `;
  expect(complaints(source)).toEqual([]);
});

test('mistakes are found', () => {
  const source = `
    export function TestX(t: testing.T, ctx: agent.Context) {
      t.assert.Equals(1, 1);
      t.assert.Equal(1);
      t.assert.Greater(1, '2');
      ctx.UserID = 1;
      t.mock.timers.enable({ apis: ['setTimeOut'] });
    }
  `;
  expect(complaints(source).map((line) => /\((\d+),\d+\): error (\w+)/.exec(line)?.slice(1, 3))).toEqual([
    ['3', 'TS2551'],
    ['4', 'TS2555'],
    ['5', 'TS2345'],
    ['6', 'TS2551'],
    ['7', 'TS2345'],
  ]);
});
