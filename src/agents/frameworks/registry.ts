// The frameworks whose agents are recognised, one line each.

import { aiSdk } from './ai-sdk.ts';
import type { Framework } from './framework.ts';
import { langChain } from './langchain.ts';
import { mastra } from './mastra.ts';
import { openAiAgents } from './openai-agents.ts';

export const FRAMEWORKS: Record<string, Framework> = {
  'ai-sdk': aiSdk,
  langchain: langChain,
  mastra,
  'openai-agents': openAiAgents,
};
