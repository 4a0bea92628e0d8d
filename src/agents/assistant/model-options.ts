// Who decides about a model's options: create hook and case > variables > package.yao > connector > the type of the test.

import { isLimit, limitName, overOptions } from '../../connectors/token-limit.ts';
import type { AgentDefinition } from '../../model/agent.ts';
import type { Connector } from '../../model/connector.ts';

type Options = Record<string, unknown>;

/** The options of a call; those of the connector are added to them by the call itself. `said`: by the case, then by a hook. */
export function modelOptions(
  { options = {}, chosen, defaults }: AgentDefinition,
  connector: Pick<Connector, 'options'>,
  said: Options,
): Options {
  if (chosen === undefined && defaults === undefined) return overOptions(options, said);
  const own = overOptions(options, chosen?.options ?? {});
  const decided = { ...connector.options, ...own };
  const isLimited = limitName(decided) !== undefined;
  const isOpen = (name: string): boolean => (isLimit(name) ? !isLimited : decided[name] === undefined);
  const gaps = Object.entries(defaults?.options ?? {}).filter(([name]) => isOpen(name));
  return overOptions({ ...Object.fromEntries(gaps), ...own }, said);
}
