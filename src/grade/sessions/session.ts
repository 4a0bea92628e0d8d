// A session: one conversation that another program recorded, as one attempt of its agent.

import type { Transcript } from '../../model/agent.ts';

export type SessionFormat = 'atif' | 'claude' | 'codex' | 'otel';

/** What is known of a session before it is judged. */
export type Session = {
  /** As its program names it. */
  id: string;
  /** Other names that a case may have: the file, the conversation. */
  names: readonly string[];
  format: SessionFormat;
  agent: string;
  /** The first message of the user. */
  input?: string | undefined;
  /** The file, as people know it. */
  file: string;
  read(): Promise<RecordedSession>;
};

/** The content of a session. */
export type RecordedSession = {
  transcript: Transcript;
  /** Undefined if the recording has no times. */
  duration_ms?: number | undefined;
  /** Why the agent has no answer, if it failed. */
  error?: string | undefined;
};
