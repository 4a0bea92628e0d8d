import { expect, test } from 'vitest';
import type { ToolCall } from '../model/agent.ts';
import type { LoggedInput, ResultEvent, StartEvent } from '../model/event.ts';
import type { CheckpointState, Verdict } from '../model/outcome.ts';
import type { Subtest } from '../model/script.ts';
import { createRedactor } from './redact.ts';

function redacted(secrets: string[], event: object): unknown {
  const masked = createRedactor(secrets).redact(event);
  return masked === event ? 'untouched' : masked;
}

test('replaces a secret in every form it takes in a text', () => {
  const secret = 'pa"ss/wörd+1';
  const event = {
    error: `Bearer ${secret}`,
    stack: `http://x/?key=${encodeURIComponent(secret)}`,
    logs: [JSON.stringify({ secret }), 'safe'],
  };
  expect(redacted([secret], event)).toEqual({
    error: 'Bearer ***',
    stack: 'http://x/?key=***',
    logs: ['{"secret":"***"}', 'safe'],
  });
});

test('finds a secret that JSON writes with escapes, however deep', () => {
  const secret = 'pa"ss\\wörd';
  expect(redacted([secret], { logs: [JSON.stringify({ secret })] })).toEqual({ logs: ['{"secret":"***"}'] });
});

test('replaces the longer of two secrets whole', () => {
  expect(redacted(['sk-12345', 'sk-12345-extended'], { error: 'a sk-12345-extended b sk-12345' })).toEqual({
    error: 'a *** b ***',
  });
});

test('does not touch an event without a secret', () => {
  expect(redacted(['sk-12345'], { error: 'sk-1234' })).toBe('untouched');
  expect(redacted([], { error: 'sk-1234' })).toBe('untouched');
});

test('an escape of JSON is no part of a secret', () => {
  expect(redacted(['nopasswo'], { output: 'hello\nopassword', error: 'nopassword' })).toEqual({
    output: 'hello\nopassword',
    error: '***rd',
  });
});

test('numbers, truth values and keys of what users say are replaced, those of the event are not', () => {
  const event = {
    type: 'result',
    key: 'ab12345678',
    run: 12345678,
    duration_ms: 12345678,
    output: { n: 12345678, 'x-12345678': [1, true, null] },
    expected: 12345678,
    usage: { input_tokens: 12345678 },
    verdicts: [{ type: 'equals', status: 'failed', actual: 12345678.5, message: '12345678 is wrong' }],
    tool_calls: [{ name: 'f', arguments: { pin: 12345678 }, duration_ms: 12345678 }],
  };
  expect(redacted(['12345678'], event)).toEqual({
    type: 'result',
    key: 'ab12345678',
    run: 12345678,
    duration_ms: 12345678,
    output: { n: '***', 'x-***': [1, true, null] },
    expected: '***',
    usage: { input_tokens: 12345678 },
    verdicts: [{ type: 'equals', status: 'failed', actual: '***', message: '*** is wrong' }],
    tool_calls: [{ name: 'f', arguments: { pin: '***' }, duration_ms: 12345678 }],
  });
});

test('a secret that is the name of a field renames nothing', () => {
  const event = {
    duration_ms: 5,
    flags: { duration_ms: 1 },
    output: { duration_ms: 5 },
    error: 'duration_ms',
  };
  expect(redacted(['duration_ms'], event)).toEqual({
    duration_ms: 5,
    flags: { duration_ms: 1 },
    output: { '***': 5 },
    error: '***',
  });
});

test('takes up secrets that are found out later', () => {
  const redactor = createRedactor(['sk-12345']);
  const event = { error: 'sk-12345 and sk-67890' };
  expect(redactor.redact(event)).toEqual({ error: '*** and sk-67890' });
  redactor.learn(['sk-67890']);
  expect(redactor.redact(event)).toEqual({ error: '*** and ***' });
  expect(redactor.text('a sk-67890 b')).toBe('a *** b');
});

test('what is left of a secret at a cut is hidden too', () => {
  const { text } = createRedactor(['sk-1234567890abcdef']);
  expect(text('your key sk-1234567890abc … (900 characters)')).toBe('your key *** … (900 characters)');
  expect(text('your key sk-1234567890abc')).toBe('your key ***');
  expect(text('67890abcdef is the end')).toBe('*** is the end');
  expect(text('sk-12345 is shorter, sk-1234567890 goes on')).toBe(
    'sk-12345 is shorter, sk-1234567890 goes on',
  );
  expect(text('[12 bytes left out] …\n67890abcdef is the end')).toBe('[12 bytes left out] …\n*** is the end');
});

const SECRET = 'sk-1234567890abcdef';
const SAID = `so ${SECRET} then`;
const ANYTHING = { code: SAID, key: [SAID], [SAID]: { type: SAID, reason: SAID, status: SAID, kind: SAID } };

// Required, so that a field that is added to an event is added here, too.
const VERDICT: Required<Verdict> = {
  type: 'agent',
  metric: SAID,
  status: 'failed',
  message: SAID,
  path: SAID,
  negate: true,
  expected: ANYTHING,
  actual: ANYTHING,
  diff: SAID,
  score: 0.5,
  reason: SAID,
  usage: { input_tokens: 1, output_tokens: 2 },
  cost_usd: 0.1,
  weight: 2,
  advisory: true,
  verdicts: [{ type: 'agent', status: 'failed', message: SAID, reason: SAID, score: 0.5 }],
  checkpoint: SAID,
  turn: 1,
  at: SAID,
  subtest: SAID,
};
const CALL: Required<ToolCall> = {
  name: SAID,
  arguments: ANYTHING,
  result: ANYTHING,
  error: SAID,
  duration_ms: 5,
};
const CHECKPOINT: Required<CheckpointState> = { id: SAID, required: true, reached: false, turn: 2 };
const SUBTEST: Required<Subtest> = { name: SAID, status: 'failed', duration_ms: 5, error: SAID };
const RESULT: Required<ResultEvent> = {
  type: 'result',
  key: 'ab12',
  kind: 'agent-eval',
  test_id: SAID,
  id: SAID,
  run: 1,
  agent_id: SAID,
  case_sha: 'ab34',
  input: [{ role: 'user', content: [{ type: SAID, source: SAID, key: SAID }], reason: SAID, [SAID]: SAID }],
  expected: ANYTHING,
  description: SAID,
  tags: [SAID],
  line: 3,
  position: 2,
  variables: ANYTHING,
  uncounted: 'decided',
  quarantined: { reason: SAID, until: '2026-01-31', owner: SAID },
  status: 'failed',
  duration_ms: 5,
  output: ANYTHING,
  error: SAID,
  code: 'judge',
  stack: SAID,
  reason: 'interrupted',
  verdicts: [VERDICT],
  score: 0.5,
  pass_score: 0.75,
  // Code of the user may say more about a call than it was asked for.
  tool_calls: [CALL, { ...CALL, ...ANYTHING }],
  usage: { input_tokens: 1, output_tokens: 2 },
  cost_usd: null,
  first_token_ms: 7,
  messages: [{ role: 'assistant', content: SAID, name: SAID, tool_calls: [ANYTHING] }],
  sent_messages: [{ id: SAID, type: SAID, props: ANYTHING, block_id: SAID }],
  trace: [{ label: SAID, status: 'running', input: ANYTHING, children: [{ level: 'info', message: SAID }] }],
  answer_metadata: ANYTHING,
  turns: 2,
  checkpoints: [CHECKPOINT],
  simulation: { usage: { input_tokens: 3 }, cost_usd: 0.2 },
  logs: [SAID],
  assertions: 1,
  subtests: [SUBTEST],
  checks: { passed: 1, failed: 2 },
  leaks: SAID,
  skip_message: SAID,
  after_error: SAID,
  retries: 1,
  restarted: 1,
};
const OF_INPUT = {
  agent_id: SAID,
  agent_sha256: 'cd34',
  test: SAID,
  test_id: SAID,
  runs: 2,
  resolved_variables: { values: ANYTHING, sources: ANYTHING },
};
const INPUTS: LoggedInput[] = [
  { type: 'file', path: SAID, sha256: 'ef56', generated: SAID, ...OF_INPUT },
  { type: 'message', message: SAID, ...OF_INPUT },
  { type: 'script', input: SAID, script: SAID, script_path: SAID, file: SAID, sha256: 'ef56', ...OF_INPUT },
];
const START: Required<Omit<StartEvent, 'definitions'>> = {
  type: 'start',
  graded: { from: [SAID], format: 'assay', run_id: 'run-0' },
  note: SAID,
  run_id: 'run-1',
  log_version: 1,
  timestamp: '2026-01-01T00:00:00Z',
  agent_id: SAID,
  total_cases: 1,
  runs_per_case: 1,
  runs_rule: { target: 80, low: 0.7, high: 0.9, min: 3, max: 20, confidence: 0.95, undecided: 'fail' },
  connector: SAID,
  judge_sha256: 'cd56',
  isolation: 'none',
  environment: { user_id: SAID, team_id: SAID, locale: SAID },
  inputs: INPUTS,
  flags: { key: SAID, reason: SAID, inputs: [SAID], given: ANYTHING },
  cwd: SAID,
  version: '1.2.3',
  origin: { git: { commit: SAID }, node: SAID, os: SAID, machine: SAID, ci: SAID },
  suite: SAID,
  matrix: { [SAID]: [SAID, ANYTHING] },
  resolved_variables: { values: ANYTHING, sources: ANYTHING },
};

test('leaves a secret in no field that holds words of agents, judges and users, and nothing else changes', () => {
  const { redact } = createRedactor([SECRET]);
  for (const event of [RESULT, START]) {
    const masked = JSON.stringify(event)
      .replaceAll(SECRET, '***')
      // A diff of values that hold a secret is left out.
      .replaceAll(/"diff":"[^"]*"/g, '"diff":"left out: the values hold a secret"');
    expect(redact(event)).toEqual(JSON.parse(masked));
  }
});

test('counters stay, wherever they are', () => {
  const count = 12345678;
  const event = {
    checkpoints: [{ id: 'a', turn: count }],
    checks: { passed: count, failed: count },
    simulation: { usage: { input_tokens: count }, cost_usd: count },
    subtests: [{ name: 'a', duration_ms: count }],
    tool_calls: [{ name: 'a', duration_ms: count }],
  };
  expect(createRedactor([String(count)]).redact(event)).toEqual(event);
});

test('numbers that an agent adds to its calls are replaced', () => {
  const event = { tool_calls: [{ name: 'f', pin: 12345678 }, 12345678] };
  expect(redacted(['12345678'], event)).toEqual({ tool_calls: [{ name: 'f', pin: '***' }, '***'] });
});
