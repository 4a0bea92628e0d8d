// An order desk that speaks A2A: node a2a/server.mjs [port]
//
// It asks for the number of the order if that is missing, looks the order up while the client listens, and answers in
// words and, if it is asked for JSON, in data.

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { AgentCard, formatSSEEvent, Role, SSE_HEADERS, TaskState } from '@a2a-js/sdk';
import {
  AgentEvent,
  DefaultRequestHandler,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ServerCallContext,
} from '@a2a-js/sdk/server';

const ORDERS = {
  'A-1001': { state: 'shipped', arrives: 'Friday' },
  'A-1002': { state: 'packed', arrives: 'Monday' },
};

/** The agent: a message comes in, events of a task go out. */
const desk = {
  async execute({ taskId, contextId, userMessage, task }, bus) {
    const text = userMessage.parts
      .map(({ content }) => (content?.$case === 'text' ? content.value : ''))
      .join(' ');
    const status = (state, said) => {
      const message = said === undefined ? undefined : messageOf(said, taskId, contextId);
      const timestamp = new Date().toISOString();
      bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status: { state, message, timestamp } }));
    };
    const piece = (content, append) => {
      const artifact = {
        artifactId: 'answer',
        name: 'answer',
        parts: [{ content, filename: '', mediaType: '' }],
      };
      bus.publish(AgentEvent.artifactUpdate({ taskId, contextId, artifact, append, lastChunk: false }));
    };
    const begun = { state: TaskState.TASK_STATE_SUBMITTED, timestamp: new Date().toISOString() };
    const first = { id: taskId, contextId, status: begun, artifacts: [], history: [userMessage] };
    bus.publish(AgentEvent.task(task ?? first));

    const number = /A-\d+/.exec(text)?.[0];
    if (number === undefined)
      return status(TaskState.TASK_STATE_INPUT_REQUIRED, 'Which order is it? I need its number.');
    status(TaskState.TASK_STATE_WORKING, 'I am looking it up.');
    await sleep(20);
    const order = ORDERS[number];
    if (order === undefined) return status(TaskState.TASK_STATE_FAILED, `There is no order ${number}.`);
    if (/json/i.test(text)) piece({ $case: 'data', value: { order: number, ...order } }, false);
    else {
      piece({ $case: 'text', value: `Order ${number} is ${order.state}. ` }, false);
      await sleep(20);
      piece({ $case: 'text', value: `It arrives on ${order.arrives}.` }, true);
    }
    status(TaskState.TASK_STATE_COMPLETED);
  },
  cancelTask(taskId, bus) {
    const status = { state: TaskState.TASK_STATE_CANCELED, timestamp: new Date().toISOString() };
    bus.publish(AgentEvent.statusUpdate({ taskId, contextId: '', status }));
    return Promise.resolve();
  },
};

function messageOf(text, taskId, contextId) {
  const parts = [{ content: { $case: 'text', value: text }, filename: '', mediaType: 'text/plain' }];
  return { messageId: randomUUID(), role: Role.ROLE_AGENT, taskId, contextId, parts };
}

const server = createServer(async (request, response) => {
  if (request.url === '/.well-known/agent-card.json')
    return response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(AgentCard.toJSON(card)));
  let body = '';
  for await (const chunk of request) body += chunk;
  const answer = await rpc.handle(body, new ServerCallContext());
  if (typeof answer[Symbol.asyncIterator] !== 'function')
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  response.writeHead(200, SSE_HEADERS);
  for await (const event of answer) response.write(formatSSEEvent(event));
  return response.end();
});
await new Promise((done) => server.listen(Number(process.argv[2] ?? 4100), '127.0.0.1', done));
const url = `http://127.0.0.1:${server.address().port}`;

const card = AgentCard.fromJSON({
  name: 'Order desk',
  description: 'Says where orders are.',
  version: '1.0.0',
  supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain', 'application/json'],
});
const rpc = new JsonRpcTransportHandler(new DefaultRequestHandler(card, new InMemoryTaskStore(), desk));
console.log(`The order desk is at ${url}`);
