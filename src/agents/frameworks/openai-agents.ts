// Agents of the OpenAI Agents SDK. An agent has no run method: the package exports `run`.

import { AttemptError } from '../../errors.ts';
import { jsonOrText } from '../../json/parse-json.ts';
import type { ToolCall } from '../../model/agent.ts';
import type { Fields, Framework } from './framework.ts';
import { readField, hasMethods, objectsIn, textIn } from './framework.ts';
import { packageCopies } from './import-package.ts';
import { fromItems, outputText, toItems } from './openai-items.ts';
import type { ModelCall } from './spending.ts';
import { addUpSpending, tokenCounts } from './spending.ts';

type Run = (agent: Fields, input: unknown, options: { signal: AbortSignal }) => Promise<unknown>;

const PACKAGES = ['@openai/agents', '@openai/agents-core'];
/** The SDK's default output of a tool that threw, and the only trace of the error. */
const TOOL_ERROR = 'An error occurred while running the tool.';

export const openAiAgents: Framework = {
  title: 'OpenAI Agents SDK (Agent)',
  isAgent: (value) =>
    hasMethods(value, 'getSystemPrompt', 'getAllTools', 'asTool') &&
    Array.isArray(readField(value, 'handoffs')),
  async open(agent, file) {
    const run = await findRun(agent, file);
    return async (messages, signal) => {
      const result = await run(agent, toItems(messages), { signal });
      const output = readField(result, 'finalOutput');
      const waiting = objectsIn(readField(result, 'interruptions'));
      if (output === undefined && waiting.length > 0) throw notApproved(waiting);
      const items = objectsIn(readField(result, 'newItems'));
      const answers = objectsIn(readField(result, 'rawResponses'));
      return {
        output: output ?? null,
        tool_calls: callsIn(items),
        messages: [...messages, ...fromItems(items.map((item) => readField(item, 'rawItem')))],
        ...(await addUpSpending(answers.map((answer) => toModelCall(answer, agent)))),
      };
    };
  },
};

/** If the package is loaded twice, prefers the copy whose class made the agent. */
async function findRun(agent: Fields, file: string): Promise<Run> {
  let other: Run | undefined;
  for (const name of PACKAGES) {
    for await (const { Agent: type, run } of packageCopies(file, name)) {
      if (typeof run !== 'function') continue;
      if (typeof type === 'function' && agent instanceof type) return run as Run;
      other ??= run as Run;
    }
  }
  if (other !== undefined) return other;
  throw new AttemptError(
    'agent',
    `${file} exports an agent of the OpenAI Agents SDK, but ${PACKAGES[0] ?? ''} is not found from there; install it beside the agent`,
  );
}

function notApproved(waiting: Fields[]): AttemptError {
  const names = waiting.map(
    (item) => textIn(item, 'name') ?? textIn(readField(item, 'rawItem'), 'name') ?? 'a tool',
  );
  return new AttemptError('agent', `the agent waits for the approval of ${names.join(', ')}`);
}

function callsIn(items: Fields[]): ToolCall[] {
  const calls: ToolCall[] = [];
  const open = new Map<unknown, ToolCall>();
  for (const item of items) {
    const raw = readField(item, 'rawItem');
    const type = textIn(raw, 'type') ?? '';
    const id = readField(raw, 'callId') ?? readField(raw, 'id');
    if (type.endsWith('_call')) {
      const call = { name: textIn(raw, 'name') ?? type, arguments: jsonOrText(readField(raw, 'arguments')) };
      calls.push(call);
      open.set(id, call);
      continue;
    }
    const call = /_call_(?:result|output)$/.test(type) ? open.get(id) : undefined;
    if (call === undefined) continue;
    const output = readField(item, 'output') ?? outputText(readField(raw, 'output'));
    if (typeof output === 'string' && output.startsWith(TOOL_ERROR)) call.error = output;
    else call.result = output ?? null;
  }
  return calls;
}

function toModelCall(answer: Fields, agent: Fields): ModelCall {
  const usage = readField(answer, 'usage');
  const [details] = objectsIn(readField(usage, 'inputTokensDetails'));
  return {
    model: textIn(readField(answer, 'providerData'), 'model') ?? textIn(agent, 'model'),
    usage: tokenCounts(readField(usage, 'inputTokens'), readField(usage, 'outputTokens'), {
      read: readField(details, 'cached_tokens'),
    }),
  };
}
