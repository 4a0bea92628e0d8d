// The simulated user of a conversation, played by an agent.

import { AttemptError, messageOf } from '../../../errors.ts';
import { findReply } from '../../../judge/find-reply.ts';
import { quote } from '../../../text/quote.ts';
import type { Attempt } from '../../../model/attempt.ts';
import type { Message } from '../../../model/case.ts';
import type { CheckpointState } from '../../../model/outcome.ts';
import type { Spending } from '../../../model/spending.ts';
import type { AttemptJudging } from './judge-deps.ts';

type SimulatedTurn = { message: string; goal_achieved: boolean; reasoning?: string };

export type SimulatorUser = {
  next(state: Progress): Promise<SimulatedTurn>;
};

/** How far the conversation has come; `turn` is the one that the simulator writes. */
type Progress = { turn: number; maxTurns: number; messages: Message[]; checkpoints: CheckpointState[] };

/**
 * Creates the simulated user of an attempt, which reports its cost to `spend`. Its errors are never blamed on the agent
 * under test.
 */
export function createSimulator(
  { case: testCase }: Attempt,
  judging: Pick<AttemptJudging, 'simulate'>,
  spend: (spending: Spending) => void,
): SimulatorUser {
  const { use = '', options = {} } = testCase.simulator ?? {};
  const { metadata } = options;

  return {
    async next({ turn, maxTurns, messages, checkpoints }) {
      try {
        const idsOf = (isReached: boolean): string[] =>
          checkpoints.filter(({ reached }) => reached === isReached).map(({ id }) => id);
        const progress = {
          turn_number: turn,
          max_turns: maxTurns,
          checkpoints_reached: idsOf(true),
          checkpoints_pending: idsOf(false),
        };
        const input = { ...metadata, turn, ...progress, conversation: messages };
        const answer = await judging.simulate(use, {
          input,
          options,
          metadata: { ...metadata, ...progress },
        });
        spend(answer);
        return readTurn(answer.output, use);
      } catch (error) {
        throw blameSimulator(error, use);
      }
    },
  };
}

function readTurn(output: unknown, use: string): SimulatedTurn {
  const { reply = {}, isAmbiguous } = findReply(output, ['message', 'goal_achieved']);
  const { message, goal_achieved: isAchieved = false, reasoning } = reply;
  const hasMessage = typeof message === 'string' && message.trim() !== '';
  if (isAmbiguous !== true && typeof isAchieved === 'boolean' && (isAchieved || hasMessage)) {
    return {
      message: hasMessage ? message : '',
      goal_achieved: isAchieved,
      ...(typeof reasoning === 'string' && { reasoning }),
    };
  }
  throw new AttemptError(
    'protocol',
    `the simulator ${use} must answer one {"message", "goal_achieved"}, not ${quote(output)}`,
  );
}

/** An error of the simulator says nothing about the agent under test. */
function blameSimulator(error: unknown, use: string): unknown {
  if (!(error instanceof AttemptError))
    return new AttemptError('harness', `simulator ${use}: ${messageOf(error)}`, { cause: error });
  if (error.code !== 'agent') return error;
  return new AttemptError('harness', `the simulator ${use} failed: ${error.message}`, { cause: error });
}
