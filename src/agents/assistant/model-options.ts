// Who decides about a model's options: create hook and case > variables > package.yao > connector > the type of the test.

import type { AgentDefinition } from '../../model/agent.ts';
import type { Connector } from '../../model/connector.ts';

type Options = Record<string, unknown>;

/** Two options limit the length of an answer: who sets one does not want the other, which somebody else had set. */
const LIMITS = ['max_tokens', 'max_completion_tokens'];

/** The options of a call; those of the connector are added to them by the call itself. `said`: by the case, then by a hook. */
export function modelOptions(
  { options = {}, chosen, defaults }: AgentDefinition,
  connector: Pick<Connector, 'options'>,
  said: Options,
): Options {
  if (chosen === undefined && defaults === undefined) return { ...options, ...said };
  const own = over(options, chosen?.options ?? {});
  const isOpen = (name: string): boolean =>
    namesOf(name).every((other) => own[other] === undefined && connector.options?.[other] === undefined);
  const gaps = Object.entries(defaults?.options ?? {}).filter(([name]) => isOpen(name));
  return inWordsOf(connector.options ?? {}, over({ ...Object.fromEntries(gaps), ...own }, said));
}

function over(before: Options, options: Options): Options {
  const isLimited = LIMITS.some((name) => options[name] !== undefined);
  const kept = Object.entries(before).filter(([name]) => !isLimited || !LIMITS.includes(name));
  return { ...Object.fromEntries(kept), ...options };
}

/** The limit takes the place of the one that the connector has, whatever that is called. */
function inWordsOf(connector: Options, options: Options): Options {
  const renamed = Object.entries(options).map(([name, value]): [string, unknown] => {
    const other = namesOf(name).find((candidate) => connector[candidate] !== undefined);
    return [other ?? name, value];
  });
  return Object.fromEntries(renamed);
}

function namesOf(name: string): string[] {
  return LIMITS.includes(name) ? LIMITS : [name];
}
