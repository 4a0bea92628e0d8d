// Names of files and folders in, a run log or files of sessions out.

import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { homedir } from 'node:os';
import type { Problem } from '../errors.ts';
import { ConfigError } from '../errors.ts';
import { isRunLogFile } from '../log/is-run-log.ts';
import { statsOf } from '../platform/file-stats.ts';
import { didYouMeanFile } from '../platform/nearest-file.ts';
import { displayPath } from '../platform/paths.ts';
import { quote } from '../text/quote.ts';

/** A file; one that was found in a folder may turn out to be something else. */
export type FoundFile = { path: string; name: string; isNamed: boolean };

export type FoundRecordings = { log: string } | { sessions: FoundFile[] };

const RECORDING = /\.(?:jsonl?|ndjson)$/i;
const OTHER_FILES = /^(?:package(?:-lock)?|tsconfig.*|sessions-index|result|config)\.json$/i;

/** Throws ConfigError with all names that lead to nothing. */
export function findRecordings(names: readonly string[], cwd: string): FoundRecordings {
  const problems: Problem[] = [];
  const files: FoundFile[] = [];
  const seen = new Set<string>();
  for (const name of names) {
    const path = resolve(cwd, name.replace(/^~(?=\/)/, homedir()));
    for (const file of filesAt(name, path, cwd, problems)) {
      if (!seen.has(file.path)) files.push(file);
      seen.add(file.path);
    }
  }
  if (problems.length > 0) throw ConfigError.of(problems);
  // Folders of sessions may have logs of runs beside them.
  const logs = files.filter(({ path, isNamed }) => isNamed && isRunLogFile(path));
  const [log] = logs;
  if (log === undefined) return { sessions: files };
  if (files.length === 1) return { log: log.path };
  throw new ConfigError(
    logs.length > 1
      ? 'several run logs cannot be graded at once'
      : `${quote(log.name)} is a run log, which is graded by itself`,
    { hint: 'grade them one after the other; the logs can be compared with assay compare' },
  );
}

function filesAt(name: string, path: string, cwd: string, problems: Problem[]): FoundFile[] {
  const stats = statsOf(path);
  if (stats?.isFile() === true) return [{ path, name: displayPath(path, cwd), isNamed: true }];
  if (stats?.isDirectory() === true) {
    const found = recordingsBelow(path);
    if (found.length === 0) problems.push({ message: `folder ${quote(name)} has no .jsonl or .json files` });
    return found.map((file) => ({ path: file, name: displayPath(file, cwd), isNamed: false }));
  }
  problems.push(
    stats === undefined
      ? {
          message: `${quote(name)} does not exist`,
          hint: didYouMeanFile(path, cwd) ?? 'give a run log, or files or folders of sessions',
        }
      : { message: `${quote(name)} is not a file`, hint: 'write what a pipe gives into a file first' },
  );
  return [];
}

/** Folders are sorted, so that sessions have the same order everywhere. */
function recordingsBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory())
        return entry.name === 'node_modules' || entry.name === '.assay' ? [] : recordingsBelow(path);
      return entry.isFile() && RECORDING.test(entry.name) && !OTHER_FILES.test(entry.name) ? [path] : [];
    });
}
