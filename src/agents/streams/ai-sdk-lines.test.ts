import { expect, test } from 'vitest';
import { failureOf, readAll } from './read-all.fixture.ts';

const LINES = String.raw`
f:{"messageId":"msg-0xt1goqpdS3TekIBp0hgNzB8"}
g:"The user wants the weather."
0:"Let me check."
b:{"toolCallId":"c1","toolName":"forecast"}
c:{"toolCallId":"c1","argsTextDelta":"{\"city\":"}
9:{"toolCallId":"c1","toolName":"forecast","args":{"city":"Oslo"}}
2:[{"progress":0.5}]
a:{"toolCallId":"c1","result":{"city":"Oslo","degrees":21}}
e:{"finishReason":"tool-calls","usage":{"promptTokens":10,"completionTokens":5},"isContinued":false}
f:{"messageId":"msg-1pmXITqYdY76Oz9NYNLfaM92"}
0:"It is "
0:"21."
8:[{"note":1}]
e:{"finishReason":"stop","usage":{"promptTokens":10,"completionTokens":5},"isContinued":false}
d:{"finishReason":"stop","usage":{"promptTokens":20,"completionTokens":10}}
`
  .trim()
  .split('\n');

test('reads text, tool calls and token counts of all steps', () => {
  expect(readAll(LINES)).toEqual({
    output: 'Let me check.\n\nIt is 21.',
    tool_calls: [{ name: 'forecast', arguments: { city: 'Oslo' }, result: { city: 'Oslo', degrees: 21 } }],
    usage: { input_tokens: 20, output_tokens: 10 },
  });
  // Counts that the model does not report are null.
  expect(readAll(['0:"a"', 'd:{"finishReason":"stop","usage":{"promptTokens":null}}'])).toEqual({
    output: 'a',
    tool_calls: [],
  });
});

test('errors, unreadable lines and a missing end', () => {
  expect([
    failureOf(['f:{"messageId":"m"}', '0:"a"', '3:"An error occurred."']),
    failureOf(['f:{"messageId":"m"}', '0:"a"', 'd:{"finishReason":"error"}']),
    failureOf(LINES.slice(0, -1)),
    failureOf(['0:"a"']),
    failureOf(['0:"a"', '0:{"text":1}']),
    failureOf(['0:"a"', 'a:"result"']),
    failureOf(['0:"a"', 'text']),
    failureOf(['a:{"toolCallId":"c1","result":1}', 'd:{}']),
    failureOf(['7:{"tool_calls":[]}', 'd:{}']),
  ]).toEqual([
    { code: 'agent', message: 'the agent sent an error: An error occurred.' },
    { code: 'agent', message: 'the agent sent an error: the model call failed' },
    {
      code: 'protocol',
      message: 'the agent cut its answer off: the stream ended without a line with the code d',
    },
    {
      code: 'protocol',
      message: 'the agent cut its answer off: the stream ended without a line with the code d',
    },
    { code: 'protocol', message: 'the agent sent an event that cannot be read: 0:{"text":1}' },
    { code: 'protocol', message: 'the agent sent an event that cannot be read: a:"result"' },
    { code: 'protocol', message: 'the agent sent an event that cannot be read: text' },
    { code: 'protocol', message: 'the agent sent the result of a tool call "c1" that it had not sent' },
    { code: 'protocol', message: 'the agent sent an event that cannot be read: 7:{"tool_calls":[]}' },
  ]);
});

test('text is no line of a data stream', () => {
  expect([readAll(['0: zero']), readAll(['no:"x"']), readAll(['0:'])]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
