// `ctx.llm`: calls of models by the name of their connector.

import { AttemptError } from '../../errors.ts';
import type { ChatTool } from '../../connectors/chat.ts';
import { chat } from '../../connectors/chat.ts';
import { MODEL_OPTIONS } from '../../connectors/models/openai-body.ts';
import { isObject } from '../../json/is-object.ts';
import type { Message } from '../../model/case.ts';
import { joinSpending } from '../../model/spending.ts';
import { didYouMean } from '../../text/nearest.ts';
import { combine, isCombined } from './combine.ts';
import { toFailure } from './failure.ts';
import type { MemberDeps } from './serve.ts';
import { waitingTeller } from './waiting-teller.ts';

type ModelAnswer = { connector: string; response?: unknown; content?: string; error?: string };

const never = new AbortController().signal;

export async function callModels(method: string, args: unknown[], deps: MemberDeps): Promise<unknown> {
  if (method === 'Stream') return askModel(args, 0, deps, never);
  if (!isCombined(method)) throw new AttemptError('agent', `there is no ${method}`);
  const list = Array.isArray(args[0]) ? (args[0] as Record<string, unknown>[]) : [];
  return combine(method, list, ({ connector, messages, options, ...rest }, index, signal) =>
    askModel([connector, messages, options ?? rest], index, deps, signal),
  );
}

/** A failure of the call is in the answer. Throws if there is no such connector. */
async function askModel(
  [id, messages, given]: unknown[],
  index: number,
  { directory, host, tell, done }: MemberDeps,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  if (typeof id !== 'string' || id === '') throw new AttemptError('agent', 'needs the id of a connector');
  const { tools, ...options } = modelOptions(given);
  const connector = await directory.connector(id, host.folder);
  const asked = toMessages(messages);
  let isHeard = false;
  const heard = (content: string): void => {
    isHeard = true;
    tell({ type: 'chunk', index, id, message: { type: 'text', props: { content } } });
  };
  try {
    const {
      cost_usd,
      first_token_ms: _first,
      ...completion
    } = await chat(
      connector,
      { messages: asked, options, ...(tools !== undefined && { tools: toTools(tools) }) },
      {
        root: host.root,
        signal,
        retries: host.retries ?? 0,
        log: (line) => console.log(line),
        waiting: waitingTeller(tell),
        heard,
      },
    );
    const { content, usage } = completion;
    done.spent = joinSpending(done.spent, { ...(usage !== undefined && { usage }), cost_usd });
    if (!isHeard && content !== '') heard(content);
    return { connector: id, response: { role: 'assistant', ...completion }, content };
  } catch (error) {
    if (signal.aborted) return { connector: id, error: 'another one answered first' };
    const failure = toFailure(error);
    if (failure.code !== undefined) done.unmeasured = failure;
    return { connector: id, error: failure.message };
  }
}

function modelOptions(given: unknown): Record<string, unknown> {
  if (given === undefined || given === null) return {};
  if (!isObject(given)) throw new AttemptError('agent', 'the options of a model are an object');
  const known = [...MODEL_OPTIONS, 'extra_body', 'onChunk', 'tools'];
  const wrong = Object.keys(given).find((name) => !known.includes(name));
  if (wrong === undefined) return given;
  const hint = didYouMean(wrong, known) ?? 'put options that only one service knows into "extra_body"';
  throw new AttemptError('agent', `a model has no option "${wrong}"; ${hint}`);
}

/** Tools in the form of chat completions, or without the `function` around them. */
function toTools(tools: unknown): ChatTool[] {
  if (!Array.isArray(tools)) throw new AttemptError('agent', 'the tools of a model are a list');
  return tools.map((tool: unknown): ChatTool => {
    const inner = isObject(tool) && isObject(tool['function']) ? tool['function'] : tool;
    const { name, description, parameters } = isObject(inner) ? inner : {};
    if (typeof name !== 'string') throw new AttemptError('agent', 'a tool of a model needs a name');
    return {
      name,
      parameters: isObject(parameters) ? parameters : { type: 'object' },
      ...(typeof description === 'string' && { description }),
    };
  });
}

/** A text is the message of a user. */
export function toMessages(messages: unknown): Message[] {
  if (typeof messages === 'string') return [{ role: 'user', content: messages }];
  const isList =
    Array.isArray(messages) && messages.every((item) => isObject(item) && typeof item['role'] === 'string');
  if (!isList) throw new AttemptError('agent', 'needs a list of messages: {role, content}');
  // The roles are checked above; the model's service checks the rest.
  return messages as Message[];
}
