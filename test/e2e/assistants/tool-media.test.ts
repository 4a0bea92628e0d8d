// Images that tools of MCP servers return reach the model as images; results and messages have their type and size.

import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { folder, readLog } from '../support/assay.ts';
import { chat, modelServer, openai, run } from '../support/assistant-files.ts';

const EVERYTHING = resolve('node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const NAME = 'agents_chat_all__get-tiny-image';
const IMAGE = expect.stringMatching(/^iVBORw0KGgo[\w+/=]{5000,}$/);
const IMAGE_URL = expect.stringMatching(/^data:image\/png;base64,iVBORw0KGgo[\w+/=]{5000,}$/);

/** What the server says around its image, as the model and the transcript see it. */
const SHOWN = [
  { type: 'text', text: "Here's the image you requested:" },
  { type: 'image', mimeType: 'image/png', bytes: expect.any(Number) },
  { type: 'text', text: 'The image above is the MCP logo.' },
];

/** Runs an assistant whose model calls the tool `count` times at once; gives the second request. */
async function secondRequest(connector: (url: string) => unknown, count: number, ...args: string[]) {
  const server = await modelServer((_request, number) => {
    const calls = Array.from({ length: count }, (_, index) => ({
      name: NAME,
      arguments: {},
      id: `call-${String(index)}`,
    }));
    return number === 1 ? { tool_calls: calls } : 'a logo';
  });
  const cwd = folder({
    ...chat(connector(server.url), [{ id: 'a', input: 'look' }]),
    'assistants/chat/package.yao': {
      connector: 'small',
      mcp: { servers: [{ server_id: 'agents.chat.all', tools: ['get-tiny-image'] }] },
    },
    'assistants/chat/mcps/all.mcp.yao': {
      transport: 'stdio',
      command: process.execPath,
      arguments: [EVERYTHING, 'stdio'],
    },
  });
  const { exitCode } = await run(cwd, ...args);
  const [result] = readLog(join(cwd, 'log.jsonl')).results;
  expect([exitCode, result?.output]).toEqual([0, 'a logo']);
  expect(result?.tool_calls?.map((call) => call.result)).toEqual(Array.from({ length: count }, () => SHOWN));
  // The log has no bytes of the image anywhere.
  expect(JSON.stringify(result)).not.toContain('iVBORw0KGgo');
  if (args.includes('--record')) expect((await run(cwd, '--replay', 'tapes')).exitCode).toBe(0);
  expect(server.requests).toHaveLength(2);
  return server.requests[1]?.body ?? {};
}

function parsed(text: unknown): unknown {
  return JSON.parse(String(text));
}

test('chat completions: in a message of the user, after all results of the round', async () => {
  const body = await secondRequest(openai, 2, '--record', 'tapes');
  const messages = body['messages'] as { role: string; content: unknown; tool_call_id?: string }[];
  const [, , assistant, first, second, user, ...rest] = messages;
  expect([assistant?.role, rest]).toEqual(['assistant', []]);
  expect([first?.tool_call_id, second?.tool_call_id]).toEqual(['call-0', 'call-1']);
  expect([parsed(first?.content), parsed(second?.content)]).toEqual([SHOWN, SHOWN]);
  const image = [
    { type: 'text', text: `The tool ${NAME} returned:` },
    { type: 'image_url', image_url: { url: IMAGE_URL } },
  ];
  expect(user).toEqual({ role: 'user', content: [...image, ...image] });
});

test('Anthropic: inside of the result of the tool', async () => {
  const connector = (url: string): unknown => ({
    type: 'anthropic',
    options: { model: 'claude-sonnet-4-5', key: '$ENV.SHOP_KEY', host: `${url}/v1` },
  });
  const body = await secondRequest(connector, 1);
  const [result] =
    (body['messages'] as { content: { content: { text: string }[] }[] }[]).at(-1)?.content ?? [];
  expect({ ...result, content: result?.content.slice(1) }).toEqual({
    type: 'tool_result',
    tool_use_id: 'call-0',
    content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: IMAGE } }],
  });
  expect(parsed(result?.content[0]?.text)).toEqual(SHOWN);
});

test('Google: as a part of the request', async () => {
  const connector = (url: string): unknown => ({
    type: 'google',
    options: { model: 'gemini-3-pro', key: '$ENV.SHOP_KEY', host: `${url}/v1beta` },
  });
  const body = await secondRequest(connector, 1);
  const last = (body['contents'] as { parts: unknown[] }[]).at(-1);
  expect(JSON.stringify(last)).toMatch(/"inlineData":\{"mimeType":"image\/png","data":"iVBORw0KGgo/);
});
