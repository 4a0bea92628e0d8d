import type { AssistantRun } from '../model/agent.ts';

/** An assistant calls a model only if it has prompts or tools. An empty list of prompts sends the messages of the case alone. */
export function callsModel({ prompts, presets, servers }: AssistantRun): boolean {
  return prompts !== undefined || presets !== undefined || servers !== undefined;
}
