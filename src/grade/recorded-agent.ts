// The agents whose answers were recorded, as subjects of a run that executes none.

import type { ResolvedAgent } from '../agents/resolve/resolve.ts';
import type { PreparedInput } from '../kinds/kind.ts';
import type { LoggedInput } from '../model/event.ts';
import type { AgentSubject } from '../model/subject.ts';

/** An agent by its name; its fingerprint is that of the log. */
export function recordedAgent(id: string, inputs: readonly LoggedInput[] = []): ResolvedAgent {
  const hashes = [...new Set(inputs.map(({ agent_sha256 }) => agent_sha256))];
  return {
    definition: { id, run: { type: 'recorded' } },
    files: [],
    sha256: hashes.length === 1 ? (hashes[0] ?? '') : hashes.sort().join(' '),
    secrets: [],
    root: '',
  };
}

/** Every result names its agent if there are several. */
export function recordedSubjects(
  { definition }: ResolvedAgent,
  names: string,
): Pick<PreparedInput, 'subject' | 'subjects'> {
  const [first = names, ...others] = names.split(', ');
  const subject: AgentSubject = { kind: 'agent-eval', ...definition, id: first };
  if (others.length === 0) return { subject };
  return { subject, subjects: Object.fromEntries(others.map((id) => [id, { ...subject, id }])) };
}
