// --retries tries an attempt again that could not be measured.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, folder, readLog } from '../support/assay.ts';
import { json, serve } from '../support/http-server.ts';

test('--retries is for what could not be measured, never for what the agent did', async () => {
  const { url, received } = await serve(({ body }, response) => {
    const { input } = JSON.parse(body) as { input: string };
    const count = received.filter((request) => request.body === body).length;
    if (input === 'crash') json(response, 'boom', 500);
    else if (input === 'flaky' && count < 3) json(response, 'not yet', 503);
    else json(response, input);
  });
  const cwd = folder({
    'assay.config.json': '{}',
    'scripts/test.ts': 'function Throws() { throw new Error("no judge"); }',
    'cases.jsonl': [
      { id: 'flaky', input: 'flaky', expected: 'flaky' },
      { id: 'wrong', input: 'wrong', expected: 'right' },
      { id: 'crash', input: 'crash' },
      { id: 'unclear', input: 'unclear', assert: { type: 'script', script: 'scripts.test.Throws' } },
    ],
  });
  const run = async (...args: string[]) => {
    received.length = 0;
    await assay(['test', '-i', 'cases.jsonl', '-n', url, '-o', 'log.jsonl', ...args], { cwd });
    return Object.fromEntries(
      readLog(join(cwd, 'log.jsonl')).results.map(({ id, status, retries }) => {
        const requests = received.filter(({ body }) => (JSON.parse(body) as { input: string }).input === id);
        return [id, [status, retries, requests.length]];
      }),
    );
  };
  expect(await run()).toEqual({
    flaky: ['passed', 2, 3],
    wrong: ['failed', undefined, 1],
    crash: ['error', undefined, 1],
    unclear: ['error', undefined, 1],
  });
  expect((await run('--retries', '1'))['flaky']).toEqual(['error', 1, 2]);
});
