// Removes the frames of Node and Assay from stack traces of user code.

import { fileURLToPath } from 'node:url';

/** The folder of Assay's code: this folder in the build, its parent in the sources. */
const PROGRAM = new URL(import.meta.url.endsWith('.ts') ? '..' : '.', import.meta.url);
const OWN = [fileURLToPath(PROGRAM), PROGRAM.href];

/** Drops frames of Node, and the first frame of Assay with all frames after it. */
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
    // A frozen error keeps its frames.
  }
}

function isFrame(line: string): boolean {
  return line.startsWith('    at ');
}

function isOfNode(line: string): boolean {
  return /[( ]node:|<anonymous>\)?$/.test(line);
}
