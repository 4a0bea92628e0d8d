// "Did you mean …" for files and folders; stricter than for words, because a wrong guess leads to a wrong file.

import type { Dirent } from 'node:fs';
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { editsBetween } from '../text/nearest.ts';
import { displayPath } from './paths.ts';

/** The hint for a path that does not exist: `did you mean "tests/a.jsonl"?`; undefined if no file is similar. */
export function didYouMeanFile(path: string, cwd: string): string | undefined {
  const found = nearestFile(path);
  return found === undefined ? undefined : `did you mean ${JSON.stringify(displayPath(found, cwd))}?`;
}

/** The most similar existing path: in the same folder, in a folder with a similar name, or one level below. */
function nearestFile(path: string): string | undefined {
  const folder = dirname(path);
  if (folder === path) return undefined;
  const name = basename(path);
  const entries = listFolder(folder);
  if (entries === undefined) {
    const other = nearestFile(folder);
    const names = other === undefined ? undefined : listFolder(other)?.map((entry) => entry.name);
    const best = names?.includes(name) === true ? name : nearestName(name, names ?? []);
    return other === undefined || best === undefined ? undefined : join(other, best);
  }
  const best = nearestName(
    name,
    entries.map((entry) => entry.name),
  );
  if (best !== undefined) return join(folder, best);
  const below = entries.find(
    (entry) => entry.isDirectory() && isVisible(entry.name) && existsSync(join(folder, entry.name, name)),
  );
  return below === undefined ? undefined : join(folder, below.name, name);
}

/** The most similar file name, if at most a third of its letters differ. */
export function nearestName(name: string, others: readonly string[]): string | undefined {
  let best: { name: string; edits: number } | undefined;
  for (const other of others) {
    if (!isVisible(other) || !isClose(name, other)) continue;
    const edits = editsBetween(name, other);
    if (best === undefined || edits < best.edits) best = { name: other, edits };
  }
  return best?.name;
}

/** Compares the names without a shared extension. */
function isClose(name: string, other: string): boolean {
  const [ending, otherEnding] = [extname(name), extname(other)];
  const stem = basename(name, ending).toLowerCase();
  const otherStem = basename(other, otherEnding).toLowerCase();
  if (ending === otherEnding) return editsBetween(stem, otherStem) <= allowedEdits(stem, otherStem);
  return (stem === otherStem && stem.length > 2) || editsBetween(name, other) <= Math.floor(name.length / 3);
}

function allowedEdits(a: string, b: string): number {
  const longer = Math.max(a.length, b.length);
  return longer < 2 ? 0 : Math.max(1, Math.floor(longer / 3));
}

/** Skips hidden files and installed packages. */
function isVisible(name: string): boolean {
  return !name.startsWith('.') && name !== 'node_modules';
}

function listFolder(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
}
