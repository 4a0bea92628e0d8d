import { mkdtempSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contextWith } from '../../../model/context.fixture.ts';
import type { SideCallDeps } from './run-side-call.ts';
import { RunningSideCall } from './run-side-call.ts';
import type { SideCall, SideCallDone } from '../../../execute/process/protocol.ts';

const context = contextWith({ chat_id: 'c', assistant_id: 'a', authorized: { user_id: 'eve' } });

const root = mkdtempSync(join(tmpdir(), 'assay-call-'));
beforeAll(() => {
  mkdirSync(join(root, 'scripts'));
  writeFileSync(
    join(root, 'scripts/call.ts'),
    `function Add(a: number, b: number, ctx: any) { return { sum: a + b, user: ctx.User.ID }; }
     function First(ctx: any, a: number) { return [ctx.User.ID, a]; }
     function Nothing() {}
     function Big() { return 1n; }
     function Throw() { throw new Error('boom'); }
     async function Never() { await new Promise(() => {}); }`,
  );
  writeFileSync(
    join(root, 'agent.mjs'),
    'export default (messages) => ({ output: messages[0].content + "!" });',
  );
});
afterAll(() => rmSync(root, { recursive: true }));

const nobody = (): Promise<never> => Promise.reject(new Error('there is nobody'));
const deps: SideCallDeps = { directory: { agent: nobody, connector: nobody, judge: nobody }, retries: 0 };

function run(call: SideCall): Promise<SideCallDone> {
  return new Promise((done) => new RunningSideCall(7, done).begin(call, deps));
}

function call(
  name: string,
  args: unknown[] = [],
  context_at: 'start' | 'end' = 'end',
  timeout_ms = 20_000,
): Promise<SideCallDone> {
  const reference = `scripts.call.${name}`;
  return run({ type: 'call', reference, args, context_at, context, root, timeout_ms });
}

test('calls a function, with the context where it belongs', async () => {
  expect(await call('Add', [1, 2])).toEqual({ type: 'done', id: 7, value: { sum: 3, user: 'eve' } });
  expect(await call('First', [1], 'start')).toEqual({ type: 'done', id: 7, value: ['eve', 1] });
  expect(await call('Nothing')).toEqual({ type: 'done', id: 7, value: undefined });
});

test('whatever goes wrong is an error of the call', async () => {
  expect(await call('Throw')).toEqual({ type: 'done', id: 7, error: 'boom' });
  expect(await call('Never', [], 'end', 500)).toEqual({
    type: 'done',
    id: 7,
    error: 'timed out after 500ms',
    is_late: true,
  });
  expect(await call('Big')).toEqual({
    type: 'done',
    id: 7,
    error: 'returned something that cannot be written as JSON: Do not know how to serialize a BigInt',
  });
});

test('asks an agent and gives its output', async () => {
  const agent = { id: 'a', run: { type: 'module', file: join(root, 'agent.mjs') } } as const;
  const messages = [{ role: 'user', content: 'hello' }];
  expect(await run({ type: 'ask', agent, messages, context, root, timeout_ms: 5000 })).toEqual({
    type: 'done',
    id: 7,
    value: 'hello!',
  });
});
