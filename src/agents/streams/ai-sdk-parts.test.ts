import { expect, test } from 'vitest';
import { failureOf, parseLines, readAll } from './read-all.fixture.ts';

const UI_MESSAGE = parseLines(String.raw`
{"type":"start"}
{"type":"start-step"}
{"type":"reasoning-start","id":"r"}
{"type":"reasoning-delta","id":"r","delta":"The user wants the weather."}
{"type":"reasoning-end","id":"r"}
{"type":"text-start","id":"0"}
{"type":"text-delta","id":"0","delta":"Let me "}
{"type":"text-delta","id":"0","delta":"check."}
{"type":"text-end","id":"0"}
{"type":"tool-input-start","toolCallId":"c1","toolName":"forecast"}
{"type":"tool-input-delta","toolCallId":"c1","inputTextDelta":"{\"city\":"}
{"type":"tool-input-delta","toolCallId":"c1","inputTextDelta":"\"Oslo\"}"}
{"type":"tool-input-available","toolCallId":"c1","toolName":"forecast","input":{"city":"Oslo"}}
{"type":"data-progress","data":{"text":"half"},"transient":true}
{"type":"tool-output-available","toolCallId":"c1","output":{"city":"Oslo","degrees":21}}
{"type":"finish-step"}
{"type":"start-step"}
{"type":"text-start","id":"0"}
{"type":"text-delta","id":"0","delta":"It is "}
{"type":"text-delta","id":"0","delta":"21."}
{"type":"text-end","id":"0"}
{"type":"source-url","sourceId":"s","url":"https://example.com"}
{"type":"finish-step"}
{"type":"finish","finishReason":"stop","messageMetadata":{"totalUsage":{"inputTokens":20,"outputTokens":10}}}
`);

const FULL_STREAM = parseLines(String.raw`
{"type":"start"}
{"type":"start-step","request":{},"warnings":[]}
{"type":"text-start","id":"0"}
{"type":"text-delta","id":"0","text":"Let me check."}
{"type":"text-end","id":"0"}
{"type":"tool-input-start","id":"c1","toolName":"forecast","dynamic":false}
{"type":"tool-input-delta","id":"c1","delta":"{\"city\":\"Oslo\"}"}
{"type":"tool-input-end","id":"c1"}
{"type":"tool-call","toolCallId":"c1","toolName":"forecast","input":{"city":"Oslo"}}
{"type":"tool-result","toolCallId":"c1","toolName":"forecast","input":{"city":"Oslo"},"output":{"city":"Oslo","degrees":21},"dynamic":false}
{"type":"finish-step","finishReason":"tool-calls","usage":{"inputTokens":10,"outputTokens":5,"totalTokens":15}}
{"type":"start-step","request":{},"warnings":[]}
{"type":"text-start","id":"0"}
{"type":"text-delta","id":"0","text":"It is 21."}
{"type":"text-end","id":"0"}
{"type":"finish-step","finishReason":"stop","usage":{"inputTokens":10,"outputTokens":5,"totalTokens":15}}
{"type":"finish","finishReason":"stop","totalUsage":{"inputTokens":20,"outputTokens":10,"totalTokens":30}}
`);

const FULL_STREAM_4 = parseLines(String.raw`
{"type":"step-start","messageId":"m1","request":{},"warnings":[]}
{"type":"reasoning","textDelta":"Hm."}
{"type":"text-delta","textDelta":"Let me check."}
{"type":"tool-call-streaming-start","toolCallId":"c1","toolName":"forecast"}
{"type":"tool-call-delta","toolCallId":"c1","toolName":"forecast","argsTextDelta":"{\"city\":"}
{"type":"tool-call","toolCallId":"c1","toolName":"forecast","args":{"city":"Oslo"}}
{"type":"tool-result","toolCallId":"c1","toolName":"forecast","args":{"city":"Oslo"},"result":{"city":"Oslo","degrees":21}}
{"type":"step-finish","finishReason":"tool-calls","usage":{"promptTokens":10,"completionTokens":5,"totalTokens":15},"isContinued":false}
{"type":"step-start","messageId":"m2","request":{},"warnings":[]}
{"type":"text-delta","textDelta":"It is 21."}
{"type":"step-finish","finishReason":"stop","usage":{"promptTokens":10,"completionTokens":5,"totalTokens":15},"isContinued":false}
{"type":"finish","finishReason":"stop","usage":{"promptTokens":20,"completionTokens":10,"totalTokens":30},"response":{"id":"r"}}
`);

const TRANSCRIPT = {
  output: 'Let me check.\n\nIt is 21.',
  tool_calls: [{ name: 'forecast', arguments: { city: 'Oslo' }, result: { city: 'Oslo', degrees: 21 } }],
  usage: { input_tokens: 20, output_tokens: 10 },
};

test.each([
  ['a UI message stream', UI_MESSAGE],
  ['a fullStream of versions 5 and 6', FULL_STREAM],
  ['a fullStream of version 4', FULL_STREAM_4],
])('reads the text of all steps, tool calls and token counts of %s', (_, events) => {
  expect(readAll(events)).toEqual(TRANSCRIPT);
});

test('an answer without a tool call has an empty list of them', () => {
  const events = parseLines(`
    {"type":"start","messageId":"m"}
    {"type":"text-delta","id":"0","delta":"Hello"}
    {"type":"finish"}`);
  expect(readAll(events)).toEqual({ output: 'Hello', tool_calls: [] });
});

test('tools that fail, get wrong input or are denied', () => {
  const events = parseLines(`
    {"type":"start"}
    {"type":"tool-input-available","toolCallId":"a","toolName":"find","input":{"q":1}}
    {"type":"tool-output-error","toolCallId":"a","errorText":"no index"}
    {"type":"tool-input-error","toolCallId":"b","toolName":"find","input":{"x":1},"errorText":"q is missing"}
    {"type":"tool-input-available","toolCallId":"c","toolName":"remove","input":{}}
    {"type":"tool-output-denied","toolCallId":"c"}
    {"type":"tool-call","toolCallId":"d","toolName":"find","input":{"q":2}}
    {"type":"tool-error","toolCallId":"d","toolName":"find","error":{"message":"broken"}}
    {"type":"tool-input-available","toolCallId":"e","toolName":"slow","input":{}}
    {"type":"tool-output-available","toolCallId":"e","output":"half","preliminary":true}
    {"type":"tool-output-available","toolCallId":"e","output":"all"}
    {"type":"finish"}`);
  expect(readAll(events)).toEqual({
    output: '',
    tool_calls: [
      { name: 'find', arguments: { q: 1 }, error: 'no index' },
      { name: 'find', arguments: { x: 1 }, error: 'q is missing' },
      { name: 'remove', arguments: {}, error: 'the call was denied' },
      { name: 'find', arguments: { q: 2 }, error: 'broken' },
      { name: 'slow', arguments: {}, result: 'all' },
    ],
  });
});

test('the calls are not known if the stream has a part of another one', () => {
  const read = (...events: object[]) => failureOf([{ type: 'start' }, ...events, { type: 'finish' }]);
  const input = { type: 'tool-input-available', toolCallId: 'c1', toolName: 'find', input: {} };
  const missing = (what: string) => ({
    code: 'protocol',
    message: `the agent sent the ${what} of a tool call "c2" that it had not sent`,
  });
  const unreadable = (event: object) => ({
    code: 'protocol',
    message: `the agent sent an event that cannot be read: ${JSON.stringify(event)}`,
  });
  const withoutId = { type: 'tool-input-available', toolName: 'find', input: {} };
  const renamed = { ...input, toolName: 'remove' };
  const delta = { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: 7 };
  expect([
    read({ type: 'tool-output-available', toolCallId: 'c2', output: 1 }),
    read(input, { type: 'tool-output-error', toolCallId: 'c2', errorText: 'no' }),
    read(input, { type: 'tool-output-denied', toolCallId: 'c2' }),
    read({ type: 'tool-result', toolCallId: 'c2', output: 1 }, { ...input, toolCallId: 'c2' }),
    read({ type: 'tool-input-delta', toolCallId: 'c2', inputTextDelta: '{}' }),
    read(withoutId),
    read(input, renamed),
    read(input, delta),
    read({ status: 'thinking' }),
    failureOf([{ type: 'text-delta', id: '0', delta: 7 }]),
  ]).toEqual([
    missing('result'),
    missing('result'),
    missing('result'),
    missing('result'),
    missing('arguments'),
    unreadable(withoutId),
    unreadable(renamed),
    unreadable(delta),
    unreadable({ status: 'thinking' }),
    unreadable({ type: 'text-delta', id: '0', delta: 7 }),
  ]);
});

test('a call in the next step may have the id of an earlier one', () => {
  const step = (input: number) => [
    { type: 'start-step' },
    { type: 'tool-input-available', toolCallId: '1', toolName: 'find', input },
    { type: 'tool-output-available', toolCallId: '1', output: input * 2 },
    { type: 'finish-step' },
  ];
  expect(readAll([{ type: 'start' }, ...step(1), ...step(2), { type: 'finish' }])).toEqual({
    output: '',
    tool_calls: [
      { name: 'find', arguments: 1, result: 2 },
      { name: 'find', arguments: 2, result: 4 },
    ],
  });
});

test('errors, aborts and missing ends are errors of the attempt', () => {
  const begun = [{ type: 'start' }, { type: 'text-delta', id: '0', delta: 'The refund is ' }];
  const rateLimit = Object.assign(new Error('Rate limit reached'), { statusCode: 429 });
  expect([
    failureOf([...begun, { type: 'error', errorText: 'An error occurred.' }]),
    failureOf([...begun, { type: 'error', errorText: '429 Too Many Requests' }]),
    failureOf([...begun, { type: 'error', error: rateLimit }]),
    failureOf([
      ...begun,
      { type: 'error', error: { name: 'AI_RetryError', lastError: { statusCode: 503 } } },
    ]),
    failureOf([...begun, { type: 'abort' }]),
    failureOf([...begun, { type: 'abort', reason: 'too slow' }]),
    failureOf([...begun, { type: 'finish', finishReason: 'error' }]),
    failureOf(begun),
    failureOf([{ type: 'reasoning-start' }, { type: 'answer-delta', delta: 'a' }]),
    failureOf([...begun, { type: 'text-delta', id: '0', delta: 7 }]),
    failureOf([...begun, 'text']),
    failureOf([...begun, { type: 'tool-input-available', toolCallId: '1', input: {} }, { type: 'finish' }]),
  ]).toEqual([
    { code: 'agent', message: 'the agent sent an error: An error occurred.' },
    { code: 'rate_limit', message: 'the agent sent an error: 429 Too Many Requests' },
    { code: 'rate_limit', message: 'the agent sent an error: Rate limit reached' },
    {
      code: 'connection',
      message: 'the agent sent an error: {"name":"AI_RetryError","lastError":{"statusCode":503}}',
    },
    { code: 'agent', message: 'the agent aborted its answer' },
    { code: 'agent', message: 'the agent aborted its answer: too slow' },
    { code: 'agent', message: 'the agent sent an error: the model call failed' },
    { code: 'protocol', message: 'the agent cut its answer off: the stream ended without "finish"' },
    { code: 'protocol', message: 'the agent cut its answer off: the stream ended without "finish"' },
    {
      code: 'protocol',
      message: 'the agent sent an event that cannot be read: {"type":"text-delta","id":"0","delta":7}',
    },
    { code: 'protocol', message: 'the agent sent an event that cannot be read: text' },
    { code: 'protocol', message: 'the agent sent a tool call without a name' },
  ]);
});

test('the end of the transport ends a stream that has no finish', () => {
  expect(readAll([{ type: 'start' }, { type: 'text-delta', id: '0', delta: 'a' }, '[DONE]'])).toEqual({
    output: 'a',
    tool_calls: [],
  });
  expect(readAll([{ type: 'text-delta', id: '0', delta: 'a' }])).toEqual({ output: 'a', tool_calls: [] });
});

test.each([
  [{ type: 'start', runId: 'r', from: 'AGENT', payload: {} }],
  [{ type: 'start', time: 1 }],
  [{ type: 'text-delta', payload: { text: 'a' } }],
  [{ type: 'tool-call', name: 'find' }],
  [{ type: 'text', text: 'a' }],
  [{ delta: 'a' }],
  [null],
  ['text'],
])('%j belongs to another protocol', (event) => {
  expect(readAll([event])).toBeUndefined();
});

test('an answer has at most 10 MB', () => {
  const piece = { type: 'text-delta', id: '0', delta: 'x'.repeat(1024 * 1024) };
  expect(failureOf(Array.from({ length: 11 }, () => piece))).toEqual({
    code: 'agent',
    message: 'the agent answered more than 10 MB; at most 10 MB of an answer is read',
  });
});
