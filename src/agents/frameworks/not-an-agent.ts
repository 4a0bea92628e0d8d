// Describes a default export that is not an agent.

import { MisconfiguredAgent } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import { displayPath } from '../../platform/paths.ts';
import { quote } from '../../text/quote.ts';
import { hasMethods, readField } from './framework.ts';
import { FRAMEWORKS } from './registry.ts';

const MAX_KEYS = 10;
const EXAMPLE = 'export default async (messages, ctx) => output';

export function noDefaultExport(namespace: object, file: string): MisconfiguredAgent {
  const names = Object.keys(namespace).filter((name) => name !== '__assay' && name !== 'module.exports');
  const others = names.length === 0 ? 'nothing' : names.join(', ');
  return new MisconfiguredAgent({
    message: `has no default export (it exports ${others})`,
    at: displayPath(file, process.cwd()),
    hint: `an agent is: ${EXAMPLE}`,
  });
}

/** `value` is neither a function nor an agent of a known framework. */
export function notAnAgent(value: unknown, file: string): MisconfiguredAgent {
  const titles = Object.values(FRAMEWORKS).map(({ title }) => title);
  return new MisconfiguredAgent({
    message:
      `the default export is ${describeValue(value)}; ` +
      `expected a function (messages, ctx) => output, or an agent of ${titles.join(', ')}`,
    at: displayPath(file, process.cwd()),
    hint: remedy(value),
  });
}

/** A value that was not expected, in words: its class and its keys. */
export function describeValue(value: unknown): string {
  if (typeof value === 'function') return value.name === '' ? 'a class' : `the class ${value.name}`;
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return `the text ${quote(value)}`;
  if (!isObject(value)) return value === null || value === undefined ? String(value) : `a ${typeof value}`;
  if (isGraph(value)) return 'a graph that is not compiled';
  const maker = readField(value, 'constructor');
  const name = typeof maker === 'function' && maker !== Object ? maker.name : '';
  const keys = Object.keys(value).map((key) => quote(key));
  const shown = `${keys.slice(0, MAX_KEYS).join(', ')}${keys.length > MAX_KEYS ? ', …' : ''}`;
  const has = keys.length === 0 ? 'without keys' : `with the key${keys.length === 1 ? '' : 's'} ${shown}`;
  return name === '' ? `an object ${has}` : `an object of the class ${name} ${has}`;
}

function remedy(value: unknown): string {
  if (isGraph(value)) return 'write: export default graph.compile()';
  if (typeof value === 'function')
    return `export a function that uses it: export default (messages) => new ${value.name || 'Agent'}().run(messages)`;
  return `write: ${EXAMPLE}`;
}

function isGraph(value: unknown): boolean {
  return hasMethods(value, 'compile', 'addNode');
}
