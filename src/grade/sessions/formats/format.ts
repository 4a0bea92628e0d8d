// The interface of a format of sessions.

import type { Session } from '../session.ts';
import type { Fields, SessionFile } from '../session-file.ts';

export type SessionReader = {
  /** For people: `a Claude Code session`. */
  title: string;
  /** True for a value that only files of this format have. */
  recognises(value: Fields): boolean;
  /** The sessions of a file; throws ConfigError with the line of what is damaged. */
  open(file: SessionFile): Promise<Session[]>;
};
