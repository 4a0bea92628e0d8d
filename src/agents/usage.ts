// Token counts that an agent tells of itself.

import type { Usage } from '../model/agent.ts';
import { isCount } from '../model/spending.ts';
import { isObject } from '../platform/is-object.ts';

/** Token counts in our form or in that of a common service; what is no count is left out. */
export function toUsage(item: unknown): Usage | undefined {
  if (!isObject(item)) return undefined;
  const input = item['input_tokens'] ?? item['prompt_tokens'];
  const output = item['output_tokens'] ?? item['completion_tokens'];
  const usage: Usage = {
    ...(isCount(input) && { input_tokens: input }),
    ...(isCount(output) && { output_tokens: output }),
  };
  return Object.keys(usage).length === 0 ? undefined : usage;
}
