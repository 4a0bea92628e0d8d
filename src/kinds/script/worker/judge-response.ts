// `t.assert.Agent`: a judging agent checks a response of the code under test.

import type { Directory } from '../../../agents/adapter.ts';
import { AttemptError, messageOf } from '../../../errors.ts';
import type { JudgeDeps } from '../../../judge/assertion.ts';
import { agent } from '../../../judge/assertions/agent.ts';
import { consult } from '../../agent/worker/consult.ts';
import { toJsonValue } from '../../../execute/worker/json-value.ts';
import { lazyDirectory } from '../../../execute/worker/lazy-directory.ts';
import type { SharedPart } from '../../../execute/process/protocol.ts';

const directories = new Map<string, Directory>();
/** Retries of a failed model call. */
const RETRIES = 2;

/** Asks the agent. An invalid judgement is an error, never a failed assertion. */
export async function judgeResponse(
  response: unknown,
  agentId: string,
  options: Record<string, unknown>,
  { part, learn }: { part: SharedPart; learn(secrets: string[]): void },
): Promise<{ passed: boolean; reason?: string; score?: number }> {
  const { root, context } = part;
  const { criteria, threshold, connector, ...others } = options;
  const known = directories.get(root);
  const directory = known ?? lazyDirectory({ root, cwd: process.cwd(), env: process.env, learn });
  directories.set(root, directory);
  const { signal } = new AbortController();
  const deps = { directory, env: process.env, fetch: globalThis.fetch, signal, retries: RETRIES };
  const unavailable = (): Promise<never> => Promise.reject(new Error('only an agent judges here'));
  const judgeDeps: JudgeDeps = {
    signal,
    ask: (who, request) => consult({ who, ...request, context, root }, deps),
    embed: unavailable,
    callScript: unavailable,
    evaluate: unavailable,
    runCheck: unavailable,
  };
  const output = toJsonValue(response);
  const subject = { output, input: [], transcript: { output }, duration_ms: 0 };
  const assertion = {
    type: 'agent',
    use: agentId.startsWith('agents:') ? agentId : `agents:${agentId}`,
    value: criteria ?? 'The response is correct and complete.',
    threshold,
    connector,
    ...(Object.keys(others).length > 0 && { options: others }),
  };
  try {
    const { pass, message, reason, score } = await agent.judge(assertion, subject, judgeDeps);
    return { passed: pass, reason: reason ?? message, score };
  } catch (cause) {
    throw cause instanceof AttemptError ? cause : new AttemptError('judge', messageOf(cause), { cause });
  }
}
