import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelServer } from '../../test/servers/model-server.ts';
import { startModelServer } from '../../test/servers/model-server.ts';
import type { Connector } from '../model/connector.ts';
import { ask, connectorAt } from './chat.fixture.ts';

type Options = Record<string, unknown>;

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer({ answer: () => 'ok' });
});
afterAll(() => server.close());

/** The limits that are sent. */
async function sent(defaults: Options, options: Options, given: Partial<Connector> = {}): Promise<Options> {
  await ask(connectorAt(server.url, { options: defaults, ...given }), { request: { options } });
  const { max_tokens: older, max_completion_tokens: newer } = server.requests.at(-1)?.body ?? {};
  return {
    ...(older !== undefined && { max_tokens: older }),
    ...(newer !== undefined && { max_completion_tokens: newer }),
  };
}

test.each<[defaults: Options, options: Options, sent: Options]>([
  [{ max_completion_tokens: 7 }, {}, { max_completion_tokens: 7 }],
  [{ max_completion_tokens: 7 }, { max_tokens: 5 }, { max_completion_tokens: 5 }],
  [{ max_tokens: 7 }, { max_completion_tokens: 5 }, { max_tokens: 5 }],
  [{ max_tokens: 7 }, { max_tokens: 5 }, { max_tokens: 5 }],
  [{ max_tokens: 7, max_completion_tokens: 8 }, { max_tokens: 5 }, { max_completion_tokens: 5 }],
  [{ max_tokens: 7, max_completion_tokens: 8 }, {}, { max_completion_tokens: 8 }],
  [{ max_tokens: 7 }, { max_completion_tokens: null }, {}],
  [{}, { max_completion_tokens: 3, max_tokens: 5 }, { max_tokens: 5 }],
  [{}, { max_tokens: 5, max_completion_tokens: 3 }, { max_completion_tokens: 3 }],
  [{ extra_body: { max_completion_tokens: 9 } }, { max_tokens: 5 }, { max_completion_tokens: 9 }],
])('connector %j, call %j: %j is sent', async (defaults, options, limits) => {
  expect(await sent(defaults, options)).toEqual(limits);
});

test.each<[defaults: Options, options: Options, limit: number]>([
  [{ max_completion_tokens: 7 }, { max_tokens: 5 }, 5],
  [{ max_tokens: 7 }, { max_completion_tokens: 5 }, 5],
  [{}, { max_completion_tokens: 3, max_tokens: 5 }, 5],
])('Anthropic: connector %j, call %j: %j', async (defaults, options, limit) => {
  const given = { type: 'anthropic', model: 'claude-sonnet-4-20250514' } as const;
  expect(await sent(defaults, options, given)).toEqual({ max_tokens: limit });
});
