import { expect, test } from 'vitest';
import { evaluate } from './evaluate.ts';
import type { AnswerValues } from '../../model/answer-values.ts';

const VALUES: AnswerValues = { output: 'hello', input: 'hi', vars: {}, metadata: {}, duration_ms: 5 };

const value = (code: string, values: Partial<AnswerValues> = {}, timeoutMs = 1000) =>
  evaluate(code, { ...VALUES, ...values }, { timeoutMs });

const failure = (code: string, timeoutMs?: number) =>
  value(code, {}, timeoutMs).then(
    (result) => result,
    (error: unknown) => (error as Error).message,
  );

test('has the values by their names, and all of them in context', async () => {
  const values: AnswerValues = {
    output: { total: 5, items: [1, 2] },
    input: 'question',
    expected: 'wanted',
    vars: { max: 3 },
    metadata: { lang: 'en' },
    tool_calls: [{ name: 'search' }],
    messages: [{ role: 'user', content: 'x' }],
    answer_metadata: { page: 1 },
    usage: { output_tokens: 3 },
    cost_usd: 0.5,
    duration_ms: 20,
  };
  expect(await value('output.total > 3 && output.items.length < vars.max', values)).toEqual({ value: true });
  const all =
    '({output, input, expected, vars, metadata, tool_calls, messages, answer_metadata, usage, cost_usd, duration_ms})';
  expect(await value(all, values)).toEqual({ value: values });
  expect(await value('context', values)).toEqual({ value: { ...values, json: undefined } });
  expect(await value('typeof expected + typeof messages + typeof process + typeof require')).toEqual({
    value: 'undefinedundefinedundefinedundefined',
  });
});

test('json is the answer itself, or the JSON in its text', async () => {
  expect(await value('json.total', { output: { total: 5 } })).toEqual({ value: 5 });
  expect(await value('json.total', { output: 'Here: {"total": 5}' })).toEqual({ value: 5 });
  expect(await value('json', { output: 'nothing here' })).toEqual({ no_json: true });
  expect(await value('output.length', { output: 'nothing here' })).toEqual({ value: 12 });
});

test('a measurement that the agent does not report is an error, not undefined', async () => {
  expect(await failure('cost_usd < 1')).toBe('Error: the agent does not report "cost_usd"');
  expect(await failure('context.usage')).toBe('Error: the agent does not report "usage"');
  expect(await failure('tool_calls.length === 0')).toBe('Error: the agent does not report "tool_calls"');
});

test.each([
  'try { return tool_calls.length === 0 } catch { return true }',
  'try { return context.tool_calls.length === 0 } catch { return true }',
  'return await Promise.resolve().then(() => tool_calls.length).catch(() => true)',
  'try { tool_calls } catch {}\ntry { json } catch {}\nreturn true',
  'try { tool_calls } catch {}\nreturn json',
  'Object.defineProperty(Object.prototype, "unreported", { value: undefined });\ntry { tool_calls } catch {}\nreturn true',
])('a missing measurement is an error even if the expression catches it: %s', async (code) => {
  expect(await failure(code)).toBe('the agent does not report "tool_calls"');
});

test('missing JSON counts even if the expression catches its error', async () => {
  expect(await value('try { return json.total > 3 } catch { return true }')).toEqual({ no_json: true });
});

test('statements return a value; promises are awaited', async () => {
  expect(await value('const n = output.length;\nreturn { pass: n > 3, message: `has ${n}` }')).toEqual({
    value: { pass: true, message: 'has 5' },
  });
  expect(await value('await Promise.resolve(0.5)')).toEqual({ value: 0.5 });
  expect(await value('if (false) return true')).toEqual({});
});

test('an error, an endless loop and a value that is no JSON are errors', async () => {
  expect(await failure('output.a.b')).toBe("TypeError: Cannot read properties of undefined (reading 'b')");
  expect(await failure('unknown > 3')).toBe('ReferenceError: unknown is not defined');
  expect(await failure('(() => { for (;;); })()', 50)).toBe('it has not ended after 50ms');
  expect(await failure('0 / 0')).toBe('it gave NaN, which JSON cannot express');
  expect(await failure('1n')).toBe('it gave a bigint, which JSON cannot express');
  expect(await failure('Math.max')).toBe('it gave a function, which JSON cannot express');
  expect(await failure('throw { toString() { throw 1 } }; return 1')).toBe(
    'a value that cannot be converted to text was thrown',
  );
});

test('an expression cannot change built-ins or values for the next one', async () => {
  const spoil = `Array.prototype.includes = () => true; Object.prototype.spoiled = 1; JSON.parse = () => ({});
    globalThis.output = 'changed'; String.prototype.trim.constructor.prototype.call = null; return true`;
  expect(await value(spoil)).toEqual({ value: true });
  expect(await value('[[1].includes(2), {}.spoiled === undefined, output]')).toEqual({
    value: [false, true, 'hello'],
  });
  expect([1].includes(2)).toBe(false);
  // The way out of a realm through an object of this one.
  expect(await failure('globalThis.constructor.constructor("return process")().pid')).toMatch(
    /^(Type|Reference)Error: /,
  );
});

test('one process evaluates thousands of expressions', async () => {
  await value('output === "hello"');
  for (let index = 0; index < 2000; index += 1)
    expect(
      await value('output.endsWith(vars.end)', { output: `x${String(index)}`, vars: { end: String(index) } }),
    ).toEqual({ value: true });
});
