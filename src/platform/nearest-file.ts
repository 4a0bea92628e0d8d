// "Did you mean …" for files and folders: stricter than for words, because a wrong guess sends people to a wrong file.

import type { Dirent } from 'node:fs';
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { editsBetween } from '../text/nearest.ts';
import { displayPath } from './paths.ts';

/** The hint for a path that leads nowhere, or nothing if no file is like it: `did you mean "tests/a.jsonl"?`. */
export function didYouMeanFile(path: string, cwd: string): string | undefined {
  const found = nearestFile(path);
  return found === undefined ? undefined : `did you mean ${JSON.stringify(displayPath(found, cwd))}?`;
}

/** The existing file or folder that a path most likely means: in its own folder, in a folder of a like name, or one below. */
function nearestFile(path: string): string | undefined {
  const folder = dirname(path);
  if (folder === path) return undefined;
  const name = basename(path);
  const entries = entriesOf(folder);
  if (entries === undefined) {
    const other = nearestFile(folder);
    const names = other === undefined ? undefined : entriesOf(other)?.map((entry) => entry.name);
    const best = names?.includes(name) === true ? name : nearestName(name, names ?? []);
    return other === undefined || best === undefined ? undefined : join(other, best);
  }
  const best = nearestName(
    name,
    entries.map((entry) => entry.name),
  );
  if (best !== undefined) return join(folder, best);
  const below = entries.find(
    (entry) => entry.isDirectory() && isSeen(entry.name) && existsSync(join(folder, entry.name, name)),
  );
  return below === undefined ? undefined : join(folder, below.name, name);
}

/** The one of some file names that is most like another one, if at most a third of its letters differ. */
export function nearestName(name: string, others: readonly string[]): string | undefined {
  let best: { name: string; edits: number } | undefined;
  for (const other of others) {
    if (!isSeen(other) || !isClose(name, other)) continue;
    const edits = editsBetween(name, other);
    if (best === undefined || edits < best.edits) best = { name: other, edits };
  }
  return best?.name;
}

/** An ending that both share says nothing, so that the rest must be alike. */
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

/** Hidden files and installed packages are nobody's input. */
function isSeen(name: string): boolean {
  return !name.startsWith('.') && name !== 'node_modules';
}

function entriesOf(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
}
