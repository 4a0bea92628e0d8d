// A real A2A server on loopback, made of the parts of the official SDK. What its agent does is the first word it is told.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentCard, Message, Part, Task } from '@a2a-js/sdk';
import { Role, TaskState } from '@a2a-js/sdk';
import type { AgentExecutor, ExecutionEventBus, RequestContext } from '@a2a-js/sdk/server';
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';

export type A2aServerOptions = {
  streaming?: boolean;
  binding?: 'JSONRPC' | 'HTTP+JSON';
  version?: '0.3' | '1.0';
  /** Below which its card lies. */
  path?: string;
};

export type A2aServer = {
  url: string;
  /** Every request: method and path, and the method of JSON-RPC. */
  requests: { line: string; rpc: string; headers: IncomingHttpHeaders; body: string }[];
  /** Messages as the agent got them. */
  messages: Message[];
  /** Tasks that somebody has canceled. */
  canceled: string[];
  close(): void;
};

type Said = { context: RequestContext; text: string; bus: ExecutionEventBus; server: Inside };
type Inside = Pick<A2aServer, 'canceled' | 'messages'> & {
  sockets: Set<Socket>;
  store: InMemoryTaskStore;
  stopped: Set<string>;
};

/** Starts a server. */
export async function startA2aServer(options: A2aServerOptions = {}): Promise<A2aServer> {
  const { streaming = true, binding = 'JSONRPC', version = '1.0', path = '' } = options;
  const inside: Inside = {
    canceled: [],
    messages: [],
    sockets: new Set(),
    stopped: new Set(),
    store: new InMemoryTaskStore(),
  };
  const requests: A2aServer['requests'] = [];
  const app = express();
  const server = createServer(app);
  server.on('connection', (socket) => {
    inside.sockets.add(socket);
    socket.on('close', () => inside.sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const card = cardOf(`${url}${path}/rpc`, { streaming, binding, version });
  const requestHandler = new DefaultRequestHandler(card, inside.store, executor(inside));
  const legacyCompat = { enabled: version === '0.3' };
  app.use((request, _response, next) => {
    const { method = '', url: address = '', headers } = request;
    const entry = { line: `${method} ${address}`, rpc: '', headers, body: '' };
    requests.push(entry);
    request.on('data', (chunk: Buffer) => (entry.body += chunk.toString()));
    request.on('end', () => (entry.rpc = /"method":"([^"]+)"/.exec(entry.body)?.[1] ?? ''));
    next();
  });
  app.use(
    `${path}/.well-known/agent-card.json`,
    agentCardHandler({ agentCardProvider: requestHandler, legacyCompat }),
  );
  const handle = binding === 'JSONRPC' ? jsonRpcHandler : restHandler;
  app.use(`${path}/rpc`, handle({ requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat }));
  const { canceled, messages } = inside;
  return {
    url: `${url}${path}`,
    requests,
    messages,
    canceled,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

type CardFacts = Required<Pick<A2aServerOptions, 'binding' | 'streaming' | 'version'>>;

function cardOf(url: string, { streaming, binding, version }: CardFacts): AgentCard {
  return {
    name: 'Clerk',
    description: 'Does what it is told.',
    supportedInterfaces: [{ url, protocolBinding: binding, protocolVersion: version, tenant: '' }],
    provider: undefined,
    version: '1.0.0',
    capabilities: { streaming, pushNotifications: false, extendedAgentCard: false, extensions: [] },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    signatures: [],
  };
}

function executor(server: Inside): AgentExecutor {
  return {
    async execute(context, bus) {
      server.messages.push(context.userMessage);
      const text = textOf(context.userMessage);
      const [word = ''] = text.split(' ');
      const isAnswer = context.task !== undefined;
      const act = isAnswer ? ACTS['answered'] : ACTS[word];
      await (act ?? ACTS['echo'])?.({ context, text, bus, server });
    },
    cancelTask(taskId, bus) {
      server.canceled.push(taskId);
      server.stopped.add(taskId);
      status({ taskId, contextId: '', bus }, TaskState.TASK_STATE_CANCELED);
      return Promise.resolve();
    },
  };
}

const ACTS: Record<string, (said: Said) => Promise<void> | void> = {
  echo(said) {
    begin(said);
    artifact(said, 'a1', [textPart(`you said: ${said.text}`)]);
    const usage = { input_tokens: 3, output_tokens: 5 };
    status(of(said), TaskState.TASK_STATE_COMPLETED, undefined, { usage });
  },
  message(said) {
    said.bus.publish(AgentEvent.message(agentMessage(said.context, 'only a message')));
  },
  async pieces(said) {
    begin(said);
    status(of(said), TaskState.TASK_STATE_WORKING, 'thinking');
    artifact(said, 'a1', [textPart('one ')]);
    await sleep(30);
    artifact(said, 'a1', [textPart('two ')], { append: true });
    artifact(said, 'a1', [textPart('three')], { append: true, lastChunk: true });
    artifact(said, 'a2', [textPart('old')]);
    artifact(said, 'a2', [textPart('and a second one')], { lastChunk: true });
    status(of(said), TaskState.TASK_STATE_COMPLETED, 'done');
  },
  data(said) {
    begin(said);
    artifact(said, 'a1', [{ ...textPart(''), content: { $case: 'data', value: { total: 42 } } }]);
    status(of(said), TaskState.TASK_STATE_COMPLETED);
  },
  files(said) {
    begin(said);
    const parts: Part[] = [
      textPart('here it is'),
      {
        content: { $case: 'url', value: 'https://example.com/a.pdf' },
        filename: 'a.pdf',
        mediaType: 'application/pdf',
        metadata: undefined,
      },
      {
        content: { $case: 'raw', value: Buffer.from('abc') },
        filename: '',
        mediaType: 'text/csv',
        metadata: undefined,
      },
    ];
    artifact(said, 'a1', parts);
    status(of(said), TaskState.TASK_STATE_COMPLETED);
  },
  fail: (said) => end(said, TaskState.TASK_STATE_FAILED, 'the printer is on fire'),
  reject: (said) => end(said, TaskState.TASK_STATE_REJECTED, 'not my job'),
  cancel: (said) => end(said, TaskState.TASK_STATE_CANCELED, 'changed my mind'),
  auth: (said) => end(said, TaskState.TASK_STATE_AUTH_REQUIRED, 'log in first'),
  ask: (said) => end(said, TaskState.TASK_STATE_INPUT_REQUIRED, 'Which order?'),
  answered(said) {
    // As it was: it still waits for an answer.
    if (said.context.task !== undefined) said.bus.publish(AgentEvent.task(said.context.task));
    artifact(said, 'a1', [textPart(`order ${said.text} is on its way`)]);
    status(of(said), TaskState.TASK_STATE_COMPLETED);
  },
  /** Works until somebody cancels it. */
  async slow(said) {
    begin(said);
    status(of(said), TaskState.TASK_STATE_WORKING);
    while (!said.server.stopped.has(said.context.taskId)) await sleep(20);
  },
  /** Answers at once that it is working, and ends later: whoever wants to know has to ask. */
  later(said) {
    begin(said);
    status(of(said), TaskState.TASK_STATE_WORKING);
    const { taskId, contextId, context: call } = said.context;
    setTimeout(() => void said.server.store.save(completedTask(taskId, contextId, said.text), call), 180);
  },
  /** Breaks the connection after the first piece, and goes on. */
  async broken(said) {
    begin(said);
    artifact(said, 'a1', [textPart('before, ')]);
    await sleep(50);
    for (const socket of said.server.sockets) socket.destroy();
    await sleep(100);
    artifact(said, 'a1', [textPart('after')], { append: true });
    status(of(said), TaskState.TASK_STATE_COMPLETED);
  },
  /** Breaks the connection and ends while nobody listens. */
  async gone(said) {
    begin(said);
    await sleep(20);
    for (const socket of said.server.sockets) socket.destroy();
    artifact(said, 'a1', [textPart('done behind your back')]);
    status(of(said), TaskState.TASK_STATE_COMPLETED);
  },
};

type Place = { taskId: string; contextId: string; bus: ExecutionEventBus };

function of({ context: { taskId, contextId }, bus }: Said): Place {
  return { taskId, contextId, bus };
}

function begin({ context: { taskId, contextId, userMessage }, bus }: Said): void {
  const state = TaskState.TASK_STATE_SUBMITTED;
  const task: Task = {
    id: taskId,
    contextId,
    status: { state, message: undefined, timestamp: new Date().toISOString() },
    artifacts: [],
    history: [userMessage],
    metadata: undefined,
  };
  bus.publish(AgentEvent.task(task));
}

function end(said: Said, state: TaskState, text: string): void {
  begin(said);
  status(of(said), state, text);
}

function status(
  { taskId, contextId, bus }: Place,
  state: TaskState,
  text?: string,
  metadata?: Record<string, unknown>,
): void {
  const message = text === undefined ? undefined : agentMessage({ taskId, contextId }, text);
  const timestamp = new Date().toISOString();
  bus.publish(
    AgentEvent.statusUpdate({ taskId, contextId, status: { state, message, timestamp }, metadata }),
  );
}

function artifact(
  { context: { taskId, contextId }, bus }: Said,
  artifactId: string,
  parts: Part[],
  { append = false, lastChunk = false } = {},
): void {
  const made = { artifactId, name: '', description: '', parts, metadata: undefined, extensions: [] };
  bus.publish(
    AgentEvent.artifactUpdate({ taskId, contextId, artifact: made, append, lastChunk, metadata: undefined }),
  );
}

function completedTask(id: string, contextId: string, text: string): Task {
  const parts = [textPart(`ended: ${text}`)];
  return {
    id,
    contextId,
    status: {
      state: TaskState.TASK_STATE_COMPLETED,
      message: undefined,
      timestamp: new Date().toISOString(),
    },
    artifacts: [{ artifactId: 'a1', name: '', description: '', parts, metadata: undefined, extensions: [] }],
    history: [],
    metadata: undefined,
  };
}

function agentMessage({ taskId, contextId }: { taskId: string; contextId: string }, text: string): Message {
  return {
    messageId: randomUUID(),
    taskId,
    contextId,
    role: Role.ROLE_AGENT,
    parts: [textPart(text)],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

function textPart(value: string): Part {
  return { content: { $case: 'text', value }, filename: '', mediaType: 'text/plain', metadata: undefined };
}

function textOf({ parts }: Message): string {
  return parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('');
}
