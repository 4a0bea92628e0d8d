import { expect, test } from 'vitest';
import type { Agent, AgentDeps } from '../../../agents/adapter.ts';
import { AttemptError } from '../../../errors.ts';
import type { AgentDefinition, Transcript } from '../../../model/agent.ts';
import type { Attempt } from '../../../model/attempt.ts';
import type { AgentSubject } from '../../../model/subject.ts';
import { contextWith } from '../../../model/context.fixture.ts';
import type { Message, TestCase } from '../../../model/case.ts';
import type { ContextData } from '../../../model/context.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Ask } from '../../../judge/assertion.ts';
import { consult } from '../worker/consult.ts';
import { executeConversation } from './conversation.ts';

type Answer = (
  messages: Message[],
  context: ContextData,
  deps: AgentDeps,
) => Transcript | Promise<Transcript>;

const definition: AgentDefinition = { id: 'other', run: { type: 'module', file: '/other.ts' } };

function attemptOf(testCase: Partial<TestCase>): Attempt<AgentSubject> {
  return {
    key: 'k',
    test_id: 't',
    case: { id: 'a', input: [], ...testCase },
    run: 1,
    subject: { kind: 'agent-eval', ...definition },
    context: contextWith({ chat_id: 'c', assistant_id: 'agent', authorized: {} }),
    timeout_ms: 1000,
    base: '/',
    root: '/',
  };
}

async function run(testCase: Partial<TestCase>, answer: Answer, simulator?: Answer): Promise<Outcome> {
  const attempt = attemptOf(testCase);
  const nobody = (): Promise<never> => Promise.reject(new Error('nobody is there'));
  const other: Agent = { run: simulator ?? (() => ({ output: null })) };
  const deps = { env: {}, fetch, signal: new AbortController().signal };
  const directory = {
    agent: () => Promise.resolve({ definition, agent: other }),
    connector: nobody,
    judge: nobody,
  };
  const ask: Ask = (who, request) =>
    consult({ who, ...request, context: attempt.context, root: '/' }, { ...deps, directory });
  const outcome = await executeConversation(attempt, {
    async ask(messages) {
      const transcript = await answer(structuredClone(messages), attempt.context, deps);
      return { transcript, duration_ms: 0 };
    },
    judging: {
      simulate: (use, request) => ask({ use }, request),
      signal: deps.signal,
      ask,
      embed: nobody,
      callScript: nobody,
      evaluate: nobody,
      runCheck: nobody,
    },
    elapsed: () => 0,
    note: () => undefined,
  });
  return { ...outcome, duration_ms: 0 };
}

const lastOf = (messages: Message[]): string => JSON.stringify(messages.at(-1)?.content).slice(1, -1);
const echo: Answer = (messages) => ({
  output: `${messages.length}: ${lastOf(messages)}`,
  tool_calls: [{ name: `t${messages.length}` }],
  usage: { input_tokens: 1 },
  cost_usd: 0.5,
});

test('turns are said one after the other, each judged on its own answer', async () => {
  const testCase: Partial<TestCase> = {
    turns: [
      { input: 'a', assert: { type: 'equals', value: '1: a' } },
      { input: 'b' },
      { input: 'c', assert: { type: 'tool_called', value: 't5' } },
    ],
    assert: { type: 'trajectory', value: ['t1', 't3', 't5'] },
  };
  expect(await run(testCase, echo)).toEqual({
    status: 'passed',
    duration_ms: 0,
    output: '5: c',
    tool_calls: [{ name: 't1' }, { name: 't3' }, { name: 't5' }],
    usage: { input_tokens: 3 },
    cost_usd: 1.5,
    messages: [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: '1: a' },
      { role: 'user', content: 'b' },
      { role: 'assistant', content: '3: b' },
      { role: 'user', content: 'c' },
      { role: 'assistant', content: '5: c' },
    ],
    turns: 3,
    verdicts: [
      { type: 'equals', status: 'passed', turn: 1 },
      { type: 'tool_called', status: 'passed', turn: 3 },
      { type: 'trajectory', status: 'passed' },
    ],
  });
});

test('a turn that does not hold is the last one', async () => {
  const asked: string[] = [];
  const turns = [{ input: 'a', assert: { type: 'equals', value: 'x' } }, { input: 'b' }];
  const outcome = await run({ input: 'first', turns }, (messages) => {
    asked.push(lastOf(messages));
    return { output: 'y' };
  });
  expect([asked, outcome.status, outcome.turns]).toEqual([['first', 'a'], 'failed', 2]);
});

const simulated: Partial<TestCase> = {
  input: 'hello',
  simulator: { use: 'agents:customer', options: { metadata: { persona: 'calm', goal: 'a refund' } } },
  checkpoints: [
    { id: 'late', assert: { type: 'contains', value: 'three' }, after: ['early'] },
    { id: 'early', description: 'says two', assert: { type: 'contains', value: 'two' } },
    { id: 'bonus', assert: { type: 'contains', value: 'never' }, required: false },
  ],
  max_turns: 3,
};
const counting: Answer = (messages) => ({
  output: ['one', 'two', 'three'][(messages.length - 1) / 2] ?? 'four',
});
const customer: Answer = () => ({ output: '```json\n{"message": "go on", "goal_achieved": false}\n```' });

test('a simulated conversation ends when every required checkpoint is reached', async () => {
  const questions: unknown[] = [];
  const outcome = await run(simulated, counting, (messages, context) => {
    questions.push([JSON.parse(messages[0]?.content as string), context.metadata, context.chat_id]);
    return { output: { message: 'go on', goal_achieved: false } };
  });
  expect([outcome.status, outcome.turns, outcome.output]).toEqual(['passed', 3, 'three']);
  expect(outcome.checkpoints).toEqual([
    { id: 'late', required: true, reached: true, turn: 3 },
    { id: 'early', required: true, reached: true, turn: 2 },
    { id: 'bonus', required: false, reached: false },
  ]);
  expect(outcome.verdicts).toEqual([
    { type: 'checkpoint', status: 'passed', checkpoint: 'late', turn: 3 },
    { type: 'checkpoint', status: 'passed', checkpoint: 'early', turn: 2 },
  ]);
  const progress = {
    turn_number: 2,
    max_turns: 3,
    checkpoints_reached: [],
    checkpoints_pending: ['late', 'early', 'bonus'],
  };
  expect(questions[0]).toEqual([
    {
      persona: 'calm',
      goal: 'a refund',
      turn: 2,
      ...progress,
      conversation: [
        { role: 'user', content: 'hello' },
        { role: 'assistant', content: 'one' },
      ],
    },
    { persona: 'calm', goal: 'a refund', ...progress },
    'c-other',
  ]);
  expect(questions[1]).toMatchObject([
    { turn_number: 3, checkpoints_reached: ['early'], checkpoints_pending: ['late', 'bonus'] },
    { turn_number: 3 },
    'c-other',
  ]);
});

test('a simulator that never ends is stopped at the turn limit, which names what was not reached', async () => {
  const outcome = await run({ ...simulated, max_turns: 2 }, counting, customer);
  expect([outcome.status, outcome.error, outcome.turns]).toEqual([
    'failed',
    'not reached in 2 turns: late',
    2,
  ]);
  const never = await run(simulated, () => ({ output: 'no' }), customer);
  expect(never.error).toBe('not reached in 3 turns: late, early');
  expect(never.verdicts).toEqual([
    {
      type: 'checkpoint',
      status: 'failed',
      checkpoint: 'late',
      message: 'checkpoint "late" was not reached in 3 turns; the checkpoints before it were not reached',
    },
    {
      type: 'checkpoint',
      status: 'failed',
      checkpoint: 'early',
      message: 'checkpoint "early" (says two) was not reached in 3 turns: the answer does not contain "two"',
    },
  ]);
});

test('what the simulated user and the judges of checkpoints take is told apart from what the agent takes', async () => {
  const took = { usage: { input_tokens: 3, output_tokens: 2 }, cost_usd: 0.25 };
  const checkpoints = [{ id: 'kind', assert: { type: 'agent', use: 'agents:judge', value: 'is kind' } }];
  const other: Answer = (messages) => {
    const isJudge = lastOf(messages).includes('criteria');
    const saysThree = lastOf(messages).includes('three');
    return { output: isJudge ? { passed: saysThree } : { message: 'go on', goal_achieved: false }, ...took };
  };
  const agent: Answer = async (...asked) => ({ ...(await counting(...asked)), usage: { input_tokens: 1 } });
  const outcome = await run({ ...simulated, checkpoints }, agent, other);
  const usage = { input_tokens: 15, output_tokens: 10 };
  expect([outcome.status, outcome.turns, outcome.usage, outcome.simulation]).toEqual([
    'passed',
    3,
    { input_tokens: 3 },
    { usage, cost_usd: 1.25 },
  ]);
});

test('a user who is satisfied ends the conversation, whatever was reached', async () => {
  const outcome = await run(simulated, counting, () => ({
    output: '{"goal_achieved": true, "reasoning": "fine"}',
  }));
  expect([outcome.status, outcome.error]).toEqual([
    'failed',
    'not reached in 1 turn: late, early; the simulated user was satisfied: fine',
  ]);
});

test('checkpoints of one turn may follow each other', async () => {
  const outcome = await run(simulated, () => ({ output: 'two three' }), customer);
  expect([outcome.status, outcome.turns]).toEqual(['passed', 1]);
});

test('a checkpoint that cannot be judged is an error and no failure', async () => {
  const checkpoints = [{ id: 'tools', assert: { type: 'trajectory', value: ['x'] } }];
  const outcome = await run({ ...simulated, checkpoints }, counting, customer);
  expect([outcome.status, outcome.code]).toEqual(['error', 'judge']);
});

test.each([
  [
    'nonsense',
    'protocol',
    /^the simulator agents:customer must answer one \{"message", "goal_achieved"\}, not "nonsense"$/,
  ],
  [{ goal_achieved: false }, 'protocol', /must answer/],
  [{ message: 'x', goal_achieved: 'true' }, 'protocol', /must answer/],
  ['You said {"goal_achieved": true}. {"message": "go on"}', 'protocol', /must answer one/],
])('a simulator that answers %j is an error', async (output, code, message) => {
  const failure: unknown = await run(simulated, counting, () => ({ output })).catch(
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(AttemptError);
  expect(failure).toMatchObject({ code, message: expect.stringMatching(message) as unknown });
});

test('what the simulator throws is not the fault of the agent', async () => {
  const broken: Answer = () => {
    throw new AttemptError('agent', 'boom');
  };
  const failure: unknown = await run(simulated, counting, broken).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'harness', message: 'the simulator agents:customer failed: boom' });
});

test('an advisory assertion of a turn does not end the conversation', async () => {
  const outcome = await run(
    {
      turns: [
        { input: 'a', assert: { type: 'equals', value: 'x', advisory: true } },
        { input: 'b', assert: { type: 'equals', value: '3: b' } },
      ],
    },
    echo,
  );
  expect(outcome).toMatchObject({
    status: 'passed',
    turns: 2,
    verdicts: [
      { type: 'equals', status: 'failed', turn: 1, advisory: true },
      { type: 'equals', status: 'passed', turn: 2 },
    ],
  });
});

test('a conversation with only advisory assertions still needs an answer', async () => {
  const turns = [{ input: 'a', assert: { type: 'equals', value: 'x', advisory: true } }];
  expect(await run({ turns }, () => ({ output: '' }))).toMatchObject({
    status: 'failed',
    error: 'no answer',
    verdicts: [
      { type: 'equals', status: 'failed', turn: 1, advisory: true },
      { type: 'answered', status: 'failed' },
    ],
  });
});

test('with a pass_score, all turns are judged, and their weighted score decides', async () => {
  const turns = [
    { input: 'a', assert: { type: 'equals', value: 'x' } },
    { input: 'b', assert: { type: 'equals', value: '3: b', weight: 3 } },
  ];
  expect(await run({ turns, pass_score: 0.75 }, echo)).toMatchObject({
    status: 'passed',
    turns: 2,
    score: 0.75,
    pass_score: 0.75,
  });
  expect(await run({ turns, pass_score: 0.8 }, echo)).toMatchObject({
    status: 'failed',
    turns: 2,
    error: 'score 0.75, wanted at least 0.8: the answer is not the expected one',
  });
});

test('with a pass_score, an assertion of a turn that cannot be judged is an error and ends the conversation', async () => {
  const turns = [
    { input: 'a', assert: { type: 'agent', use: 'judge', value: 'x' } },
    { input: 'b', assert: { type: 'equals', value: '3: b' } },
  ];
  const outcome = await run({ turns, pass_score: 0.1 }, echo);
  expect(outcome).toMatchObject({ status: 'error', code: 'judge', turns: 1, pass_score: 0.1 });
  expect(outcome.score).toBeUndefined();
});

test('without a pass_score, a conversation that a failure ended has no score', async () => {
  const turns = [
    { input: 'a', assert: { type: 'equals', value: 'x', weight: 2 } },
    { input: 'b', assert: { type: 'equals', value: '3: b' } },
  ];
  const outcome = await run({ turns }, echo);
  expect(outcome).toMatchObject({ status: 'failed', turns: 1 });
  expect(outcome.score).toBeUndefined();
});

test('with a pass_score, a checkpoint that was not reached counts 0', async () => {
  const testCase: Partial<TestCase> = {
    input: 'a',
    simulator: { use: 'agents:customer' },
    max_turns: 1,
    checkpoints: [{ id: 'never', assert: { type: 'equals', value: 'x' } }],
    assert: { type: 'contains', value: 'a', weight: 3 },
  };
  expect(await run({ ...testCase, pass_score: 0.75 }, echo)).toMatchObject({ status: 'passed', score: 0.75 });
  expect(await run({ ...testCase, pass_score: 0.8 }, echo)).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/^score 0.75, wanted at least 0.8: checkpoint "never" was not reached/),
  });
});
