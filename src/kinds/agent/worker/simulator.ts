// The simulated user of a conversation, played by an agent.

import { AttemptError, ConfigError, describeProblem } from '../../../errors.ts';
import { findReply } from '../../../judge/find-reply.ts';
import { quote } from '../../../text/quote.ts';
import type { Attempt } from '../../../model/attempt.ts';
import type { Message } from '../../../model/case.ts';
import type { Spending } from '../../../model/spending.ts';
import type { AttemptDeps } from './attempt-deps.ts';
import { askAgent, contextFor } from './ask-agent.ts';

type SimulatedTurn = { message: string; goal_achieved: boolean; reasoning?: string };

export type SimulatorUser = {
  next(state: { turn: number; maxTurns: number; messages: Message[] }): Promise<SimulatedTurn>;
};

/**
 * Creates the simulated user of an attempt, which reports its cost to `spend`. Its errors are never blamed on the agent
 * under test.
 */
export function createSimulator(
  { case: testCase, context }: Attempt,
  deps: AttemptDeps,
  spend: (spending: Spending) => void,
): SimulatorUser {
  const { use = '', options = {} } = testCase.simulator ?? {};
  const { metadata, ...own } = options;
  const blame = new AttemptError('harness', `the simulator ${use} has not answered`);
  // The same for all turns, so that the simulator keeps its memory.
  let simulatorContext: ReturnType<typeof contextFor> | undefined;

  return {
    async next({ turn, maxTurns, messages }) {
      try {
        const opened = await deps.directory.agent(use);
        simulatorContext ??= contextFor(context, opened.definition.id, metadata);
        const question = { ...metadata, turn, max_turns: maxTurns, conversation: messages };
        const answer = await askAgent(opened, question, simulatorContext, { deps, options: own, blame });
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
  if (error instanceof ConfigError)
    return new AttemptError('harness', `simulator ${use}: ${describeProblem(error)}`, { cause: error });
  if (!(error instanceof AttemptError) || error.code !== 'agent') return error;
  return new AttemptError('harness', `the simulator ${use} failed: ${error.message}`, {
    cause: error.cause ?? error,
  });
}
