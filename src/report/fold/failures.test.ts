import { expect, test } from 'vitest';
import type { Verdict } from '../../model/outcome.ts';
import { listFailures, userFrames } from './failures.ts';

test('a stack is shown without the frames of Node and of packages', () => {
  const stack = `Error: boom
    at JSON.parse (<anonymous>)
    at read (/app/agent.ts:3:9)
    at call (/app/node_modules/openai/index.js:1:1)
    at call (C:\\app\\node_modules\\openai\\index.js:1:1)
    at Module._compile (node:internal/modules/cjs/loader:1554:14)
    at node:internal/main/run_main_module:36:49
    at async node:internal/modules/esm/loader:1:1
    at async file:///app/node.ts:7:1`;
  expect(userFrames(stack)).toEqual([
    'at JSON.parse (<anonymous>)',
    'at read (/app/agent.ts:3:9)',
    'at async file:///app/node.ts:7:1',
  ]);
});

test('a stack without a frame of the user shows nothing', () => {
  const stack = 'Error: boom\n    at emit (node:events:518:28)\n    at x (/app/node_modules/a/b.js:1:1)';
  expect(listFailures({ status: 'error', code: 'agent', error: 'boom', stack })).toEqual([
    { title: 'agent', message: 'boom' },
  ]);
});

test('a stack that is no text shows nothing', () => {
  expect([userFrames(undefined), userFrames([{}]), userFrames(7)]).toEqual([[], [], []]);
});

test('times are as precise as people care, other values as they are', () => {
  const values = { status: 'failed' as const, message: 'no', expected: 100.00049, actual: 426.2016249999999 };
  const verdicts = [
    { type: 'latency', ...values },
    { type: 'latency', ...values, expected: '100ms' },
    { type: 'json_path', ...values },
  ];
  expect(listFailures({ status: 'failed', verdicts }).map(({ detail }) => detail)).toEqual([
    { type: 'values', expected: '100', actual: '426.202' },
    { type: 'values', expected: '100ms', actual: '426.202' },
    { type: 'values', expected: '100.00049', actual: '426.2016249999999' },
  ]);
});

test('a turn of a conversation is named, and a hook that failed after a failure is told too', () => {
  const verdicts: Verdict[] = [{ type: 'equals', status: 'failed', message: 'is not 1', turn: 2 }];
  const after_error = 'after env_test.After: boom';
  expect(listFailures({ status: 'failed', error: 'is not 1', verdicts, after_error })).toEqual([
    { title: 'turn 2: equals', message: 'is not 1' },
    { message: after_error },
  ]);
  expect(listFailures({ status: 'error', code: 'harness', error: after_error, after_error })).toEqual([
    { title: 'harness', message: after_error },
  ]);
});

test('failed assertions of a script are sentences, with what a judge said and where they stand', () => {
  const verdicts: Verdict[] = [
    { type: 'Agent', status: 'failed', message: 'is polite', reason: 'it swears', at: 'a_test.ts:1:1' },
    { type: 'Agent', status: 'failed', message: 'not polite: it swears', reason: 'it swears' },
    { type: 'Nil', status: 'failed', actual: 1, subtest: 'TestX/a' },
    { type: 'Equal', status: 'failed', message: 'same', expected: 'null', actual: null },
    { type: 'fatal', status: 'failed' },
  ];
  expect(listFailures({ status: 'failed', error: 'x', verdicts }, 'script')).toEqual([
    { message: 'assertion failed: is polite\nreason: it swears', at: 'a_test.ts:1:1' },
    { message: 'assertion failed: not polite: it swears' },
    { message: 'assertion failed: Nil', detail: { type: 'values', actual: '1' }, subtest: 'TestX/a' },
    { message: 'assertion failed: same', detail: { type: 'values', expected: '"null"', actual: 'null' } },
    { message: 'failed' },
  ]);
});

test('an exception of a script is nobody else’s; what could not be measured is named', () => {
  const run = { status: 'error' as const, error: 'boom' };
  expect(listFailures({ ...run, code: 'agent' }, 'script')).toEqual([{ message: 'boom' }]);
  expect(listFailures({ ...run, code: 'judge' }, 'script')).toEqual([{ title: 'judge', message: 'boom' }]);
});
