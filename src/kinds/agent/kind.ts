// Cases for an agent: files of cases, messages, and cases that stand in a definition.

import type { Problem } from '../../errors.ts';
import type { LoggedInput } from '../../model/event.ts';
import { DEFAULTS } from '../../model/settings.ts';
import type { AgentSubject } from '../../model/subject.ts';
import type { Kind } from '../kind.ts';
import { AgentPool } from './pool.ts';
import { prepareCases } from './prepare.ts';
import type { CaseSource } from './source.ts';
import { caseTestIds } from './source.ts';

export const agentKind: Kind<CaseSource, AgentSubject> = {
  id: 'agent-eval',
  noun: 'case',
  defaults: { timeout_ms: DEFAULTS.timeout_ms, parallel: 1 },
  hasInput: true,
  testIds: caseTestIds,
  prepare: prepareCases,
  openPool: (options) => new AgentPool(options),
  describe: ({ subject }) => ({ what: `agent ${subject.id}` }),
  typedAs,
  changes,
};

function typedAs(input: LoggedInput): string | undefined {
  if (input.type === 'message') return input.message;
  return 'path' in input ? input.path : undefined;
}

function changes(before: LoggedInput, now: LoggedInput | undefined): Problem[] {
  const problems: Problem[] = [];
  const isSameFile = (before.type === 'file' || before.type === 'cases') && now?.type === before.type;
  if (isSameFile && before.sha256 !== now.sha256)
    problems.push({ message: 'the case file has changed since the run began', at: before.path });
  if (now !== undefined && before.agent_sha256 !== now.agent_sha256)
    problems.push({ message: `agent ${before.agent_id} has changed since the run began` });
  return problems;
}
