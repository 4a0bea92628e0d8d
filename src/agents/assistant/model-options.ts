// Precedence of model options: Create hook and case > variables > package.yao > connector > the kind of test.

import { isLimit, limitName, overrideOptions } from '../../connectors/token-limit.ts';
import type { AgentDefinition } from '../../model/agent.ts';
import type { Connector } from '../../model/connector.ts';

type Options = Record<string, unknown>;

/** The options of a model call, without those of the connector. `overrides` come from the case and the Create hook. */
export function modelOptions(
  { options = {}, chosen, defaults }: AgentDefinition,
  connector: Pick<Connector, 'options'>,
  overrides: Options,
): Options {
  if (chosen === undefined && defaults === undefined) return overrideOptions(options, overrides);
  const own = overrideOptions(options, chosen?.options ?? {});
  const decided = { ...connector.options, ...own };
  const isLimited = limitName(decided) !== undefined;
  const isOpen = (name: string): boolean => (isLimit(name) ? !isLimited : decided[name] === undefined);
  const gaps = Object.entries(defaults?.options ?? {}).filter(([name]) => isOpen(name));
  return overrideOptions({ ...Object.fromEntries(gaps), ...own }, overrides);
}
