// Files in, the sessions in them out. The content of a file decides its format, not its name.

import type { Problem } from '../../errors.ts';
import { collectProblems, ConfigError } from '../../errors.ts';
import { beginsRunLog, readHead } from '../../log/is-run-log.ts';
import type { FoundFile } from '../find-recordings.ts';
import type { SessionReader } from './formats/format.ts';
import { SESSION_FORMATS } from './formats/registry.ts';
import type { Session } from './session.ts';
import { SessionFile } from './session-file.ts';

/** A file begins with at most this many lines that several formats could have. */
const LOOKED_AT = 200;
const MOST_NAMED = 5;
const EXPECTED =
  'expected a run log of assay, OpenTelemetry traces (OTLP/JSON), a Claude Code or Codex session, or an ATIF trajectory';

/** Throws ConfigError with everything that is wrong with the files. */
export async function openSessions(
  files: readonly FoundFile[],
  warn: (text: string) => void,
): Promise<Session[]> {
  const problems: Problem[] = [];
  const others: string[] = [];
  const sessions: Session[] = [];
  for (const { path, name, isNamed } of files) {
    const file = new SessionFile(path, name, warn);
    const isFound = await collectProblems(problems, async () => {
      const reader = await findFormat(file, isNamed);
      if (reader === undefined) return others.push(name);
      for (const session of await reader.open(file)) sessions.push(session);
      return true;
    });
    // More problems than anyone reads.
    if (isFound === undefined && problems.length > 100) break;
  }
  if (problems.length > 0) throw ConfigError.of(problems);
  if (sessions.length === 0)
    throw new ConfigError(`none of ${files.length} files has a recorded session`, { hint: EXPECTED });
  if (others.length > 0) {
    const more = others.length > MOST_NAMED ? ` and ${others.length - MOST_NAMED} more` : '';
    warn(`left out, because they are no recordings: ${others.slice(0, MOST_NAMED).join(', ')}${more}`);
  }
  return sessions;
}

/** Undefined for a file of a folder that is no recording; throws ConfigError for one that was named. */
async function findFormat(file: SessionFile, isNamed: boolean): Promise<SessionReader | undefined> {
  const readers = Object.values(SESSION_FORMATS);
  let looked = 0;
  try {
    for await (const { value } of file.values()) {
      const reader = readers.find((one) => one.recognises(value));
      if (reader !== undefined) return reader;
      looked += 1;
      if (looked >= LOOKED_AT) break;
    }
  } catch (error) {
    if (!(error instanceof ConfigError) || isNamed) throw error;
    return undefined;
  }
  if (!isNamed || beginsRunLog(readHead(file.path))) return undefined;
  const isCases = readHead(file.path).includes('"input"');
  throw file.problem(
    1,
    'is no recording that is known',
    isCases ? `case files are given with -i; ${EXPECTED}` : EXPECTED,
  );
}
