// Tests that hold for the agents of every framework. The agents do the same thing and differ only in details.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startModelServer } from '../test/servers/model-server.ts';
import { pageCases, pageTranscript } from './page.ts';
import { agentFile, model, runAgent, transcriptOf } from './run-agent.ts';
import { messagesAfter } from './weather-model.ts';

export type FrameworkFacts = {
  /** The file in `agents`. */
  name: string;
  /** A tool result as the framework passes it on. */
  result(value: { city: string; degrees: number }): unknown;
  /** The error of a tool that throws, and the message that the model gets. */
  toolError(message: string): { error: string; told: string };
  /** How its messages look on the wire where clients differ. */
  wire?: {
    /** The agent's own instructions. */
    system?: unknown;
    /** The content of a message that only calls tools. */
    nothing?: string;
    /** A result of a tool names the tool, too. */
    names?: true;
    /** The content of an assistant that says `It is Oslo.` */
    said?: unknown;
  };
};

const PNG = 'data:image/png;base64,iVBORw0KGgo=';

/** A conversation with everything in it that a message can have. */
const HISTORY = [
  { role: 'system', content: 'Be brief.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Where is this?' },
      { type: 'image', source: PNG },
    ],
  },
  { role: 'assistant', content: null, tool_calls: [wireCall('Oslo')] },
  { role: 'tool', tool_call_id: 'call_Oslo', name: 'weather', content: '{"degrees":5}' },
  { role: 'assistant', content: 'It is Oslo.' },
  { role: 'user', content: 'Thank you' },
];

/** The same conversation as the model gets it, after the agent's own instructions. */
function wireHistory({ wire = {} }: FrameworkFacts): unknown[] {
  const { system = 'You know the weather.', nothing = null, names, said = 'It is Oslo.' } = wire;
  const result = { role: 'tool', tool_call_id: 'call_Oslo', content: '{"degrees":5}' };
  return [
    { role: 'system', content: system },
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Where is this?' },
        { type: 'image_url', image_url: { url: PNG } },
      ],
    },
    { role: 'assistant', content: nothing, tool_calls: [wireCall('Oslo')] },
    names === true ? { ...result, name: 'weather' } : result,
    { role: 'assistant', content: said },
    { role: 'user', content: 'Thank you' },
  ];
}

export function checkFramework(facts: FrameworkFacts): void {
  const agent = agentFile(facts.name);
  let running: ReturnType<typeof runAll> | undefined;

  /** Loading a framework takes a second or two, so one run covers as much as possible. */
  const ran = () => (running ??= runAll(agent));

  describe(`the agent of ${facts.name}`, () => {
    test('answers, calls tools, and says what it took', async () => {
      const { exitCode, results } = await ran();
      const { dear, other, ...passed } = ends(results);
      expect([dear, other, ...new Set(Object.values(passed))]).toEqual([
        'failed | the answer took 210 total tokens, more than 209',
        'failed | "tool_called" holds, but is negated',
        'passed',
      ]);
      expect(exitCode).toBe(1);
      expect(transcriptOf(results['plain'])).toEqual({
        output: 'You said: Hello',
        tool_calls: [],
        messages: [user('Hello'), { role: 'assistant', content: 'You said: Hello' }],
        usage: { input_tokens: 200, output_tokens: 10 },
        cost_usd: 0.000_036,
      });
      expect(transcriptOf(results['tool'])).toEqual({
        output: `I heard: ${told('Lisbon')}`,
        tool_calls: [called('Lisbon')],
        messages: [
          user('What is the weather in Lisbon?'),
          { role: 'assistant', content: null, tool_calls: [wireCall('Lisbon')] },
          heard('Lisbon'),
          { role: 'assistant', content: `I heard: ${told('Lisbon')}` },
        ],
        usage: { input_tokens: 300, output_tokens: 30 },
        cost_usd: 0.000_063,
      });
      expect(transcriptOf(results['parallel'])).toEqual({
        output: `I heard: ${told('Lisbon')} ${told('Oslo')}`,
        tool_calls: [called('Lisbon'), called('Oslo')],
        messages: [
          user('Is it warmer in Lisbon or in Oslo?'),
          { role: 'assistant', content: null, tool_calls: [wireCall('Lisbon'), wireCall('Oslo')] },
          heard('Lisbon'),
          heard('Oslo'),
          { role: 'assistant', content: `I heard: ${told('Lisbon')} ${told('Oslo')}` },
        ],
        usage: { input_tokens: 300, output_tokens: 30 },
        cost_usd: 0.000_063,
      });
      expect(transcriptOf(results['steps'])).toEqual({
        output: `I heard: ${told('Lisbon')} ${told('Oslo')}`,
        tool_calls: [called('Lisbon'), called('Oslo')],
        messages: [
          user('Look one by one: in Lisbon, in Oslo'),
          { role: 'assistant', content: null, tool_calls: [wireCall('Lisbon')] },
          heard('Lisbon'),
          { role: 'assistant', content: null, tool_calls: [wireCall('Oslo')] },
          heard('Oslo'),
          { role: 'assistant', content: `I heard: ${told('Lisbon')} ${told('Oslo')}` },
        ],
        usage: { input_tokens: 400, output_tokens: 50 },
        cost_usd: 0.000_09,
      });
    });

    test('a tool that throws is an error of the call, not of the agent', async () => {
      const { results } = await ran();
      const { error, told: words } = facts.toolError('there is no Atlantis');
      expect(transcriptOf(results['lost'])).toEqual({
        output: `I heard: ${words}`,
        tool_calls: [{ name: 'weather', arguments: { city: 'Atlantis' }, error }],
        messages: [
          user('Is it warm in Atlantis?'),
          { role: 'assistant', content: null, tool_calls: [wireCall('Atlantis')] },
          { role: 'tool', tool_call_id: 'call_Atlantis', name: 'weather', content: words },
          { role: 'assistant', content: `I heard: ${words}` },
        ],
        usage: { input_tokens: 300, output_tokens: 30 },
        cost_usd: 0.000_063,
      });
    });

    test('gets the whole conversation, in its own form', async () => {
      const { server, results } = await ran();
      expect(messagesAfter(server, 'Thank you')).toEqual([wireHistory(facts)]);
      expect(transcriptOf(results['talk'])).toEqual({
        output: 'You said: Thank you',
        tool_calls: [],
        messages: [...HISTORY, { role: 'assistant', content: 'You said: Thank you' }],
        usage: { input_tokens: 200, output_tokens: 10 },
        cost_usd: 0.000_036,
      });
    });

    test('takes several turns, and remembers none of them by itself', async () => {
      const { server, results } = await ran();
      expect([results['turns']?.status, results['turns']?.turns]).toEqual(['passed', 2]);
      expect(transcriptOf(results['turns'])).toEqual({
        output: `I heard: ${told('Rome')}`,
        tool_calls: [called('Rome')],
        messages: [
          user('My name is Ada'),
          { role: 'assistant', content: 'You said: My name is Ada' },
          user('Is it warm in Rome?'),
          { role: 'assistant', content: `I heard: ${told('Rome')}` },
        ],
        usage: { input_tokens: 500, output_tokens: 40 },
        cost_usd: 0.000_099,
      });
      const asked = ['My name is Ada', 'Is it warm in Rome?'].flatMap((text) => messagesAfter(server, text));
      expect(asked.map(rolesIn)).toEqual([
        'system user',
        'system user assistant user',
        'system user assistant user assistant tool',
      ]);
    });

    test('does what the documentation shows', async () => {
      const { results } = await ran();
      const { tool_calls: calls = [], ...said } = transcriptOf(results['calls']);
      // Compare tool results that are JSON text by their value.
      const decoded = calls.map(({ name, arguments: given, result }) => ({
        name,
        arguments: given,
        result: typeof result === 'string' ? (JSON.parse(result) as unknown) : result,
      }));
      expect({ ...said, tool_calls: decoded }).toEqual(pageTranscript());
    });

    test('replays from its recording when nobody is there', async () => {
      const { cwd, results, server } = await ran();
      const asked = server.requests.length;
      const cases = [...CASES, ...pageCases()];
      const flags = ['--replay', 'tapes', '--parallel', '4'];
      const replayed = await runAgent(agent, cases, { url: 'http://127.0.0.1:2', cwd, flags });
      rmSync(cwd, { recursive: true });
      expect(replayed.results).toEqual(results);
      expect(server.requests).toHaveLength(asked);
    });

    test('a model that refuses is not the fault of the agent; a wrong request is', async () => {
      const { url } = await model();
      const cases = [500, 401, 429, 400].map((status) => ({
        id: String(status),
        input: `Please refuse with ${String(status)}`,
      }));
      const { results } = await runAgent(agent, cases, { url });
      expect(ends(results)).toEqual({
        500: 'error | connection | the model answered 500: not today',
        401: 'error | auth | the model answered 401: not today',
        429: 'error | rate_limit | the model answered 429: not today',
        400: expect.stringMatching(/^error \| agent \| .*not today/),
      });
    });

    test('a model that is not there is not the fault of the agent', async () => {
      const server = await startModelServer();
      await server.close();
      const { results, exitCode } = await runAgent(agent, [{ id: 'gone', input: 'Hello' }], server);
      const port = new URL(server.url).port;
      expect([exitCode, ends(results)]).toEqual([
        3,
        {
          gone: `error | connection | the model cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}`,
        },
      ]);
    });

    test('is really stopped when its time is over', async () => {
      const server = await model({ latency_ms: 300 });
      const active: number[] = [];
      const timer = setInterval(() => active.push(server.active()), 20);
      const cases = [
        { id: 'first', input: 'Hello' },
        { id: 'late', input: 'Please never answer', timeout: '1s' },
        { id: 'after', input: 'Hello' },
        { id: 'last', input: 'Hello' },
      ];
      const { results } = await runAgent(agent, cases, server);
      clearInterval(timer);
      expect(ends(results)).toEqual({
        first: 'passed',
        late: 'timeout | timeout after 1s',
        after: 'passed',
        last: 'passed',
      });
      expect(results['late']?.duration_ms).toBeLessThan(3000);
      // The hanging request is aborted while the last ones are answered.
      expect(active.slice(-25).every((count) => count <= 1)).toBe(true);
    });

    test('serves eight cases at once, and mixes nothing up', async () => {
      const server = await model({ latency_ms: 50 });
      const names = Array.from({ length: 24 }, (_, index) => `City${String(index)}`);
      const cases = names.map((city) => ({
        id: city,
        input: `Is it warm in ${city}?`,
        assert: { type: 'trajectory', value: [{ name: 'weather', arguments: { city } }] },
      }));
      const { exitCode, results } = await runAgent(agent, cases, {
        url: server.url,
        flags: ['--parallel', '8'],
      });
      expect([exitCode, server.busiest()]).toEqual([0, 8]);
      const calls = Object.fromEntries(names.map((city) => [city, results[city]?.tool_calls]));
      expect(calls).toEqual(Object.fromEntries(names.map((city) => [city, [called(city)]])));
    });
  });

  function called(city: string) {
    return { name: 'weather', arguments: { city }, result: facts.result({ city, degrees: 21 }) };
  }
}

const CASES = [
  {
    id: 'plain',
    input: 'Hello',
    assert: [
      { type: 'contains', value: 'You said: Hello' },
      { type: 'tool_called', value: 'weather', negate: true },
      { type: 'tokens', value: { input: 200, output: 10 } },
      { type: 'cost', value: 0.000_036 },
    ],
  },
  {
    id: 'tool',
    input: 'What is the weather in Lisbon?',
    assert: [
      { type: 'tool_called', value: { name: 'weather', arguments: { city: 'Lisbon' } } },
      { type: 'tool_result', value: { name: 'weather', result: { city: 'Lisbon', degrees: 21 } } },
      { type: 'trajectory', value: ['weather'] },
      { type: 'tokens', value: 330 },
      { type: 'cost', value: 0.000_063 },
    ],
  },
  {
    id: 'parallel',
    input: 'Is it warmer in Lisbon or in Oslo?',
    assert: { type: 'trajectory', value: ['weather', 'weather'] },
  },
  {
    id: 'steps',
    input: 'Look one by one: in Lisbon, in Oslo',
    assert: [
      { type: 'trajectory', value: [call('Lisbon'), call('Oslo')] },
      { type: 'tokens', value: { input: 400, output: 50 } },
    ],
  },
  { id: 'dear', input: 'Hello', assert: { type: 'tokens', value: 209 } },
  {
    id: 'other',
    input: 'Is it warm in Lisbon?',
    assert: { type: 'tool_called', value: 'weather', negate: true },
  },
  { id: 'lost', input: 'Is it warm in Atlantis?' },
  { id: 'talk', input: HISTORY },
  {
    id: 'turns',
    turns: [
      { input: 'My name is Ada', assert: { type: 'contains', value: 'Ada' } },
      { input: 'Is it warm in Rome?', assert: { type: 'tool_called', value: 'weather' } },
    ],
  },
];

async function runAll(agent: string) {
  const server = await model();
  const cwd = mkdtempSync(join(tmpdir(), 'assay-compat-'));
  const flags = ['--record', 'tapes'];
  const { url } = server;
  return { server, cwd, ...(await runAgent(agent, [...CASES, ...pageCases()], { url, cwd, flags })) };
}

type Results = Awaited<ReturnType<typeof runAgent>>['results'];

function ends(results: Results): Record<string, string> {
  const words = ({ status, code, error }: Results[string]) =>
    [status, code, error].filter((part) => part !== undefined).join(' | ');
  return Object.fromEntries(Object.entries(results).map(([id, result]) => [id, words(result)]));
}

function user(content: string) {
  return { role: 'user', content };
}

function told(city: string): string {
  return JSON.stringify({ city, degrees: 21 });
}

function heard(city: string) {
  return { role: 'tool', tool_call_id: `call_${city}`, name: 'weather', content: told(city) };
}

function call(city: string) {
  return { name: 'weather', arguments: { city } };
}

function wireCall(city: string) {
  const args = JSON.stringify({ city });
  return { id: `call_${city}`, type: 'function', function: { name: 'weather', arguments: args } };
}

function rolesIn(messages: unknown): string {
  return (messages as { role: string }[]).map(({ role }) => role).join(' ');
}
