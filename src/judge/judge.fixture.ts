// For tests only: judges one answer by one assertion, through the public `judge`.

import type { Transcript } from '../model/agent.ts';
import type { Assertion } from '../model/case.ts';
import type { Verdict } from '../model/outcome.ts';
import type { JudgeDeps, Subject } from './assertion.ts';
import { judge } from './judge.ts';

/** Dependencies for `judge`; `root` is the folder of scripts. Asking an agent fails unless `ask` is given. */
export function depsFor(root: string, given: Partial<JudgeDeps> = {}): JudgeDeps {
  return {
    root,
    signal: new AbortController().signal,
    context: {
      chat_id: 'chat',
      assistant_id: 'tests.fixture',
      authorized: {},
      metadata: {},
      client: { type: 'test', ip: '127.0.0.1' },
      locale: 'en-us',
      referer: 'test',
      accept: 'standard',
    },
    ask: () => Promise.reject(new Error('there is no judge to ask')),
    embed: () => Promise.reject(new Error('there is no embedding model')),
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
  if (verdicts instanceof Promise || verdicts[0] === undefined)
    throw new Error('one verdict, at once, was expected');
  return verdicts[0];
}
