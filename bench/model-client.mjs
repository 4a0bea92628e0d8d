// Sends a model a thousand requests per round, 50 at a time, and ignores the answers.

import http from 'node:http';

const [, , url, rounds] = process.argv;
const agent = new http.Agent({ keepAlive: true });
let left = 1000 * Number(rounds);

const ask = () =>
  new Promise((resolve, reject) => {
    const request = http.request(`${url}/v1/chat/completions`, { method: 'POST', agent }, (response) => {
      response.resume();
      response.on('end', resolve);
    });
    request.on('error', reject);
    request.end('{}');
  });

const lane = async () => {
  while (left > 0) {
    left -= 1;
    await ask();
  }
};
await Promise.all(Array.from({ length: 50 }, lane));
agent.destroy();
