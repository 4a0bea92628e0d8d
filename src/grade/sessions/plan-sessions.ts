// Sessions in, the plan of a run out that judges them.

import { join } from 'node:path';
import type { FlagsOf } from '../../application/options/options.ts';
import type { CaseSource } from '../../kinds/agent/source.ts';
import type { Io } from '../../run/io.ts';
import type { RunPlan } from '../../run/plan.ts';
import { planRequest } from '../../run/plan.ts';
import type { RunRequest } from '../../run/planning/request.ts';
import { escapeControls } from '../../text/untrusted.ts';
import type { FoundFile } from '../find-recordings.ts';
import { withoutAgent } from '../without-agent.ts';
import { openSessions } from './open-sessions.ts';
import { sessionKind } from './session-kind.ts';

/** Throws ConfigError if a session or the cases cannot be used. */
export async function planSessions(
  files: readonly FoundFile[],
  { recordings, flags }: { recordings: readonly string[]; flags: FlagsOf<'grade'> },
  io: Io,
): Promise<RunPlan> {
  const warn = (text: string): void => void io.stderr.write(`${escapeControls(text)}\n`);
  const sessions = await openSessions(files, warn);
  const formats = [...new Set(sessions.map(({ format }) => format))].sort();
  // Each session is one attempt.
  const request: RunRequest = { flags: { ...flags, runs: '1' }, cwd: io.cwd, earlierInputs: [], focus: {} };
  if (flags.input === undefined) {
    request.named = [anySession(io.cwd)];
    warn('without -i, a session passes if it has an answer');
  }
  return planRequest(request, io, {
    from: { from: [...recordings], format: formats.join(', ') },
    settings: withoutAgent,
    openKinds: () => [sessionKind(sessions)],
  });
}

/** The one case that is there without a case file. */
function anySession(cwd: string): CaseSource {
  return { type: 'cases', path: join(cwd, 'sessions'), cases: [{ id: '*' }], lines: [1] };
}
