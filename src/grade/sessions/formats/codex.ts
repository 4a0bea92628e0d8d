// Sessions of Codex: one file each, `~/.codex/sessions/<year>/<month>/<day>/rollout-<time>-<id>.jsonl`. Older versions wrote the items without
// an envelope.

import { isObject } from '../../../json/is-object.ts';
import { jsonOrText } from '../../../json/parse-json.ts';
import { toUsage } from '../../../model/spending.ts';
import type { Fields, SessionFile } from '../session-file.ts';
import { SessionBuilder } from '../session-builder.ts';
import { contentText, fieldsOf, textOf } from './fields.ts';
import type { SessionReader } from './format.ts';

const ENVELOPES = new Set(['session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted']);
const ITEMS = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
  'web_search_call',
]);
/** Codex tells the model about itself in messages of the user. */
const NOT_SAID =
  /^\s*(?:<(?:environment_context|user_instructions|permissions instructions|turn_aborted|user_shell_command|INSTRUCTIONS|skill)\b|# AGENTS\.md instructions)/;

export const codex: SessionReader = {
  title: 'a Codex session',
  recognises: (value) =>
    (ENVELOPES.has(String(value['type'])) && isObject(value['payload'])) ||
    (isBareStart(value) && 'instructions' in value) ||
    value['record_type'] === 'state',
  async open(file) {
    const { id, builder } = await read(file);
    return [
      {
        id: id ?? file.title,
        names: [file.title],
        format: 'codex',
        agent: 'codex',
        input: builder.input,
        file: file.name,
        read: async () => (await read(file)).builder.finish(),
      },
    ];
  },
};

async function read(file: SessionFile): Promise<{ id: string | undefined; builder: SessionBuilder }> {
  const reading = new Reading(await hasUserEvents(file));
  for await (const { value, line } of file.values()) {
    const problem = reading.take(value);
    if (problem !== undefined) throw file.problem(line, problem, 'the session file is damaged here');
  }
  if (reading.builder.isEmpty) throw file.problem(1, 'the session has no messages');
  return { id: reading.id, builder: reading.builder };
}

/** Newer versions note what the user typed apart from what the model is told. */
async function hasUserEvents(file: SessionFile): Promise<boolean> {
  for await (const { value } of file.values())
    if (value['type'] === 'event_msg' && fieldsOf(value['payload'])['type'] === 'user_message') return true;
  return false;
}

function isBareStart(value: Fields): boolean {
  return !('type' in value) && textOf(value['id']) !== undefined && textOf(value['timestamp']) !== undefined;
}

/** One session while it is read. */
class Reading {
  id: string | undefined;
  readonly builder = new SessionBuilder();
  readonly #hasUserEvents: boolean;

  constructor(hasUserEvents: boolean) {
    this.#hasUserEvents = hasUserEvents;
  }

  /** Gives what is wrong with a line. */
  take(value: Fields): string | undefined {
    this.builder.at(value['timestamp']);
    if (isBareStart(value)) {
      this.id ??= textOf(value['id']);
      return undefined;
    }
    if ('record_type' in value) return undefined;
    const type = textOf(value['type']);
    if (type === undefined) return 'expected a line with a "type"';
    if (!ENVELOPES.has(type)) {
      if (ITEMS.has(type)) this.#takeItem(value);
      // Types that later versions add are not part of the conversation.
      return undefined;
    }
    const { payload } = value;
    if (!isObject(payload)) return `expected an object as "payload" of a line of type "${type}"`;
    if (type === 'session_meta') this.id ??= textOf(payload['id']);
    if (type === 'response_item') this.#takeItem(payload);
    if (type === 'event_msg') this.#takeEvent(payload);
    return undefined;
  }

  #takeItem(item: Fields): void {
    const id = textOf(item['call_id']) ?? textOf(item['id']);
    switch (item['type']) {
      case 'message':
        this.#takeMessage(item);
        return;
      case 'function_call':
        this.builder.call(id, toolName(item), jsonOrText(item['arguments']));
        return;
      case 'custom_tool_call':
        this.builder.call(id, toolName(item), item['input']);
        return;
      case 'local_shell_call':
        this.builder.call(id, 'local_shell', item['action']);
        return;
      case 'web_search_call':
        this.builder.call(id, 'web_search', item['action']);
        return;
      case 'function_call_output':
      case 'custom_tool_call_output':
        this.builder.result(id, outputOf(item['output']));
    }
  }

  #takeMessage({ role, content }: Fields): void {
    const text = contentText(content);
    if (role === 'assistant') this.builder.assistant(text);
    else if (role === 'user' && !this.#hasUserEvents && !NOT_SAID.test(text)) this.builder.user(text);
  }

  #takeEvent(event: Fields): void {
    if (event['type'] === 'user_message') this.builder.user(textOf(event['message']) ?? '');
    if (event['type'] === 'error' || event['type'] === 'stream_error')
      this.builder.error = textOf(event['message']) ?? 'the session ended with an error';
    if (event['type'] === 'turn_aborted')
      this.builder.error = `the turn was aborted: ${textOf(event['reason']) ?? 'unknown'}`;
    if (event['type'] !== 'token_count') return;
    // The counts are those of the session so far.
    const usage = toUsage(fieldsOf(event['info'])['total_token_usage']);
    if (usage !== undefined) this.builder.usage = usage;
  }
}

/** Tools of an MCP server may have their server apart. */
function toolName({ name, namespace }: Fields): string {
  const own = textOf(name) ?? 'unknown';
  const server = textOf(namespace);
  return server === undefined || own.includes('__') ? own : `${server}__${own}`;
}

/** A text, `{output, metadata}` as JSON text, `{content, success}`, or content parts. */
function outputOf(output: unknown): { result: unknown } | { error: string } {
  if (isObject(output)) {
    const text = contentText(output['content'] ?? output['output'] ?? '');
    return output['success'] === false ? { error: text } : { result: text };
  }
  if (typeof output !== 'string') return { result: contentText(output) };
  const value = jsonOrText(output);
  return { result: isObject(value) && 'output' in value && 'metadata' in value ? value['output'] : output };
}
