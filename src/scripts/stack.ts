// Stack traces of users' code, without the frames that are not theirs.

import { fileURLToPath } from 'node:url';

/** The folder with all code of this program: the built files lie side by side, the sources one level up. */
const PROGRAM = new URL(import.meta.url.endsWith('.ts') ? '..' : '.', import.meta.url);
const OWN = [fileURLToPath(PROGRAM), PROGRAM.href];

/** Drops the frames of Node, and those of this program with whatever called it, from an error of user code. */
export function trimStack(error: Error): void {
  const { stack } = error;
  if (typeof stack !== 'string' || !stack.includes('\n    at ')) return;
  const lines = stack.split('\n');
  const end = lines.findIndex((line) => isFrame(line) && OWN.some((place) => line.includes(place)));
  const kept = lines
    .slice(0, end === -1 ? undefined : end)
    .filter((line) => !isFrame(line) || !isOfNode(line));
  try {
    error.stack = kept.join('\n');
  } catch {
    // A frozen error keeps all of its frames.
  }
}

function isFrame(line: string): boolean {
  return line.startsWith('    at ');
}

function isOfNode(line: string): boolean {
  return /[( ]node:|<anonymous>\)?$/.test(line);
}
