// Runs a conversation of several turns, scripted or played by a simulated user, to one outcome.

import type { JudgeDeps, Subject } from '../../../judge/assertion.ts';
import { judge, judgeAnswer } from '../../../judge/judge.ts';
import { answerText } from '../../../judge/output.ts';
import type { Transcript } from '../../../model/agent.ts';
import type { Attempt } from '../../../model/attempt.ts';
import type { Assertion, CaseInput, Message, TestCase, Turn } from '../../../model/case.ts';
import type { Outcome, Verdict } from '../../../model/outcome.ts';
import type { Spending } from '../../../model/spending.ts';
import { addCost, addSpending, addUsage } from '../../../model/spending.ts';
import type { Checkpoints } from './checkpoints.ts';
import { createCheckpoints } from './checkpoints.ts';
import type { AttemptJudging } from './judge-deps.ts';
import { inlineFiles, messagesOf } from '../messages.ts';
import { createSimulator } from './simulator.ts';
import { endsConversation, summarizeVerdicts } from './verdicts.ts';

const MAX_TURNS = 20;

/** The conversation so far. */
type Dialogue = {
  messages: Message[];
  turns: number;
  /** Merged over all turns; `output` is the last answer. */
  transcript: Transcript;
  /** Tokens and cost of the simulator and the judges. */
  simulation: Spending;
  /** Milliseconds since the start. */
  elapsed: () => number;
};

type TurnAnswer = { transcript: Transcript; duration_ms: number };

/** The agent and everything that judges it, each in its own process. */
export type ConversationDeps = {
  /** Lets the agent answer the messages so far. */
  ask(messages: Message[]): Promise<TurnAnswer>;
  judging: JudgeDeps & Pick<AttemptJudging, 'simulate'>;
  /** Milliseconds since the start. */
  elapsed(): number;
  /** Saves a partial outcome, in case the conversation does not complete. */
  note(partial: Partial<Outcome>): void;
};

/** Runs the conversation of a case. Throws if there is nothing to judge. */
export async function executeConversation(attempt: Attempt, deps: ConversationDeps): Promise<Outcome> {
  const dialogue: Dialogue = {
    messages: [],
    turns: 0,
    transcript: { output: null },
    simulation: {},
    elapsed: deps.elapsed,
  };
  const say = (input: CaseInput): Promise<TurnAnswer> => takeTurn(dialogue, input, attempt, deps);
  return attempt.case.simulator === undefined
    ? runScripted(attempt, dialogue, say, deps)
    : runSimulated(attempt, dialogue, say, deps);
}

async function takeTurn(
  dialogue: Dialogue,
  input: CaseInput,
  attempt: Attempt,
  deps: ConversationDeps,
): Promise<TurnAnswer> {
  dialogue.messages.push(...(await inlineFiles(messagesOf(input), attempt)));
  dialogue.turns += 1;
  deps.note(partialOutcome(dialogue));
  const answer = await deps.ask(dialogue.messages);
  dialogue.messages.push({ role: 'assistant', content: answerText(answer.transcript.output) });
  dialogue.transcript = mergeTranscripts(dialogue.transcript, answer.transcript);
  deps.note(partialOutcome(dialogue));
  return answer;
}

/** Runs the turns of the case in order, up to the first that does not pass. */
async function runScripted(
  attempt: Attempt,
  dialogue: Dialogue,
  say: (input: CaseInput) => Promise<TurnAnswer>,
  deps: ConversationDeps,
): Promise<Outcome> {
  const { case: testCase } = attempt;
  const first: Turn[] = isEmpty(testCase.input) ? [] : [{ input: testCase.input }];
  const judgeDeps = deps.judging;
  const verdicts: Verdict[] = [];
  for (const turn of [...first, ...(testCase.turns ?? [])]) {
    const answer = await say(turn.input);
    if (turn.assert === undefined) continue;
    const judged = await judge(toSubject(answer, turn.input, testCase), toList(turn.assert), judgeDeps);
    verdicts.push(...judged.map((verdict) => ({ ...verdict, turn: dialogue.turns })));
    if (judged.some((verdict) => endsConversation(verdict, testCase.pass_score))) {
      // The score of some turns is not that of the case.
      const { score: _score, ...outcome } = toOutcome(dialogue, verdicts, testCase);
      return outcome;
    }
  }
  const hasVerdict = verdicts.some(({ advisory }) => advisory !== true);
  const isJudged = hasVerdict && testCase.assert === undefined && testCase.expected === undefined;
  if (!isJudged) verdicts.push(...(await judgeEnd(testCase, dialogue, judgeDeps)));
  return toOutcome(dialogue, verdicts, testCase);
}

/** Runs until all required checkpoints are reached, the simulated user is done, or the turns are used up. */
async function runSimulated(
  attempt: Attempt,
  dialogue: Dialogue,
  say: (input: CaseInput) => Promise<TurnAnswer>,
  deps: ConversationDeps,
): Promise<Outcome> {
  const { case: testCase } = attempt;
  const maxTurns = testCase.max_turns ?? MAX_TURNS;
  const judgeDeps = deps.judging;
  const spend = (spending: Spending): void => {
    if (spending.usage === undefined && spending.cost_usd === undefined) return;
    dialogue.simulation = addSpending(dialogue.simulation, spending);
    deps.note(partialOutcome(dialogue));
  };
  const checkpoints = createCheckpoints(testCase.checkpoints ?? [], spend);
  const simulator = createSimulator(attempt, deps.judging, spend);
  let input: CaseInput = testCase.input;
  let satisfied: string | undefined;
  for (;;) {
    const answer = await say(input);
    await checkpoints.visit(dialogue.turns, toSubject(answer, input, testCase), judgeDeps);
    deps.note({ ...partialOutcome(dialogue), checkpoints: checkpoints.states() });
    if (checkpoints.areReached() || dialogue.turns >= maxTurns) break;
    const { turns, messages } = dialogue;
    const states = checkpoints.states();
    const next = await simulator.next({ turn: turns + 1, maxTurns, messages, checkpoints: states });
    if (next.goal_achieved) {
      satisfied = next.reasoning ?? 'its goal is achieved';
      break;
    }
    input = next.message;
  }
  const verdicts = checkpoints.verdicts(dialogue.turns);
  if (testCase.assert !== undefined || testCase.expected !== undefined) {
    verdicts.push(...(await judgeEnd(testCase, dialogue, judgeDeps)));
  }
  const outcome = toOutcome(dialogue, verdicts, testCase);
  return simulatedOutcome(outcome, dialogue, checkpoints, satisfied);
}

function simulatedOutcome(
  outcome: Outcome,
  dialogue: Dialogue,
  checkpoints: Checkpoints,
  satisfied: string | undefined,
): Outcome {
  const missing = (outcome.verdicts ?? []).filter(
    ({ checkpoint, status }) => checkpoint !== undefined && status === 'failed',
  );
  if (missing.length > 0 && outcome.pass_score === undefined) {
    const turns = `${String(dialogue.turns)} turn${dialogue.turns === 1 ? '' : 's'}`;
    const why = satisfied === undefined ? '' : `; the simulated user was satisfied: ${satisfied}`;
    outcome.error = `not reached in ${turns}: ${missing.map(({ checkpoint }) => checkpoint).join(', ')}${why}`;
  }
  return { ...outcome, checkpoints: checkpoints.states() };
}

/** Judges the assertions of the case on the last answer and the whole conversation. */
async function judgeEnd(testCase: TestCase, dialogue: Dialogue, deps: JudgeDeps): Promise<Verdict[]> {
  const { transcript, messages, elapsed } = dialogue;
  const answer = { transcript: { ...transcript, messages }, duration_ms: elapsed() };
  const last = testCase.turns?.at(-1)?.input;
  const input = isEmpty(testCase.input) && last !== undefined ? last : testCase.input;
  const subject = toSubject(answer, input, testCase);
  if (testCase.expected !== undefined) subject.expected = testCase.expected;
  return judgeAnswer(testCase, subject, deps);
}

function toSubject(
  { transcript, duration_ms }: TurnAnswer,
  input: CaseInput,
  { vars, metadata }: TestCase,
): Subject {
  return {
    output: transcript.output,
    input,
    ...(vars !== undefined && { vars }),
    ...(metadata !== undefined && { metadata }),
    transcript,
    duration_ms,
  };
}

function toOutcome(dialogue: Dialogue, verdicts: Verdict[], { pass_score }: TestCase): Outcome {
  const duration_ms = Math.round(dialogue.elapsed());
  const { output, ...rest } = partialOutcome(dialogue);
  return { duration_ms, output, ...rest, verdicts, ...summarizeVerdicts(verdicts, pass_score) };
}

function partialOutcome({ messages, turns, transcript, simulation }: Dialogue): Partial<Outcome> {
  const isSimulated = Object.keys(simulation).length > 0;
  return { ...transcript, messages: [...messages], turns, ...(isSimulated && { simulation }) };
}

function mergeTranscripts(before: Transcript, now: Transcript): Transcript {
  const { messages: _messages, ...answer } = now;
  const all: Transcript = { ...before, ...answer };
  const usage = addUsage(before.usage, now.usage);
  if (usage !== undefined) all.usage = usage;
  const cost = addCost(before.cost_usd, now.cost_usd);
  if (cost !== undefined) all.cost_usd = cost;
  for (const key of ['tool_calls', 'logs', 'sent_messages', 'trace'] as const) {
    const [old, more] = [before[key], now[key]];
    // Type-safe: both lists have the type of their key.
    if (old !== undefined && more !== undefined) Object.assign(all, { [key]: [...old, ...more] });
  }
  if (before.first_token_ms !== undefined) all.first_token_ms = before.first_token_ms;
  return all;
}

function toList(assert: Assertion | Assertion[]): Assertion[] {
  return Array.isArray(assert) ? assert : [assert];
}

/** True if the case has only turns and no input of its own. */
function isEmpty(input: CaseInput): boolean {
  return Array.isArray(input) && input.length === 0;
}
