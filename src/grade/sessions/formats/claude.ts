// Sessions of Claude Code: one file each, `~/.claude/projects/<project>/<session>.jsonl`, or the output of `claude -p --output-format stream-json`.

import { isObject } from '../../../json/is-object.ts';
import type { Usage } from '../../../model/agent.ts';
import { isCount } from '../../../model/spending.ts';
import type { Fields, SessionFile } from '../session-file.ts';
import { SessionBuilder } from '../session-builder.ts';
import { contentText, fieldsOf, listOf, textOf } from './fields.ts';
import type { SessionReader } from './format.ts';

/** Lines of other types describe the program, not the conversation. */
const SPOKEN = new Set(['assistant', 'user']);
const OWN_NAMES = ['sessionId', 'session_id', 'leafUuid', 'messageId', 'parentUuid'];

export const claude: SessionReader = {
  title: 'a Claude Code session',
  recognises: (value) =>
    typeof value['type'] === 'string' &&
    !('payload' in value) &&
    OWN_NAMES.some((name) => typeof value[name] === 'string'),
  async open(file) {
    const { id, builder } = await read(file);
    return [
      {
        id: id ?? file.title,
        names: [file.title],
        format: 'claude',
        agent: 'claude-code',
        input: builder.input,
        file: file.name,
        read: async () => (await read(file)).builder.finish(),
      },
    ];
  },
};

async function read(file: SessionFile): Promise<{ id: string | undefined; builder: SessionBuilder }> {
  const reading = new Reading();
  for await (const { value, line } of file.values()) {
    const problem = reading.take(value);
    if (problem !== undefined) throw file.problem(line, problem, 'the session file is damaged here');
  }
  const builder = reading.finish();
  if (builder.isEmpty) throw file.problem(1, 'the session has no messages');
  return { id: reading.id, builder };
}

/** One session while it is read. */
class Reading {
  id: string | undefined;
  readonly #builder = new SessionBuilder();
  /** Each block of a message has a line of its own, with the counts of the whole message. */
  readonly #usage = new Map<string, Usage>();
  #open: { id: string; text: string } | undefined;
  #cost: number | undefined;
  #total: number | undefined;

  /** Gives what is wrong with a line. */
  take(value: Fields): string | undefined {
    const type = textOf(value['type']);
    if (type === undefined) return 'expected a line with a "type"';
    this.id ??= textOf(value['sessionId']) ?? textOf(value['session_id']);
    if (type === 'result') this.#takeResult(value);
    if (!SPOKEN.has(type)) return undefined;
    const { message } = value;
    if (!isObject(message) || !('content' in message))
      return `expected "message" with "content" in a line of type "${type}"`;
    this.#builder.at(value['timestamp']);
    // Agents below the main one have lines in the same file: their calls and tokens count, their words do not.
    const isMain = value['isSidechain'] !== true && textOf(value['parent_tool_use_id']) === undefined;
    if (type === 'user') this.#takeUser(value, message['content'], isMain);
    else this.#takeAssistant(value, message, isMain);
    return undefined;
  }

  finish(): SessionBuilder {
    this.#closeMessage();
    for (const usage of this.#usage.values()) this.#builder.spend(usage);
    const cost = this.#total ?? this.#cost;
    if (cost !== undefined) this.#builder.spend(undefined, cost);
    return this.#builder;
  }

  #takeUser(line: Fields, content: unknown, isMain: boolean): void {
    const blocks = listOf(content);
    for (const block of blocks) {
      if (block['type'] !== 'tool_result') continue;
      const text = contentText(block['content']);
      this.#builder.result(
        textOf(block['tool_use_id']),
        block['is_error'] === true ? { error: text } : { result: text },
      );
    }
    const isOwn = line['isMeta'] !== true && line['isCompactSummary'] !== true;
    if (!isMain || !isOwn) return;
    const said =
      typeof content === 'string' ? content : contentText(blocks.filter(({ type }) => type === 'text'));
    if (said === '') return;
    this.#closeMessage();
    this.#builder.user(said);
  }

  #takeAssistant(line: Fields, message: Fields, isMain: boolean): void {
    const id = textOf(message['id']) ?? textOf(line['uuid']) ?? '';
    const usage = usageOf(fieldsOf(message['usage']));
    if (usage !== undefined) this.#usage.set(id, usage);
    if (isCount(line['costUSD'])) this.#cost = (this.#cost ?? 0) + line['costUSD'];
    const { content } = message;
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
    for (const block of blocks)
      this.#takeBlock(block, { id, isMain, isFailure: line['isApiErrorMessage'] === true });
  }

  #takeBlock(
    block: Fields,
    { id, isMain, isFailure }: { id: string; isMain: boolean; isFailure: boolean },
  ): void {
    const type = textOf(block['type']) ?? '';
    if (type.endsWith('tool_use')) {
      this.#closeMessage();
      this.#builder.call(textOf(block['id']), textOf(block['name']) ?? 'unknown', block['input']);
    }
    const text = type === 'text' ? textOf(block['text']) : undefined;
    if (text === undefined || !isMain) return;
    if (isFailure) {
      this.#closeMessage();
      this.#builder.error = text;
      return;
    }
    if (this.#open?.id !== id) this.#closeMessage();
    this.#open = { id, text: this.#open === undefined ? text : `${this.#open.text}\n${text}` };
  }

  /** The texts of one message are one answer. */
  #closeMessage(): void {
    if (this.#open !== undefined) this.#builder.assistant(this.#open.text);
    this.#open = undefined;
  }

  /** The last line of a stream sums the session up. */
  #takeResult(value: Fields): void {
    if (isCount(value['total_cost_usd'])) this.#total = value['total_cost_usd'];
    if (value['is_error'] !== true) return;
    this.#closeMessage();
    this.#builder.error =
      textOf(value['result']) ?? textOf(value['subtype']) ?? 'the session ended with an error';
  }
}

/** Anthropic counts the tokens of its cache apart from the other input tokens. */
function usageOf(usage: Fields): Usage | undefined {
  const { input_tokens: fresh, output_tokens: output } = usage;
  if (!isCount(fresh) && !isCount(output)) return undefined;
  const cached = [usage['cache_read_input_tokens'], usage['cache_creation_input_tokens']].filter(isCount);
  const input = isCount(fresh) ? cached.reduce((sum, count) => sum + count, fresh) : undefined;
  return {
    ...(input !== undefined && { input_tokens: input }),
    ...(isCount(output) && { output_tokens: output }),
  };
}
