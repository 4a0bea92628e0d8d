import type { AssistantRun } from '../model/agent.ts';

/** A model is called only if there is something to tell it, or something it may use. */
export function callsModel({ prompts, presets, servers }: AssistantRun): boolean {
  return (prompts !== undefined && prompts.length > 0) || presets !== undefined || servers !== undefined;
}
