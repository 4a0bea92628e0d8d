// A model with chat completions that answers after 20 ms. Prints its address.

import { createServer } from 'node:http';

const chunk = (delta, rest = {}) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: null }], ...rest })}\n\n`;
const usage = { prompt_tokens: 20, completion_tokens: 4, total_tokens: 24 };
const end = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage };
const body = `${chunk({ role: 'assistant', content: 'Hel' })}${chunk({ content: 'lo' })}${chunk({}, end)}data: [DONE]\n\n`;

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () =>
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(body);
    }, 20),
  );
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
