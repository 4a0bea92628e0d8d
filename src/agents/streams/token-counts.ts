import { isObject } from '../../json/is-object.ts';
import type { Usage } from '../../model/agent.ts';
import { isCount } from '../../model/spending.ts';

/** Reads token counts under the names of a protocol; undefined if none of them is a number. */
export function tokenCounts(holder: unknown, inputName: string, outputName: string): Usage | undefined {
  if (!isObject(holder)) return undefined;
  const { [inputName]: input, [outputName]: output } = holder;
  if (!isCount(input) && !isCount(output)) return undefined;
  return {
    ...(isCount(input) && { input_tokens: input }),
    ...(isCount(output) && { output_tokens: output }),
  };
}
