// The formats of sessions. A new one is a file beside this one and a line here.

import type { SessionFormat } from '../session.ts';
import { atif } from './atif.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import type { SessionReader } from './format.ts';
import { otel } from './otel.ts';

export const SESSION_FORMATS: Record<SessionFormat, SessionReader> = { atif, claude, codex, otel };
