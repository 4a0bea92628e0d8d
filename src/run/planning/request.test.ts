import { expect, test } from 'vitest';
import { resultEvent, startEvent } from '../../../test/fixtures/logs/agent-log.ts';
import { makeRequest } from './request.ts';
import { tempApplication } from '../temp-application.fixture.ts';

test('a new run is the flags as they were typed', async () => {
  const { root, io } = tempApplication();
  const flags = { input: ['cases.jsonl'], runs: '2' };
  const focus = { first: new Set(['scripts.a']) };
  expect(await makeRequest(flags, io, focus)).toEqual({ flags, cwd: root, earlierInputs: [], focus });
});

const INPUT = {
  type: 'file',
  path: 'cases.jsonl',
  sha256: 'x',
  agent_id: 'bot',
  agent_sha256: 'y',
} as const;

/** The log of a run of two cases, the second of which failed. */
function logIn(cwd: string): { start: object; text: string; events: object[] } {
  const start = startEvent({
    total_cases: 2,
    inputs: [INPUT],
    flags: { runs: 1, retries: 0, outputs: ['report.json'], reporter: 'report.json' },
    cwd,
  });
  const test_id = 'cases.jsonl';
  const events = [
    start,
    resultEvent('a', { test_id, key: 'key-a' }),
    resultEvent('b', { test_id, key: 'key-b', status: 'failed' }),
  ];
  return { start, events, text: events.map((event) => `${JSON.stringify(event)}\n`).join('') };
}

test('--failed asks for the cases of the log that did not pass, without its reports', async () => {
  const { root, io, write } = tempApplication();
  write('log.jsonl', logIn(root).text);
  const flags = { failed: 'log.jsonl', retries: '3' };
  expect(await makeRequest(flags, io)).toEqual({
    flags: { ...flags, input: ['cases.jsonl'], given: { values: {}, matrix: {} }, runs: '1' },
    cwd: root,
    only: ['cases.jsonl\nb'],
    earlierInputs: [INPUT],
    focus: {},
  });
});

test('--failed asks for nothing if everything passed', async () => {
  const { root, io, write } = tempApplication();
  const passed = logIn(root).text.replace('"failed"', '"passed"');
  write('log.jsonl', passed);
  expect(await makeRequest({ failed: 'log.jsonl' }, io)).toBeUndefined();
});

test('--resume asks for the run of the log, from the folder that run was in', async () => {
  const { io, at, write } = tempApplication({ 'elsewhere/cases.jsonl': '' });
  const { start, text } = logIn(at('elsewhere'));
  write('log.jsonl', text);
  expect(await makeRequest({ resume: 'log.jsonl' }, io)).toEqual({
    flags: {
      resume: 'log.jsonl',
      input: ['cases.jsonl'],
      given: { values: {}, matrix: {} },
      output: [at('elsewhere/report.json')],
      reporter: 'report.json',
      runs: '1',
      retries: '0',
    },
    cwd: at('elsewhere'),
    resumed: {
      path: at('log.jsonl'),
      start,
      kept: new Map([
        ['key-a', { status: 'passed', duration_ms: 12 }],
        ['key-b', { status: 'failed', duration_ms: 12 }],
      ]),
      reruns: new Map(),
      summary: undefined,
      end: Buffer.byteLength(text),
      size: Buffer.byteLength(text),
    },
    earlierInputs: [INPUT],
    focus: {},
  });
});

test('--resume refuses flags that say what a run consists of', async () => {
  const { io } = tempApplication();
  const flags = { resume: 'log.jsonl', tag: ['x'], varFile: ['y'], name: 'bot' };
  await expect(makeRequest(flags, io)).rejects.toThrow(
    '--resume cannot be combined with --tag, --var-file, --name',
  );
});
