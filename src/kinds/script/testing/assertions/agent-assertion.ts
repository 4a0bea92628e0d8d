// `t.assert.Agent`: another agent judges a response.

import { AttemptError, messageOf } from '../../../../errors.ts';
import { isObject } from '../../../../json/is-object.ts';
import type { Failure } from './assertion.ts';
import { misuse, tooFewArguments } from './assertion.ts';
import { Stop } from '../control.ts';
import { countAssertion, settle } from './judge-assertion.ts';
import { captureStack } from '../capture-stack.ts';
import { reportValue } from './report-value.ts';
import type { Scope } from '../scope.ts';
import { show } from './show.ts';

const PARAMETERS = ['response', 'agentId', 'options'];

/** True if the agent approves. The test waits for the judgement even if its function does not await it. */
export function askAgent(scope: Scope, args: unknown[]): Promise<boolean> {
  countAssertion(scope, 'Agent');
  const [response, agentId, options, ...words] = args;
  const stack = captureStack();
  if (args.length < 2) {
    return Promise.resolve(
      settle(scope, 'Agent', tooFewArguments('Agent', PARAMETERS, args.length), [], stack),
    );
  }
  const problem = problemWith(agentId, options);
  if (problem !== undefined) return Promise.resolve(settle(scope, 'Agent', problem, words, stack));
  const question = { response, agentId: String(agentId), options: isObject(options) ? options : {} };
  return scope.defer(ask(scope, question).then((failure) => settle(scope, 'Agent', failure, words, stack)));
}

function problemWith(agentId: unknown, options: unknown): Failure | undefined {
  if (typeof agentId !== 'string' || agentId === '')
    return misuse(`${show(agentId)} is not the id of an agent`);
  if (options === undefined || isObject(options)) return undefined;
  return misuse(`${show(options)} is not an options object; write { criteria: '…' }`);
}

type Question = { response: unknown; agentId: string; options: Record<string, unknown> };

async function ask(scope: Scope, { response, agentId, options }: Question): Promise<Failure | undefined> {
  try {
    const { passed, reason, score } = await scope.shared.host.judge(response, agentId, options);
    if (passed) return undefined;
    return {
      message: `${agentId} does not approve${reason === undefined ? '' : `: ${reason}`}`,
      expected: reportValue(options['criteria']),
      actual: response,
      reason,
      score,
    };
  } catch (error) {
    const code = error instanceof AttemptError ? error.code : 'judge';
    scope.addProblem({ status: 'error', code, message: messageOf(error) });
    // The function cannot go on without the judgement.
    throw new Stop(scope, 't.assert.Agent');
  }
}
