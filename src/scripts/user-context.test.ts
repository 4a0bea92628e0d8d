import { expect, test, vi } from 'vitest';
import type { ContextData } from '../model/context.ts';
import { beginRequest, withRequest } from './context/session.ts';
import { explainMissingMember, userContext } from './user-context.ts';

const data = (): ContextData => ({
  chat_id: 'c1',
  assistant_id: 'a1',
  authorized: { user_id: 'u1' },
  metadata: {},
  client: { type: 'test', ip: '127.0.0.1' },
  locale: 'en-us',
  referer: 'test',
  accept: 'standard',
});

test('memory: values, counters, lists, sets and arrays', () => {
  const { user } = userContext(data()).memory;
  user.Set('a', { b: [1] });
  user.Set('gone', 1, 0.001);
  const before = Date.now();
  while (Date.now() - before < 3) continue;
  expect([user.Get('a'), user.Get('x'), user.Has('gone'), user.Keys(), user.Len()]).toEqual([
    { b: [1] },
    null,
    false,
    ['a'],
    1,
  ]);
  expect([user.Incr('n'), user.Incr('n', 4), user.Decr('n', 2), user.GetDel('n'), user.Has('n')]).toEqual([
    1,
    5,
    3,
    3,
    false,
  ]);
  user.Push('l', [1, 2, 3, 4]);
  user.AddToSet('l', [4, 5, 5]);
  expect([
    user.ArrayLen('l'),
    user.ArrayGet('l', -1),
    user.ArraySlice('l', 1, 3),
    user.ArrayPage('l', 2, 2),
    user.ArrayAll('l'),
  ]).toEqual([5, 5, [2, 3], [3, 4], [1, 2, 3, 4, 5]]);
  user.ArraySet('l', 0, 'one');
  expect([user.Pop('l'), user.Pull('l', 2), user.PullAll('l'), user.Pop('l')]).toEqual([
    5,
    ['one', 2],
    [3, 4],
    null,
  ]);
  expect(() => user.Push('a', [1])).toThrow('ctx.memory.user.Push("a"): the value is not a list');
  expect(() => user.Incr('a')).toThrow('ctx.memory.user.Incr("a"): the value is not a number');
});

test('memories of the user, the team and the chat outlive a request; that of the context does not', () => {
  const context = data();
  const { memory } = userContext(context);
  for (const name of ['user', 'team', 'chat', 'context'] as const) memory[name].Set('k', name);
  beginRequest(context);
  const { memory: later } = userContext(context);
  const names = ['user', 'team', 'chat', 'context'] as const;
  expect(names.map((name) => later[name].Get('k'))).toEqual(['user', 'team', 'chat', null]);
  const { memory: other } = userContext(data());
  expect(names.map((name) => other[name].Get('k'))).toEqual([null, null, null, null]);
});

test('messages are kept as the user sees them at the end', () => {
  const context = data();
  const ctx = userContext(context) as Required<ReturnType<typeof userContext>>;
  const { Send, SendStream, Append, Replace, Merge, Set, End, MessageID, BlockID, ThreadID } = ctx;
  Send('hello');
  const stream = SendStream({ type: 'text', props: { content: 'a' } }, 'B7');
  Append(stream, 'b');
  End(stream, 'c');
  const table = Send({ type: 'table', props: { rows: [1], head: { a: 1 } } });
  Append(table, [2, 3], 'props.rows');
  Merge(table, { b: 2 }, 'head');
  Set(table, 9, 'rows[0]');
  const gone = Send('loading');
  Replace(gone, { type: 'image', props: { url: 'x' } });
  expect([stream, MessageID(), BlockID(), ThreadID(), ctx.EndBlock('B1')]).toEqual([
    'M2',
    'M5',
    'B1',
    'T1',
    undefined,
  ]);
  expect(withRequest({ output: 1 }, context)).toEqual({
    output: 1,
    sent_messages: [
      { id: 'M1', type: 'text', props: { content: 'hello' } },
      { id: 'M2', type: 'text', props: { content: 'abc' }, block_id: 'B7' },
      { id: 'M3', type: 'table', props: { rows: [9, 2, 3], head: { a: 1, b: 2 } } },
      { id: 'M4', type: 'image', props: { url: 'x' } },
    ],
  });
  expect(() => Append('M9', 'x')).toThrow('ctx.Append: there is no message "M9"; sent: M1, M2, M3, M4');
  expect(() => Send({ content: 'x' })).toThrow('ctx.Send: a message is a text or {type, props}');
});

test('the trace is kept, and bounded', () => {
  const context = data();
  const { trace } = userContext(context) as Required<ReturnType<typeof userContext>>;
  const node = trace.Add({ q: 1 }, { label: 'Search', type: 'search', icon: 'i', description: 'd' });
  node.Info('found', 2);
  node.Add('inner').Fail('broken');
  node.SetMetadata('k', 1).SetOutput('x').Complete();
  trace.Parallel([{ input: 1, option: { label: 'one' } }, { input: 2 }]).forEach((one) => one.Complete(3));
  trace.Warn('careful');
  expect(withRequest({ output: 1 }, context).trace).toEqual([
    {
      label: 'Search',
      type: 'search',
      icon: 'i',
      description: 'd',
      status: 'completed',
      input: { q: 1 },
      output: 'x',
      metadata: { k: 1 },
      children: [
        { level: 'info', message: 'found 2' },
        { status: 'failed', input: 'inner', error: 'broken' },
      ],
    },
    { label: 'one', status: 'completed', input: 1, output: 3 },
    { status: 'completed', input: 2, output: 3 },
    { level: 'warn', message: 'careful' },
  ]);
  for (let count = 0; count < 600; count += 1) trace.Info('x'.repeat(20));
  const { trace: kept = [] } = withRequest({ output: 1 }, context);
  expect([kept.length, kept.at(-1)]).toEqual([
    499,
    { level: 'warn', message: '106 more entries of the trace are not kept' },
  ]);
});

test('a member that does not exist is an error that names it', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const ctx = userContext(data()) as unknown as Record<string, Record<string, () => void>>;
  expect(() => ctx['Sned']).toThrow('ctx.Sned does not exist; did you mean "Send"?');
  expect(() => ctx['memory']?.['usr']).toThrow('ctx.memory.usr does not exist; did you mean "user"?');
  const call = (work: () => unknown): unknown => {
    try {
      return work();
    } catch (error) {
      return String(explainMissingMember(error, ctx));
    }
  };
  expect(call(() => (ctx as unknown as { memroy: { user: unknown } }).memroy.user)).toBe(
    'TypeError: ctx.memroy does not exist; did you mean "memory"? (Cannot read properties of undefined (reading \'user\'))',
  );
  expect(ctx['other']).toBe(undefined);
  expect(warn.mock.calls).toEqual([['ctx.memroy does not exist; did you mean "memory"?']]);
  expect(structuredClone(ctx)).toMatchObject({ chat_id: 'c1', memory: { user: {}, context: {} } });
});
