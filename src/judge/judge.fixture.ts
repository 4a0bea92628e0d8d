// For tests only: judges one answer by one assertion, through the public `judge`.

import { runCheck } from '../agents/command/run-check.ts';
import { messageOf } from '../errors.ts';
import { isThenable } from '../platform/thenable.ts';
import { contextWith } from '../model/context.fixture.ts';
import type { Transcript } from '../model/agent.ts';
import type { Assertion } from '../model/case.ts';
import type { Verdict } from '../model/outcome.ts';
import { callScript } from '../scripts/call-function.ts';
import { evaluate } from '../scripts/expressions/evaluate.ts';
import type { JudgeDeps, Subject } from './assertion.ts';
import { judge } from './judge.ts';

/** Dependencies for `judge`, which run scripts below `root` in this process. Asking an agent fails unless `ask` is given. */
export function depsFor(root: string, given: Partial<JudgeDeps> = {}): JudgeDeps {
  const { signal } = new AbortController();
  const context = contextWith({ chat_id: 'chat', assistant_id: 'tests.fixture' });
  return {
    signal,
    ask: () => Promise.reject(new Error('there is no judge to ask')),
    embed: () => Promise.reject(new Error('there is no embedding model')),
    callScript: (reference, args) => callScript(reference, structuredClone(args), { root, context, signal }),
    evaluate: (code, values, name) =>
      evaluate(code, values, { timeoutMs: 1000 }).catch((error: unknown) => {
        throw new Error(`${name} failed: ${messageOf(error)}`, { cause: error });
      }),
    runCheck: (command, input) =>
      runCheck(command, { cwd: root, env: process.env, input, signal, log: () => undefined }),
    ...given,
  };
}

/** An answer that took 1.5 seconds. */
export function subjectOf(output: unknown, transcript: Partial<Transcript> = {}): Subject {
  return { output, input: 'question', transcript: { output, ...transcript }, duration_ms: 1500 };
}

/** The verdict of a synchronous assertion. */
export function verdictOn(
  output: unknown,
  assertion: Assertion,
  transcript: Partial<Transcript> = {},
): Verdict {
  const verdicts = judge(subjectOf(output, transcript), [assertion], depsFor('/nowhere'));
  if (isThenable(verdicts) || verdicts[0] === undefined)
    throw new Error('one verdict, at once, was expected');
  return verdicts[0];
}
