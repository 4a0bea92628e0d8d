// An agent as reporter: given the JSON report, its answer is what is written.

import { findAgent, listAgents } from '../../agents/resolve/find-agent.ts';
import type { ResolvedAgent } from '../../agents/resolve/resolve.ts';
import { resolveAgent } from '../../agents/resolve/resolve.ts';
import { ConfigError, messageOf, RuntimeError } from '../../errors.ts';
import type { AgentDefinition } from '../../model/agent.ts';
import type { ContextData } from '../../model/context.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { Redactor } from '../../secrets/redact.ts';
import { jsonReport } from '../../report/formats/json.ts';
import type { ReporterFormat } from '../../report/registry.ts';
import { BUILT_IN_REPORTERS } from '../../report/registry.ts';
import type { SideCallRunner } from '../lazy-side-calls.ts';

const TIMEOUT_MS = 5 * 60_000;
/** The format that a reporter is asked for, by the extension of the output. */
const FORMATS: Record<string, string> = {
  '.htm': 'html',
  '.html': 'html',
  '.json': 'json',
  '.md': 'markdown',
};

type AgentLookup = { root: string; cwd: string; env: Record<string, string | undefined> };

/** Finds the agent that `-r` names; throws a ConfigError that knows the built-in reporters too. */
export async function resolveReporter(name: string, lookup: AgentLookup): Promise<ResolvedAgent> {
  const { root, cwd } = lookup;
  try {
    findAgent(name, lookup);
  } catch (cause) {
    if (!(cause instanceof ConfigError)) throw cause;
    const known = `the built-in ones are ${BUILT_IN_REPORTERS.join(', ')}; any other is an agent`;
    const similar = didYouMean(name.replace(/^agents:/, ''), [
      ...BUILT_IN_REPORTERS,
      ...(await listAgents(root)),
    ]);
    const hint = similar === undefined ? known : `${similar} (${known})`;
    throw new ConfigError(`unknown reporter "${name}"`, { hint, cause });
  }
  return resolveAgent({ name, from: cwd, ...lookup });
}

export type ReporterOptions = {
  agent: AgentDefinition;
  context: ContextData;
  root: string;
  verbose: boolean;
  sideCalls: SideCallRunner;
  redactor: Redactor;
};

/** The agent's answer is the report, in every format. */
export function agentReporter(options: ReporterOptions): ReporterFormat {
  const { agent, context, root, verbose, sideCalls, redactor } = options;
  return (extension) =>
    async function* (source) {
      let text = '';
      for await (const chunk of jsonReport(source)) text += chunk;
      const report: unknown = JSON.parse(text);
      const format = FORMATS[extension] ?? 'text';
      const request = { report, format, options: { verbose, include_outputs: true } };
      const messages = [{ role: 'user', content: JSON.stringify(request) }];
      try {
        const call = { type: 'ask', agent, messages, context, root, timeout_ms: TIMEOUT_MS } as const;
        const { value } = await sideCalls.run(call);
        const answer = redactor.text(answerText(value));
        // A file is what the agent says it is; a terminal wants its lines ended.
        yield extension === '' && !answer.endsWith('\n') ? `${answer}\n` : answer;
      } catch (cause) {
        const message = `the reporter ${agent.id} failed: ${messageOf(cause)}`;
        throw new RuntimeError(redactor.text(message));
      }
    };
}

function answerText(answer: unknown): string {
  const isEmpty =
    answer === undefined || answer === null || (typeof answer === 'string' && answer.trim() === '');
  if (isEmpty) throw new Error('it gave no answer');
  if (typeof answer === 'string') return answer;
  return `${JSON.stringify(answer, null, 2)}\n`;
}
