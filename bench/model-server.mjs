// A model with chat completions that answers after 20 ms. Prints its address; /span tells how long it was between the first request
// and the last answer since it was last asked.

import { createServer } from 'node:http';

const chunk = (delta, rest = {}) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: null }], ...rest })}\n\n`;
const usage = { prompt_tokens: 20, completion_tokens: 4, total_tokens: 24 };
const end = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage };
const body = `${chunk({ role: 'assistant', content: 'Hel' })}${chunk({ content: 'lo' })}${chunk({}, end)}data: [DONE]\n\n`;

let first;
let last = 0;

const server = createServer((request, response) => {
  if (request.url === '/span') {
    response.end(String(last - (first ?? last)));
    first = undefined;
    return;
  }
  first ??= performance.now();
  request.resume();
  request.on('end', () =>
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(body);
      last = performance.now();
    }, 20),
  );
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
