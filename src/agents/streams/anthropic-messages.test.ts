import { expect, test } from 'vitest';
import { failureOf, parseLines, readAll } from './read-all.fixture.ts';

const MESSAGE = parseLines(String.raw`
{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","content":[],"stop_reason":null,"usage":{"input_tokens":25,"cache_creation_input_tokens":5,"cache_read_input_tokens":10,"output_tokens":1}}}
{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}
{"type":"ping"}
{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"The user wants the weather."}}
{"type":"content_block_stop","index":0}
{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}
{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Let me "}}
{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"check."}}
{"type":"content_block_stop","index":1}
{"type":"content_block_start","index":2,"content_block":{"type":"server_tool_use","id":"srv_1","name":"web_search","input":{}}}
{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":""}}
{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"query\": \"Os"}}
{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"lo\"}"}}
{"type":"content_block_stop","index":2}
{"type":"content_block_start","index":3,"content_block":{"type":"web_search_tool_result","tool_use_id":"srv_1","content":[{"type":"web_search_result","url":"https://example.com"}]}}
{"type":"content_block_stop","index":3}
{"type":"content_block_start","index":4,"content_block":{"type":"text","text":""}}
{"type":"content_block_delta","index":4,"delta":{"type":"text_delta","text":"It is 21"}}
{"type":"content_block_stop","index":4}
{"type":"content_block_start","index":5,"content_block":{"type":"text","text":" degrees."}}
{"type":"content_block_stop","index":5}
{"type":"content_block_start","index":6,"content_block":{"type":"tool_use","id":"toolu_1","name":"note","input":{}}}
{"type":"content_block_stop","index":6}
{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":89}}
{"type":"message_stop"}
`);

const TRANSCRIPT = {
  output: 'Let me check.\n\nIt is 21 degrees.',
  tool_calls: [
    {
      name: 'web_search',
      arguments: { query: 'Oslo' },
      result: [{ type: 'web_search_result', url: 'https://example.com' }],
    },
    { name: 'note', arguments: {} },
  ],
  usage: { input_tokens: 40, output_tokens: 89 },
};

test('joins the events of a message', () => {
  expect(readAll(MESSAGE)).toEqual(TRANSCRIPT);
});

test('joins several messages, one after the other', () => {
  expect(readAll([...MESSAGE, ...MESSAGE])).toEqual({
    output: `${TRANSCRIPT.output}\n\n${TRANSCRIPT.output}`,
    tool_calls: [...TRANSCRIPT.tool_calls, ...TRANSCRIPT.tool_calls],
    usage: { input_tokens: 80, output_tokens: 178 },
  });
});

test('a tool of the service that fails', () => {
  const block = (content_block: object) => ({ type: 'content_block_start', index: 0, content_block });
  const events = [
    { type: 'message_start', message: {} },
    block({ type: 'server_tool_use', id: 'a', name: 'web_search', input: { query: 'x' } }),
    block({ type: 'web_search_tool_result', tool_use_id: 'a', content: { error_code: 'max_uses_exceeded' } }),
    block({ type: 'mcp_tool_use', id: 'b', name: 'roll', input: {} }),
    block({
      type: 'mcp_tool_result',
      tool_use_id: 'b',
      is_error: true,
      content: [{ type: 'text', text: 'no' }],
    }),
    { type: 'message_stop' },
  ];
  expect(readAll(events)).toEqual({
    output: '',
    tool_calls: [
      { name: 'web_search', arguments: { query: 'x' }, error: 'max_uses_exceeded' },
      { name: 'roll', arguments: {}, error: 'no' },
    ],
  });
});

test('parts of unknown calls and fields of the wrong type', () => {
  const [start] = MESSAGE;
  const delta = (value: unknown) => ({ type: 'content_block_delta', index: 9, delta: value });
  const block = (value: unknown) => ({ type: 'content_block_start', index: 9, content_block: value });
  const read = (event: object) => failureOf([start, event, { type: 'message_stop' }]);
  const unreadable = [
    delta('a'),
    delta({ type: 'text_delta', text: 7 }),
    block('a'),
    block({ type: 'tool_use', name: 'note' }),
    { text: 'a' },
  ];
  expect(unreadable.map(read)).toEqual(
    unreadable.map((event) => ({
      code: 'protocol',
      message: `the agent sent an event that cannot be read: ${JSON.stringify(event)}`,
    })),
  );
  expect([
    read(block({ type: 'mcp_tool_result', tool_use_id: 'c9', content: [] })),
    read(delta({ type: 'input_json_delta', partial_json: '{}' })),
  ]).toEqual([
    { code: 'protocol', message: 'the agent sent the result of a tool call "c9" that it had not sent' },
    { code: 'protocol', message: 'the agent sent the arguments of a tool call that it had not sent' },
  ]);
});

test('errors and missing ends', () => {
  const error = (type: string, message: string) => ({ type: 'error', error: { type, message } });
  const [start] = MESSAGE;
  expect([
    failureOf(MESSAGE.slice(0, -1)),
    failureOf([start, error('overloaded_error', 'Overloaded')]),
    failureOf([start, error('rate_limit_error', 'Slow down')]),
    failureOf([start, error('authentication_error', 'Wrong key')]),
    failureOf([start, error('api_error', 'Oops')]),
    failureOf([error('overloaded_error', 'Overloaded')]),
  ]).toEqual([
    { code: 'protocol', message: 'the agent cut its answer off: the stream ended without message_stop' },
    { code: 'connection', message: 'the agent sent an error: Overloaded' },
    { code: 'rate_limit', message: 'the agent sent an error: Slow down' },
    { code: 'auth', message: 'the agent sent an error: Wrong key', isFinal: true },
    { code: 'agent', message: 'the agent sent an error: Oops' },
    { code: 'connection', message: 'the agent sent an error: Overloaded' },
  ]);
});
