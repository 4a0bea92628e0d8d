// A kind that the program does not know goes all the way, from a value of `-i` to reports, with one more entry in the registry.

import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { PoolOptions, TestPool } from '../execute/pool-options.ts';
import type { Kind, NamedSource } from '../kinds/kind.ts';
import type { InputSource } from '../kinds/registry.ts';
import { KINDS } from '../kinds/registry.ts';
import { openLog } from '../log/reader.ts';
import { openLogWriter } from '../log/writer.ts';
import type { StartEvent } from '../model/event.ts';
import type { KindId, Subject } from '../model/subject.ts';
import { junitReport } from '../report/formats/junit.ts';
import { createRedactor } from '../secrets/redact.ts';
import { withTests } from './inputs/expand-patterns.ts';
import { resolveInputs } from './inputs/inputs.ts';
import { prepareRun } from './inputs/prepare.ts';
import { runPipeline } from './pipeline.ts';

/** Sums: every line of a `.sum` file is a test like `1 + 2 = 3`. The types of the log do not know it, hence the casts. */
const toy: Kind = {
  id: 'toy' as string as KindId,
  noun: 'sum',
  defaults: { timeout_ms: 1000, parallel: 2 },
  recognises: { file: /\.sum$/, name: /^sums\./ },
  find: ({ value, path }) => Promise.resolve([{ type: 'toy', name: value, file: path, path: value }]),
  testIds: (sources) => (sources as NamedSource[]).map(({ name }) => name),
  prepare: (inputs, { select }) =>
    Promise.resolve(
      inputs.map(({ source, target, index }) => {
        const { file = '', name } = source as unknown as NamedSource;
        const lines = readFileSync(file, 'utf8').trim().split('\n');
        const cases = lines.map((line) => ({ id: line, input: [] }));
        return {
          subject: { kind: 'toy', id: 'sums', lines } as unknown as Subject,
          base: dirname(file),
          logged: { type: 'toy', input: name, agent_id: 'sums', agent_sha256: '' } as never,
          total: lines.length,
          selected: cases.filter((testCase) => select(testCase, target)).length,
          files: [file],
          cases: () => [
            cases.map((testCase, at) => ({
              case: testCase,
              test_id: target.test_id,
              input: index,
              line: at + 1,
            })),
          ],
        };
      }),
    ),
  openPool: (options) => new SumPool(options),
  describe: ({ test_id }) => ({ what: test_id }),
  typedAs: () => undefined,
  changes: () => [],
};

/** Sums need no process and cannot hang. A pool that runs user code starts processes and enforces `timeout_ms`. */
class SumPool implements TestPool {
  #options: PoolOptions;
  size = 0;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  get room(): number {
    return this.#options.parallel - this.size;
  }

  submit(attempt: Parameters<TestPool['submit']>[0]): void {
    this.size += 1;
    setImmediate(() => {
      this.size -= 1;
      const [, a, b, sum] = /(\d+) \+ (\d+) = (\d+)/.exec(attempt.case.id) ?? [];
      const isRight = Number(a) + Number(b) === Number(sum);
      const outcome = isRight
        ? { status: 'passed' as const, duration_ms: 1 }
        : { status: 'failed' as const, duration_ms: 1, error: 'wrong sum' };
      this.#options.settled([{ attempt, outcome }]);
    });
  }

  /** Gives back what has not begun; here everything has. */
  drop(): void {}

  close(): void {}
}

test('a further kind is recognised, found, prepared, run, logged and reported', async () => {
  const root = mkdtempSync(join(tmpdir(), 'assay-toy-'));
  writeFileSync(join(root, 'school.sum'), '1 + 2 = 3\n2 + 2 = 5\n');
  const kinds = [...KINDS, toy];
  const settings = { runs: 1, require_tests: false, allow_empty: false };
  const place = { root, cwd: root };

  const named = await resolveInputs(['school.sum'], {
    cwd: root,
    kinds,
    readStdin: () => process.stdin,
    stdinFolder: () => root,
  });
  const sources = await withTests(named, { ...place, settings, warn: () => undefined }, kinds);
  const prepared = await prepareRun({
    ...place,
    kinds,
    settings,
    sources: sources as InputSource[],
    env: {},
    select: () => true,
  });

  const log = join(root, 'log.jsonl');
  const sink = await openLogWriter(log);
  sink.begin();
  const summary = await runPipeline({
    cases: prepared.cases(),
    opening: startEvent(prepared.inputs, root),
    plan: { targets: prepared.targets, context: {}, settings, select: () => true },
    pool: {
      kinds,
      parallel: undefined,
      retries: 0,
      isBlocking: false,
      env: {},
      cwd: root,
      after: (_attempt, outcome) => Promise.resolve(outcome),
    },
    failFast: false,
    nameAgents: false,
    redactor: createRedactor([]),
    sinks: [sink],
    interrupt: new AbortController().signal,
  });
  sink.release();

  expect({ total: summary.total, passed: summary.passed, failed: summary.failed }).toEqual({
    total: 2,
    passed: 1,
    failed: 1,
  });
  const results = readFileSync(log, 'utf8').trim().split('\n').slice(1, 3);
  expect(results.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { type: 'result', kind: 'toy', test_id: 'school.sum', id: '1 + 2 = 3', status: 'passed', line: 1 },
    { type: 'result', kind: 'toy', test_id: 'school.sum', id: '2 + 2 = 5', status: 'failed', line: 2 },
  ]);
  let junit = '';
  for await (const piece of junitReport(openLog(log))) junit += piece;
  expect(junit).toContain('<testcase classname="school.sum" name="1 + 2 = 3"');
  expect(junit).toContain('<failure message="wrong sum" type="failed">');
});

function startEvent(inputs: StartEvent['inputs'], cwd: string): StartEvent {
  return {
    type: 'start',
    run_id: 'r',
    log_version: 1,
    timestamp: '2026-01-01T00:00:00.000Z',
    agent_id: 'sums',
    total_cases: 2,
    runs_per_case: 1,
    environment: { user_id: 'u', team_id: 't', locale: 'en-us' },
    inputs,
    flags: {},
    cwd,
    version: '0',
  };
}
