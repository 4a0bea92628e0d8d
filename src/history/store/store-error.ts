// Turns database errors into errors with a reason and a hint.

import { ConfigError, messageOf, RuntimeError } from '../../errors.ts';

/**
 * Why the history cannot be used. `locked`: another program holds it. `lost`: it cannot be reached. `behind`: it is too slow
 * for the results of the run.
 */
export type StoreReason =
  'behind' | 'closed' | 'corrupt' | 'denied' | 'full' | 'locked' | 'lost' | 'other' | 'read-only';

const IMPORT = 'the run log is complete: import it once the history works again';

const WORDS: Record<StoreReason, { what: string; hint: string }> = {
  behind: { what: 'does not keep up with the run', hint: IMPORT },
  closed: { what: 'is closed', hint: 'open it again' },
  corrupt: {
    what: 'is damaged or not a database of Assay',
    hint: 'move the file away; a new history is started, and run logs can be imported into it',
  },
  denied: { what: 'refuses access', hint: 'check user, password and rights' },
  full: { what: 'has no space left', hint: `free some space, or prune old runs; ${IMPORT}` },
  locked: {
    what: 'is locked by another program',
    hint: `end the program that holds it, or try again; ${IMPORT}`,
  },
  lost: { what: 'cannot be reached', hint: `check that it is there and running; ${IMPORT}` },
  other: { what: 'failed', hint: IMPORT },
  'read-only': { what: 'is read-only', hint: `give this user the right to write to it; ${IMPORT}` },
};

/** The history cannot be read or written; the run itself is not affected. */
export class StoreError extends RuntimeError {
  readonly reason: StoreReason;

  constructor(reason: StoreReason, place: string, options: { cause?: unknown; detail?: string } = {}) {
    const { what, hint } = WORDS[reason];
    const detail = options.detail ?? (options.cause === undefined ? undefined : messageOf(options.cause));
    super(`the history ${place} ${what}${detail === undefined ? '' : `: ${detail}`}`, {
      hint,
      cause: options.cause,
    });
    this.reason = reason;
  }
}

/** Wraps a database error with its reason; a StoreError or ConfigError stays unchanged. */
export function toStoreError(place: string, cause: unknown): StoreError | ConfigError {
  if (cause instanceof StoreError || cause instanceof ConfigError) return cause;
  return new StoreError(findReason(cause), place, { cause });
}

/** The low byte of SQLite's result codes: https://sqlite.org/rescode.html. */
const SQLITE_REASONS: Record<number, StoreReason> = {
  3: 'denied',
  5: 'locked',
  6: 'locked',
  8: 'read-only',
  10: 'lost',
  11: 'corrupt',
  13: 'full',
  14: 'lost',
  23: 'denied',
  26: 'corrupt',
};

/** Prefixes of error codes of PostgreSQL and sockets, longest first. */
const OTHER_REASONS: readonly [string, StoreReason][] = [
  ['25006', 'read-only'],
  ['40001', 'locked'],
  ['40P01', 'locked'],
  ['42501', 'denied'],
  ['53100', 'full'],
  ['53300', 'locked'],
  ['55P03', 'locked'],
  ['57014', 'locked'],
  ['3D000', 'lost'],
  ['57P', 'lost'],
  ['XX', 'corrupt'],
  ['08', 'lost'],
  ['28', 'denied'],
  ['53', 'full'],
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EROFS', 'read-only'],
  ['EACCES', 'denied'],
  ['EPERM', 'denied'],
  ['ECONN', 'lost'],
  ['ENOTFOUND', 'lost'],
  ['ENOTDIR', 'lost'],
  ['ENOENT', 'lost'],
  ['EEXIST', 'lost'],
  ['EAI_', 'lost'],
  ['EHOST', 'lost'],
  ['ENET', 'lost'],
  ['EPIPE', 'lost'],
  ['ETIMEDOUT', 'lost'],
];

/** Messages of errors without a code. */
const MESSAGES: readonly [RegExp, StoreReason][] = [
  [/already been destroyed|database is not open|after calling end on the pool/i, 'closed'],
  [/disk image is malformed|not a database/i, 'corrupt'],
  [/disk is full/i, 'full'],
  [/database (table )?is locked/i, 'locked'],
  [/readonly database/i, 'read-only'],
  [/disk i\/o error|unable to open database/i, 'lost'],
  [
    /connection terminated|query read timeout|timeout exceeded when trying to connect|connection error/i,
    'lost',
  ],
];

function findReason(cause: unknown): StoreReason {
  if (!(cause instanceof Error)) return 'other';
  // Safe: any error may have these fields, and both are checked.
  const { errcode, code } = cause as { errcode?: unknown; code?: unknown };
  if (typeof errcode === 'number') return SQLITE_REASONS[errcode & 0xff] ?? 'other';
  const byCode = OTHER_REASONS.find(([start]) => typeof code === 'string' && code.startsWith(start));
  if (byCode !== undefined) return byCode[1];
  return MESSAGES.find(([message]) => message.test(cause.message))?.[1] ?? 'other';
}
