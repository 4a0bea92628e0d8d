import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { RunEvent } from '../../model/event.ts';
import type { EventSource } from '../../model/sink.ts';
import { packRun } from './packets.ts';
import {
  mixedRun,
  resultEvent,
  sourceOf,
  startEvent,
  summaryEvent,
} from '../../../test/fixtures/logs/agent-log.ts';

type Unpacked = { rows: unknown[]; lines: string[] };

async function unpackedOf(source: EventSource): Promise<Unpacked[]> {
  const text = (base64: string): string => gunzipSync(Buffer.from(base64, 'base64')).toString();
  const packets: Unpacked[] = [];
  for await (const { rows, events } of packRun(source))
    packets.push({ rows: JSON.parse(text(rows)) as unknown[], lines: text(events).split('\n') });
  return packets;
}

test('has every event of the log as it was, and a row for each', async () => {
  const [packet, ...others] = await unpackedOf(sourceOf(mixedRun()));
  expect(others).toEqual([]);
  expect(packet?.lines.map((line) => JSON.parse(line) as RunEvent)).toEqual([...mixedRun()]);
  expect(packet?.rows.length).toBe(packet?.lines.length);
});

test('a row is the event without its bulk', async () => {
  const heavy = resultEvent('T001', {
    status: 'failed',
    error: `wrong\n${'x'.repeat(1000)}`,
    input: [
      { role: 'user', content: 'first' },
      { role: 'user', content: [{ type: 'text', text: 'last\u0000 words' }] },
    ],
    expected: 'y',
    output: { b: 1, a: 2 },
    stack: 'at',
    logs: ['l'],
    messages: [{ role: 'user', content: 'Hi' }],
    tool_calls: [{ name: 'search' }],
    tags: ['t'],
    variables: { A: 1 },
    usage: { input_tokens: 3 },
    verdicts: [{ type: 'equals', status: 'failed', message: 'm', expected: 1, actual: 2, score: 0.5 }],
  });
  const [packet] = await unpackedOf(sourceOf([startEvent({ runs_per_case: 2 }), heavy, summaryEvent()]));
  const { duration_ms, kind, test_id } = heavy;
  expect(packet?.rows).toEqual([
    startEvent({ runs_per_case: 2 }),
    {
      type: 'result',
      kind,
      test_id,
      id: 'T001',
      run: 1,
      status: 'failed',
      duration_ms,
      tags: ['t'],
      variables: { A: 1 },
      usage: { input_tokens: 3 },
      input: 'last\\x00 words',
      output: expect.stringMatching(/^[0-9a-f]{12}$/) as string,
      error: `wrong ${'x'.repeat(293)}…`,
      verdicts: [{ type: 'equals', status: 'failed', score: 0.5 }],
    },
    summaryEvent(),
  ]);
});

test('equal answers of several runs have equal fingerprints; of one run there is none', async () => {
  const answer = (run: number, output: unknown) => resultEvent('T001', { run, output });
  const events = [answer(1, { a: 1, b: 2 }), answer(2, { b: 2, a: 1 }), answer(3, { a: 1, b: 3 })];
  const outputs = async (runs: number): Promise<unknown[]> => {
    const [packet] = await unpackedOf(sourceOf([startEvent({ runs_per_case: runs }), ...events]));
    return (packet?.rows.slice(1) ?? []).map((row) => (row as { output?: unknown }).output);
  };
  const [one, two, three] = await outputs(3);
  expect([one === two, one === three]).toEqual([true, false]);
  expect(await outputs(1)).toEqual([undefined, undefined, undefined]);
});

test('is made in portions, however many results there are', async () => {
  const source: EventSource = {
    async *events() {
      yield startEvent({ total_cases: 20_000 });
      for (let at = 0; at < 20_000; at += 1) yield resultEvent(`T${String(at)}`, { output: 'answer' });
    },
  };
  const packets = await unpackedOf(source);
  expect(packets.length).toBeGreaterThan(5);
  expect(packets.reduce((sum, { lines }) => sum + lines.length, 0)).toBe(20_001);
});
