import { expect, test } from 'vitest';
import { failureOf, parseLines, readAll } from './read-all.fixture.ts';

const RUN = parseLines(String.raw`
{"type":"RUN_STARTED","threadId":"t","runId":"r"}
{"type":"STATE_SNAPSHOT","snapshot":{"text":"state"}}
{"type":"STEP_STARTED","stepName":"chat"}
{"type":"REASONING_MESSAGE_CONTENT","messageId":"m0","delta":"The user wants the weather."}
{"type":"TEXT_MESSAGE_START","messageId":"m1","role":"assistant"}
{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Let me "}
{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"check."}
{"type":"TEXT_MESSAGE_END","messageId":"m1"}
{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"forecast","parentMessageId":"m1"}
{"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{\"city\":"}
{"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"\"Oslo\"}"}
{"type":"TOOL_CALL_END","toolCallId":"c1"}
{"type":"TOOL_CALL_START","toolCallId":"c2","toolCallName":"now"}
{"type":"TOOL_CALL_END","toolCallId":"c2"}
{"type":"TOOL_CALL_RESULT","messageId":"m2","toolCallId":"c1","content":"{\"degrees\":21}","role":"tool"}
{"type":"TOOL_CALL_RESULT","messageId":"m3","toolCallId":"c2","content":"noon","role":"tool"}
{"type":"TEXT_MESSAGE_START","messageId":"m4","role":"user"}
{"type":"TEXT_MESSAGE_CONTENT","messageId":"m4","delta":"not of the agent"}
{"type":"TEXT_MESSAGE_CONTENT","messageId":"m5","delta":"It is 21."}
{"type":"TEXT_MESSAGE_CONTENT","messageId":"m4","delta":"not of the agent either"}
{"type":"TEXT_MESSAGE_END","messageId":"m5"}
{"type":"CUSTOM","name":"note","value":{"delta":"x"}}
{"type":"STEP_FINISHED","stepName":"chat"}
{"type":"RUN_FINISHED","threadId":"t","runId":"r","result":{"ok":true},"usage":[{"model":"a","inputTokens":10,"outputTokens":5},{"model":"b","inputTokens":1,"outputTokens":2}]}
`);

const TRANSCRIPT = {
  output: 'Let me check.\n\nIt is 21.',
  tool_calls: [
    { name: 'forecast', arguments: { city: 'Oslo' }, result: { degrees: 21 } },
    { name: 'now', arguments: {}, result: 'noon' },
  ],
};

test('joins the events of a run', () => {
  expect(readAll(RUN)).toEqual({ ...TRANSCRIPT, usage: { input_tokens: 11, output_tokens: 7 } });
});

test('reads names with underscores and types in other cases', () => {
  const other = parseLines(String.raw`
    {"type":"RunStarted","thread_id":"t","run_id":"r"}
    {"type":"TextMessageStart","message_id":"m1","role":"assistant"}
    {"type":"TextMessageContent","message_id":"m1","delta":"Let me check."}
    {"type":"ToolCallStart","tool_call_id":"c1","tool_call_name":"forecast"}
    {"type":"ToolCallArgs","tool_call_id":"c1","delta":"{\"city\":\"Oslo\"}"}
    {"type":"ToolCallResult","tool_call_id":"c1","content":"{\"degrees\":21}"}
    {"type":"ToolCallStart","tool_call_id":"c2","tool_call_name":"now"}
    {"type":"ToolCallResult","tool_call_id":"c2","content":"noon"}
    {"type":"TextMessageContent","message_id":"m5","delta":"It is 21."}
    {"type":"RunFinished","thread_id":"t","run_id":"r"}`);
  expect(readAll(other)).toEqual(TRANSCRIPT);
});

test('reads chunks, which have neither start nor end', () => {
  const chunks = parseLines(String.raw`
    {"type":"RUN_STARTED","threadId":"t","runId":"r"}
    {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","role":"assistant","delta":"Let me "}
    {"type":"TEXT_MESSAGE_CHUNK","delta":"check."}
    {"type":"TOOL_CALL_CHUNK","toolCallId":"c1","toolCallName":"forecast","delta":"{\"city\":"}
    {"type":"TOOL_CALL_CHUNK","delta":"\"Oslo\"}"}
    {"type":"TOOL_CALL_CHUNK","toolCallId":"c2","toolCallName":"now"}
    {"type":"TOOL_CALL_RESULT","toolCallId":"c1","content":"{\"degrees\":21}"}
    {"type":"TOOL_CALL_RESULT","toolCallId":"c2","content":[{"type":"text","text":"noon"}]}
    {"type":"TEXT_MESSAGE_CHUNK","messageId":"m2","delta":"It is 21."}
    {"type":"RUN_FINISHED","threadId":"t","runId":"r"}`);
  expect(readAll(chunks)).toEqual(TRANSCRIPT);
});

test('the text of a subagent is no part of the answer, its tool calls are', () => {
  const events = parseLines(`
    {"type":"RUN_STARTED","threadId":"t","runId":"r"}
    {"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"helper"}
    {"type":"TEXT_MESSAGE_START","messageId":"m1","subagentRunId":"s"}
    {"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","subagentRunId":"s","delta":"hidden"}
    {"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"now","subagentRunId":"s"}
    {"type":"TEXT_MESSAGE_START","messageId":"m2"}
    {"type":"TEXT_MESSAGE_CONTENT","messageId":"m2","delta":"shown"}
    {"type":"RUN_FINISHED","threadId":"t","runId":"r"}`);
  expect(readAll(events)).toEqual({ output: 'shown', tool_calls: [{ name: 'now', arguments: {} }] });
});

test('a run without streamed messages has its answer in the snapshot or the result', () => {
  const run = (...events: object[]) => [
    { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
    ...events,
    { type: 'RUN_FINISHED', threadId: 't', runId: 'r', result: { answer: 21 } },
  ];
  const messages = [
    { id: '1', role: 'assistant', content: 'Hello' },
    { id: '2', role: 'user', content: 'How warm is it?' },
    {
      id: '3',
      role: 'assistant',
      toolCalls: [
        { id: 'c1', type: 'function', function: { name: 'forecast', arguments: '{"city":"Oslo"}' } },
      ],
    },
    { id: '4', role: 'tool', toolCallId: 'c1', content: '', error: 'no forecast' },
    { id: '5', role: 'assistant', content: 'I do not know.' },
  ];
  expect([readAll(run({ type: 'MESSAGES_SNAPSHOT', messages })), readAll(run())]).toEqual([
    {
      output: 'I do not know.',
      tool_calls: [{ name: 'forecast', arguments: { city: 'Oslo' }, error: 'no forecast' }],
    },
    { output: { answer: 21 }, tool_calls: [] },
  ]);
});

test('a run with streamed text may have its tool calls in the snapshot', () => {
  const toolCalls = [{ id: 'c1', type: 'function', function: { name: 'now', arguments: '{}' } }];
  const messages = [
    { id: '1', role: 'user', content: 'What time is it?' },
    { id: '2', role: 'assistant', content: '', toolCalls },
    { id: '3', role: 'tool', toolCallId: 'c1', content: 'noon' },
    { id: '4', role: 'assistant', content: 'Noon.' },
  ];
  const events = [
    { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
    { type: 'TOOL_CALL_RESULT', messageId: '3', toolCallId: 'c1', content: 'noon' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: '4', delta: 'Noon.' },
    { type: 'MESSAGES_SNAPSHOT', messages },
    { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
  ];
  expect(readAll(events)).toEqual({
    output: 'Noon.',
    tool_calls: [{ name: 'now', arguments: {}, result: 'noon' }],
  });
});

test('parts of unknown calls and fields of the wrong type', () => {
  const unreadable = [
    { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 7 },
    { type: 'MESSAGES_SNAPSHOT', messages: {} },
    { type: 'TOOL_CALL_START', toolCallName: 'now' },
    { delta: 'a' },
  ];
  const read = (event: object) => failureOf([RUN[0], event, RUN.at(-1)]);
  expect(unreadable.map(read)).toEqual(
    unreadable.map((event) => ({
      code: 'protocol',
      message: `the agent sent an event that cannot be read: ${JSON.stringify(event)}`,
    })),
  );
  expect([
    read({ type: 'TOOL_CALL_RESULT', toolCallId: 'c9', content: 'noon' }),
    read({ type: 'TOOL_CALL_ARGS', toolCallId: 'c9', delta: '{}' }),
  ]).toEqual([
    { code: 'protocol', message: 'the agent sent the result of a tool call "c9" that it had not sent' },
    { code: 'protocol', message: 'the agent sent the arguments of a tool call "c9" that it had not sent' },
  ]);
});

test.each(['RUN_BEGIN', 'STATE_CHANGE', 'TOOL_CALL', 'CUSTOM', 'RAW'])('%s begins no run', (type) => {
  expect(readAll([{ type, delta: 'a' }])).toBeUndefined();
});

test('errors and missing ends', () => {
  const [started] = RUN;
  expect([
    failureOf(RUN.slice(0, -1)),
    failureOf([started, { type: 'RUN_ERROR', message: 'Oops' }]),
    failureOf([started, { type: 'RUN_ERROR', message: 'Slow down', code: 'rate_limit_exceeded' }]),
    failureOf([{ type: 'RUN_ERROR', message: 'Bad gateway', code: '502' }]),
    failureOf([started, { type: 'RUN_FINISHED', outcome: { type: 'cancelled' } }]),
    failureOf([started, { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: {} }]),
  ]).toEqual([
    { code: 'protocol', message: 'the agent cut its answer off: the stream ended without RUN_FINISHED' },
    { code: 'agent', message: 'the agent sent an error: Oops' },
    { code: 'rate_limit', message: 'the agent sent an error: Slow down' },
    { code: 'connection', message: 'the agent sent an error: Bad gateway' },
    { code: 'agent', message: 'the agent cancelled its run' },
    {
      code: 'protocol',
      message:
        'the agent sent an event that cannot be read: {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":{}}',
    },
  ]);
});
