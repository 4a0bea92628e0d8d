// The thing under test, as plain data: found, checked, ready to be sent to a worker.

import type { AgentDefinition } from './agent.ts';
import type { ScriptSubject } from './script.ts';
import type { SkillSubject } from './skill.ts';

/** The thing an attempt tests; `id` is the `agent_id` of the log. */
export type Subject = AgentSubject | ScriptSubject | SkillSubject;

/** An agent that answers cases. */
export type AgentSubject = AgentDefinition & { kind: 'agent-eval' };

/** The kinds of tests, as logs and test types name them. */
export type KindId = Subject['kind'];

/** The agent under test; undefined for tests that have none. */
export function testedAgent(subject: Subject): AgentDefinition | undefined {
  return subject.kind === 'agent-eval' ? subject : undefined;
}

const AGENT_INPUTS: ReadonlySet<string> = new Set(['cases', 'file', 'message']);

/** The kind of an input: cases for an agent come in three forms, every other kind has one input type, named like the kind. */
export function inputKind({ type }: { type: string }): KindId {
  // Types are checked where inputs are found and where logs are read.
  return AGENT_INPUTS.has(type) ? 'agent-eval' : (type as KindId);
}

const DETERMINISTIC = ['script', 'skill'] as const satisfies KindId[];

/** True for kinds that call no model: equal code gives equal results, until a test has shown otherwise. */
export function isDeterministic(kind: KindId): kind is (typeof DETERMINISTIC)[number] {
  return (DETERMINISTIC as readonly string[]).includes(kind);
}
