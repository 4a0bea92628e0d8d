// Formats an error of a test file for users: the message, and the location in their files.

import { fileURLToPath } from 'node:url';
import { displayPath } from '../../platform/paths.ts';
import type { Thrown } from './messages.ts';

/** `    at test (file:///tests/a.tests.mjs:3:7)` */
const FRAME = /^ {4}at (?:.*? \(|async )?((?:file:\/\/)?\/.*?)(:\d+:\d+)\)?$/;
/** The stack of some syntax errors begins with their location. */
const FIRST_LINE = /^((?:file:\/\/)?\/.*?)(:\d+)$/;

/** The message, the messages of the causes, and the first location in the user's code. */
export function errorText(
  thrown: Thrown,
  { cwd, runner, location }: { cwd: string; runner: string; location?: string },
): string {
  const { name, message, causes = [] } = thrown;
  const title = name === undefined ? message : `${name}: ${message}`;
  const at = location ?? findLocation(thrown, cwd, runner);
  return [
    title === '' ? 'an error without a message' : title,
    ...causes.map((cause) => `    caused by: ${cause}`),
    ...(at === undefined ? [] : [`    at ${at}`]),
  ].join('\n');
}

/** The first location outside Node, the runner and, if possible, packages. */
function findLocation({ stack = '' }: Thrown, cwd: string, runner: string): string | undefined {
  const lines = stack.split('\n');
  const [, name, line] = FIRST_LINE.exec(lines[0] ?? '') ?? [];
  if (name !== undefined && line !== undefined) return displayPath(toPath(name), cwd) + line;
  const frames = lines
    .map((line) => FRAME.exec(line))
    .map((match) => ({ file: toPath(match?.[1] ?? ''), position: match?.[2] ?? '' }))
    .filter(({ file }) => file !== '' && file !== runner);
  const frame = frames.find(({ file }) => !file.includes('/node_modules/')) ?? frames[0];
  return frame === undefined ? undefined : displayPath(frame.file, cwd) + frame.position;
}

function toPath(name: string): string {
  try {
    return name.startsWith('file:') ? fileURLToPath(name) : name;
  } catch {
    return name;
  }
}
