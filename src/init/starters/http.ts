// An HTTP endpoint: the one of the user, else a small server that the run starts.

import { ConfigError } from '../../errors.ts';
import type { Starter, StarterOptions } from '../starter.ts';
import { CASE_FILE, openCases, starterCases } from '../starter.ts';

const PORT = 8787;
const SERVER_FILE = 'example/server.ts';

export function httpStarter({ target }: StarterOptions): Starter {
  if (target !== undefined) return existing(target);
  return {
    type: 'http',
    files: { [SERVER_FILE]: server() },
    name: `http://127.0.0.1:${PORT}/chat`,
    beforeAll: 'example/server.Start',
    input: CASE_FILE,
    cases: starterCases(
      'Change "name" in assay.config.ts to the address of your agent, and delete "before_all" there.',
    ),
    notes: [],
  };
}

function existing(target: string): Starter {
  const { protocol } = URL.canParse(target) ? new URL(target) : { protocol: '' };
  if (!/^https?:$/.test(protocol))
    throw new ConfigError(`"${target}" is not an http:// or https:// address`, {
      hint: 'name the endpoint: assay init http://localhost:8000/chat',
    });
  if (new URL(target).password !== '')
    throw new ConfigError('the address has a password, which would be written to assay.config.ts', {
      hint: 'leave it out, and describe the endpoint in an assay.agent.json with $ENV.NAME in run.http.headers',
    });
  return {
    type: 'http',
    files: {},
    name: target,
    input: CASE_FILE,
    cases: openCases(),
    notes: [
      `${target} gets {"messages", "input", "context"} with POST. Start it before the tests; an endpoint with another body, or with headers, is described in an assay.agent.json.`,
    ],
  };
}

function server(): string {
  return `// A small HTTP agent to try Assay with. "before_all" in assay.config.ts starts it before the first case.
// Your own agent runs elsewhere: put its address into assay.config.ts, and delete "before_all" and this file.

import { createServer } from 'node:http';

/** Answers POST /chat, whose body is {"input": "…", "messages": […], "context": {…}}. */
export function Start(): Promise<void> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { input } = JSON.parse(body) as { input: string };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ output: answer(input) }));
  });
  return new Promise((resolve, reject) => {
    server.on('error', reject);
    server.listen(${PORT}, '127.0.0.1', () => resolve());
  });
}

function answer(question: string): string {
  if (/refund|charged/i.test(question)) return 'You get a refund within five days.';
  return 'We are open from Monday to Friday, 9 to 17.';
}
`;
}
