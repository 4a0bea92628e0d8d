// Logs of script tests, for tests: every kind of ending, several scripts, several runs, agents beside them.

import type { ResultEvent, RunEvent } from '../model/event.ts';
import type { Verdict } from '../model/outcome.ts';
import { resultEvent, startEvent, summaryEvent } from './sample-log.ts';
import type { LoggedScript } from './script-run.ts';

const SETUP = 'scripts.expense.setup';
const FILE = 'expense/src/setup_test.ts';

/** A file of tests as the log knows it. */
export function scriptInput(fields: Partial<LoggedScript> = {}): LoggedScript {
  const { script = SETUP } = fields;
  return {
    type: 'script',
    input: script,
    script,
    script_path: FILE,
    file: `assistants/${fields.script_path ?? FILE}`,
    sha256: 'aa',
    agent_id: 'expense',
    agent_sha256: 'bb',
    ...fields,
  };
}

/** The result of a test function. */
export function scriptResult(id: string, fields: Partial<ResultEvent> = {}): ResultEvent {
  return resultEvent(id, { kind: 'script', test_id: SETUP, assertions: 1, ...fields });
}

const WRONG_ID: Verdict = {
  type: 'Equal',
  status: 'failed',
  message: 'Result ID should match',
  expected: 1,
  actual: 2,
  at: `${FILE}:12:5`,
};

/** What a test with a failed assertion brings. */
export const WRONG: Partial<ResultEvent> = {
  status: 'failed',
  duration_ms: 15,
  error: 'assertion failed: Result ID should match',
  verdicts: [WRONG_ID],
};

/** Three functions of one file; the last one fails. */
export function scriptRun(): RunEvent[] {
  return [
    startEvent({ agent_id: 'expense', total_cases: 3, inputs: [scriptInput()] }),
    scriptResult('TestSystemReady'),
    scriptResult('TestSystemReadyWithInvalidContext', { duration_ms: 8 }),
    scriptResult('TestSetupWithMockData', WRONG),
    summaryEvent({
      exit_code: 1,
      total: 3,
      passed: 2,
      failed: 1,
      duration_ms: 35,
      total_runs: 3,
      overall_pass_rate: 66.7,
      stable_cases: 2,
      unstable_cases: 1,
    }),
  ];
}

/** One function for every way in which a test can end, with logs and subtests. */
export function everyEndRun(): RunEvent[] {
  const diff = '- "total": 3\n+ "total": 4';
  const tax = 'TestTotal/empty cart/with tax';
  return [
    startEvent({ agent_id: 'expense', total_cases: 6, inputs: [scriptInput()] }),
    scriptResult('TestNothing', { duration_ms: 0.2, assertions: 0, logs: ['quiet'] }),
    scriptResult('TestTotal', {
      status: 'failed',
      error: 'assertion failed: sums differ',
      assertions: 5,
      verdicts: [
        { type: 'Equal', status: 'failed', message: 'sums differ', diff, at: `${FILE}:20:7` },
        { type: 'fail', status: 'failed', message: 'no good', at: `${FILE}:21:5` },
        { ...WRONG_ID, message: 'tax', expected: '1', actual: 1, at: `${FILE}:24:9`, subtest: tax },
      ],
      subtests: [
        { name: tax, status: 'failed', duration_ms: 1, error: 'assertion failed: tax' },
        { name: 'TestTotal/empty cart', status: 'failed', duration_ms: 2, error: 'assertion failed: tax' },
        { name: 'TestTotal/one item', status: 'passed', duration_ms: 1 },
        { name: 'TestTotal/refunds', status: 'skipped', duration_ms: 0, error: 'not yet' },
      ],
      logs: ['begin', 'end'],
    }),
    scriptResult('TestThrows', {
      status: 'error',
      code: 'agent',
      duration_ms: 3,
      error: 'TypeError: cart is undefined',
      stack: `TypeError: cart is undefined\n    at total (expense/src/setup.ts:4:10)\n    at TestThrows (${FILE}:30:3)`,
      assertions: 0,
    }),
    scriptResult('TestHangs', { status: 'timeout', duration_ms: 30_000, error: 'timeout after 30s' }),
    scriptResult('TestLater', {
      status: 'skipped',
      duration_ms: 1,
      reason: 'skip',
      skip_message: 'needs a database',
      assertions: 0,
    }),
    scriptResult('TestLast', { status: 'skipped', duration_ms: 0, reason: 'fail_fast' }),
    summaryEvent({
      exit_code: 1,
      total: 6,
      passed: 1,
      failed: 3,
      skipped: 2,
      errors: 1,
      timeouts: 1,
      total_runs: 4,
      overall_pass_rate: 25,
      stable_cases: 1,
      unstable_cases: 3,
    }),
  ];
}

/** Two scripts that one name stands for, each with a function of the same name. */
export function twoScriptsRun(): RunEvent[] {
  const input = 'scripts.expense';
  const tools = { script: 'scripts.expense.tools', script_path: 'expense/src/tools_test.ts' };
  return [
    startEvent({
      agent_id: 'expense',
      total_cases: 3,
      inputs: [scriptInput({ input }), scriptInput({ input, ...tools })],
    }),
    scriptResult('TestReady'),
    scriptResult('TestReady', { key: 'tools', test_id: tools.script, ...WRONG }),
    scriptResult('TestLater', { test_id: tools.script, status: 'skipped', reason: 'skip' }),
    summaryEvent({ exit_code: 1, total: 3, skipped: 1, failed: 1, total_runs: 2, overall_pass_rate: 50 }),
  ];
}

/** A function of three runs, one of which fails. */
export function repeatedScriptRun(): RunEvent[] {
  return [
    startEvent({
      agent_id: 'expense',
      runs_per_case: 3,
      inputs: [scriptInput()],
      flags: { min_pass_rate: 60 },
    }),
    scriptResult('TestReady', { run: 1 }),
    scriptResult('TestReady', { run: 2, ...WRONG, logs: ['slow today'] }),
    scriptResult('TestReady', { run: 3 }),
    summaryEvent({
      min_pass_rate: 60,
      total_runs: 3,
      runs_per_case: 3,
      overall_pass_rate: 66.7,
      stable_cases: 0,
      unstable_cases: 1,
    }),
  ];
}

/** A case of an agent and two functions of a script in one run. */
export function mixedScriptRun(): RunEvent[] {
  const [file] = startEvent().inputs;
  return [
    startEvent({
      agent_id: 'keyword, expense',
      total_cases: 3,
      inputs: file === undefined ? [] : [file, scriptInput()],
    }),
    resultEvent('T001', { input: 'Hi', output: 'Hello' }),
    scriptResult('TestSetup', WRONG),
    scriptResult('TestNothing', { assertions: 0 }),
    summaryEvent({
      exit_code: 1,
      total: 3,
      passed: 2,
      failed: 1,
      total_runs: 3,
      overall_pass_rate: 66.7,
      stable_cases: 2,
      unstable_cases: 1,
    }),
  ];
}
