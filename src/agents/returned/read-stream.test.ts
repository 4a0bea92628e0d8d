import { expect, test } from 'vitest';
import { AttemptError } from '../../errors.ts';
import { functionFailure } from '../frameworks/failure.ts';
import { readReturned } from './read-returned.ts';

const given = [{ role: 'user', content: 'How warm is it in Oslo?' }];
const read = (value: unknown) => readReturned(value, { given, signal: new AbortController().signal });

async function failureOf(value: unknown) {
  try {
    return await read(value);
  } catch (error) {
    if (!(error instanceof AttemptError)) return error;
    return { code: error.code, message: error.message, isFinal: error.isFinal };
  }
}

function wireCall(id: string, city: string) {
  return { id, type: 'function', function: { name: 'weather', arguments: JSON.stringify({ city }) } };
}

test('a stream that another reader has is an error', async () => {
  const stream = new Blob(['x']).stream();
  stream.getReader();
  expect(await failureOf(stream)).toEqual({
    code: 'protocol',
    message:
      'the agent returned a stream that is already being read, which cannot be judged; return the text or the value that was read',
    isFinal: true,
  });
});

test('a stream of chat completion chunks, as a generator and as a ReadableStream', async () => {
  const chunk = (delta: object, more: object = {}) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    model: 'gpt-4o-mini',
    choices: [{ index: 0, delta, finish_reason: null, ...more }],
  });
  const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'weather', arguments: '' } };
  const chunks = [
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: 'I ' }),
    chunk({ content: 'look.' }),
    chunk({ tool_calls: [call] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '{"city":' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '"Oslo"}' } }] }),
    chunk({}, { finish_reason: 'tool_calls' }),
    { ...chunk({}), choices: [], usage: { prompt_tokens: 1000, completion_tokens: 10 } },
  ];
  const expected = {
    output: 'I look.',
    tool_calls: [{ name: 'weather', arguments: { city: 'Oslo' } }],
    usage: { input_tokens: 1000, output_tokens: 10 },
    messages: [...given, { role: 'assistant', content: 'I look.', tool_calls: [wireCall('call_1', 'Oslo')] }],
  };
  expect(await read(chunks.values())).toEqual(expected);
  expect(await read(ReadableStream.from(chunks))).toEqual(expected);
  expect(await read([...chunks.slice(0, 3), chunk({}, { finish_reason: 'length' })].values())).toEqual({
    output: 'I look.',
    tool_calls: [],
    messages: [...given, { role: 'assistant', content: 'I look.' }],
  });
  expect(await failureOf(chunks.slice(0, 3).values())).toEqual({
    code: 'protocol',
    message: 'the agent cut its answer off: the stream ended without a finish_reason and [DONE]',
    isFinal: false,
  });
});

test("a connection that breaks while the model answers is noted as the model's", async () => {
  const broken = Object.assign(new TypeError('terminated'), {
    cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
  });
  async function* stream() {
    yield { object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'I' } }] };
    await Promise.reject(broken);
  }
  const error = await failureOf(stream());
  expect(error).toBe(broken);
  const { code, message } = functionFailure(error);
  expect({ code, message }).toEqual({
    code: 'connection',
    message: 'the model cannot be reached: other side closed',
  });
});
