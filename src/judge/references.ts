// What assertions point at outside their case.

import type { Assertion } from '../model/case.ts';
import { isObject } from '../json/is-object.ts';
import { isName } from './field-checks.ts';

/** Names as they are written, each once: an agent may be `agents:<id>` or `<id>`. */
export type References = {
  agents: string[];
  connectors: string[];
  /** Connectors to models that give vectors. */
  embedders: string[];
  scripts: string[];
};

/** The agents, connectors and scripts that a list of assertions needs. */
export function referencesOf(assertions: readonly Assertion[]): References {
  const agents = new Set<string>();
  const connectors = new Set<string>();
  const embedders = new Set<string>();
  const scripts = new Set<string>();
  const add = (names: Set<string>, name: unknown): void => {
    if (isName(name)) names.add(name);
  };

  for (const assertion of assertions) {
    if (assertion.type === 'script') add(scripts, assertion.script);
    if (assertion.type === 'agent') add(agents, assertion['use']);
    if (assertion.type === 'agent') add(connectors, connectorOf(assertion));
    if (assertion.type === 'similar') add(embedders, connectorOf(assertion));
  }
  return {
    agents: [...agents],
    connectors: [...connectors],
    embedders: [...embedders],
    scripts: [...scripts],
  };
}

/** The connector of an assertion: its own field, else that of its options. */
export function connectorOf({ connector, options }: Assertion): string | undefined {
  const named = connector ?? (isObject(options) ? options['connector'] : undefined);
  return isName(named) ? named : undefined;
}
