// What a test file threw, as a person wants to read it: the message, and the place in a file of theirs.

import { fileURLToPath } from 'node:url';
import { displayPath } from '../../platform/paths.ts';
import type { Thrown } from './messages.ts';

/** `    at test (file:///tests/a.tests.mjs:3:7)` */
const FRAME = /^ {4}at (?:.*? \(|async )?((?:file:\/\/)?\/.*?)(:\d+:\d+)\)?$/;
/** Some errors of syntax begin with their place. */
const FIRST_LINE = /^((?:file:\/\/)?\/.*?)(:\d+)$/;

/** The message, the messages of the causes, and the first place in the user's code. */
export function errorText(
  thrown: Thrown,
  { cwd, runner, place }: { cwd: string; runner: string; place?: string },
): string {
  const { name, message, causes = [] } = thrown;
  const title = name === undefined ? message : `${name}: ${message}`;
  const at = place ?? placeOf(thrown, cwd, runner);
  return [
    title === '' ? 'an error without a message' : title,
    ...causes.map((cause) => `    caused by: ${cause}`),
    ...(at === undefined ? [] : [`    at ${at}`]),
  ].join('\n');
}

/** The first place outside of Node, of the runner and, if possible, of packages. */
function placeOf({ stack = '' }: Thrown, cwd: string, runner: string): string | undefined {
  const lines = stack.split('\n');
  const [, name, line] = FIRST_LINE.exec(lines[0] ?? '') ?? [];
  if (name !== undefined && line !== undefined) return displayPath(pathOf(name), cwd) + line;
  const places = lines
    .map((line) => FRAME.exec(line))
    .map((match) => ({ file: pathOf(match?.[1] ?? ''), position: match?.[2] ?? '' }))
    .filter(({ file }) => file !== '' && file !== runner);
  const place = places.find(({ file }) => !file.includes('/node_modules/')) ?? places[0];
  return place === undefined ? undefined : displayPath(place.file, cwd) + place.position;
}

function pathOf(name: string): string {
  try {
    return name.startsWith('file:') ? fileURLToPath(name) : name;
  } catch {
    return name;
  }
}
