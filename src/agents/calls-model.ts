import type { AssistantRun } from '../model/agent.ts';

/** An assistant calls a model only if it has prompts or tools. */
export function callsModel({ prompts, presets, servers }: AssistantRun): boolean {
  return (prompts !== undefined && prompts.length > 0) || presets !== undefined || servers !== undefined;
}
