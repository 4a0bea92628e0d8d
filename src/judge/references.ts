// The agents, connectors and scripts that assertions refer to.

import type { Assertion } from '../model/case.ts';
import { isSelection } from './assertions/select-best.ts';
import { connectorName } from './connector-name.ts';
import { isName } from './fields.ts';
import { listLeaves } from './inner-assertions.ts';
import { transformFunction } from './transform.ts';

/** Names as written in the assertions, without duplicates: an agent may be `agents:<id>` or `<id>`. */
export type References = {
  agents: string[];
  connectors: string[];
  /** Connectors to embedding models. */
  embedders: string[];
  scripts: string[];
  /** Programs with their arguments, each as JSON. */
  commands: string[];
};

/** Collects the references of a list of assertions. */
export function collectReferences(assertions: readonly Assertion[]): References {
  const agents = new Set<string>();
  const connectors = new Set<string>();
  const embedders = new Set<string>();
  const scripts = new Set<string>();
  const commands = new Set<string>();
  const add = (names: Set<string>, name: unknown): void => {
    if (isName(name)) names.add(name);
  };

  const leaves = listLeaves(assertions);
  for (const assertion of leaves) {
    if (assertion.type === 'script') add(scripts, assertion.script);
    if (assertion.type === 'command') add(commands, JSON.stringify(assertion.value));
    const isAsked = assertion.type === 'agent' || isSelection(assertion);
    if (isAsked) add(agents, assertion['use']);
    if (isAsked) add(connectors, connectorName(assertion));
    if (assertion.type === 'similar') add(embedders, connectorName(assertion));
  }
  for (const { transform } of [...assertions, ...leaves]) add(scripts, transformFunction(transform));
  return {
    agents: [...agents],
    connectors: [...connectors],
    embedders: [...embedders],
    scripts: [...scripts],
    commands: [...commands],
  };
}
