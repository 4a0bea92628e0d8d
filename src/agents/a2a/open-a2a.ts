// An agent that speaks the Agent2Agent protocol: each turn sends one message and gets a message or a task.

import type { AgentCard } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { AttemptError, messageOf } from '../../errors.ts';
import type { Transcript } from '../../model/agent.ts';
import type { Message } from '../../model/case.ts';
import type { ContextData } from '../../model/context.ts';
import { raceSignal } from '../../platform/race.ts';
import type { Agent, AgentAdapter, AgentDeps } from '../adapter.ts';
import { holdCard } from './agent-card.ts';
import type { Endpoint } from './endpoint-fetch.ts';
import { endpointFetch, toEndpoint } from './endpoint-fetch.ts';
import { cancel, follow } from './follow.ts';
import { outgoing } from './outgoing.ts';
import type { A2aSdk } from './sdk.ts';
import { loadSdk } from './sdk.ts';
import type { Earlier } from './task-view.ts';
import { NOTHING_EARLIER, TaskView } from './task-view.ts';

/** The conversation of one attempt: the number of messages sent and the state after the last turn. */
type Session = { length: number; earlier: Earlier };

/** Opens an A2A agent. Its card is fetched once; every attempt has its own context at the server. */
export const openA2a: AgentAdapter = ({ run }, { root }): Agent => {
  if (run.type !== 'a2a') throw new AttemptError('harness', `not an A2A agent: ${run.type}`);
  const endpoint = toEndpoint(run.a2a);
  const card = holdCard(endpoint);
  const sessions = new WeakMap<ContextData, Session>();
  let sdk: A2aSdk | undefined;

  const ready = async (deps: AgentDeps): Promise<{ sdk: A2aSdk; card: AgentCard }> => {
    sdk ??= await loadSdk([root, process.cwd()]);
    return { sdk, card: await card.get(deps) };
  };

  return {
    prepare(deps) {
      if (sdk !== undefined && card.known !== undefined) return undefined;
      return ready(deps).then(() => undefined);
    },
    async run(messages, context, deps) {
      const opened = await ready(deps);
      const known = sessions.get(context);
      // Fewer messages than before: the attempt was restarted.
      const session = known !== undefined && known.length < messages.length ? known : undefined;
      const asked = session === undefined ? messages : messages.slice(session.length).filter(isNew);
      const view = new TaskView(endpoint.where, session?.earlier ?? NOTHING_EARLIER);
      const transcript = await takeTurn(opened, endpoint, { asked, context, deps, view, session });
      sessions.set(context, { length: messages.length, earlier: view.earlier() });
      return transcript;
    },
  };
};

type Turn = {
  asked: Message[];
  context: ContextData;
  deps: AgentDeps;
  view: TaskView;
  session: Session | undefined;
};

async function takeTurn(
  { sdk, card }: { sdk: A2aSdk; card: AgentCard },
  endpoint: Endpoint,
  { asked, context, deps, view, session }: Turn,
): Promise<Transcript> {
  const { signal } = deps;
  signal.throwIfAborted();
  const controller = new AbortController();
  const fetch = endpointFetch(endpoint, { fetch: deps.fetch, signal: controller.signal });
  const client = await clientFor(sdk, card, fetch, endpoint.where);
  /** Cancels the task at the agent when the attempt ends early. */
  const cancelTask = (): void => {
    controller.abort(signal.reason);
    if (view.taskId === '' || view.isSettled) return;
    const canceled = cancel(client, view.taskId);
    deps.closing?.(canceled);
  };
  signal.addEventListener('abort', cancelTask, { once: true });
  const streams = card.capabilities?.streaming === true;
  const message = outgoing(asked, context, session?.earlier ?? NOTHING_EARLIER);
  const { where } = endpoint;
  try {
    await raceSignal(follow(client, message, view, { streams, signal: controller.signal, where }), signal);
  } catch (error) {
    if (!signal.aborted) cancelTask();
    throw error;
  } finally {
    signal.removeEventListener('abort', cancelTask);
  }
  return view.transcript(asked, { streamed: streams });
}

/** Each turn has its own client, because each attempt has its own `fetch`. Creating one is cheap. */
async function clientFor(
  sdk: A2aSdk,
  card: AgentCard,
  fetchImpl: typeof globalThis.fetch,
  where: string,
): Promise<Client> {
  const options = { fetchImpl, legacyCompat: { enabled: true } };
  const factory = new sdk.ClientFactory({
    transports: [new sdk.JsonRpcTransportFactory(options), new sdk.RestTransportFactory(options)],
    cardResolver: new sdk.DefaultAgentCardResolver(options),
  });
  try {
    return await factory.createFromAgentCard(card);
  } catch (error) {
    const message = `the card of ${where} cannot be used: ${messageOf(error)}`;
    throw new AttemptError('protocol', message, { cause: error, isFinal: true });
  }
}

/** The agent already has its own answers. */
function isNew({ role }: Message): boolean {
  return role !== 'assistant';
}
