// A provider of promptfoo, read; and what becomes of it.

import type { Losses } from '../losses.ts';
import type { OutputFiles } from '../output/output-files.ts';
import type { Folders } from '../source/files.ts';

/** A provider as it is written: `openai:gpt-4o`, or an object. */
export type GivenProvider = {
  id: string;
  label: string | undefined;
  config: Record<string, unknown>;
  /** Labels of the prompts that it gets; all if undefined. */
  prompts: string[] | undefined;
  transform: unknown;
  at: string;
};

/** A model is reached through a connector; everything else is an agent of its own. */
export type Target =
  | { type: 'connector'; connector: string; name: string; tools: Tool[] }
  | { type: 'agent'; agent: string; name: string; usesVariables: boolean; isStructured: boolean };

export type Tool = { name: string; description: string | undefined; parameters: Record<string, unknown> };

export type ProviderContext = {
  losses: Losses;
  folders: Folders;
  files: OutputFiles;
  /** Names that are taken, for connectors and agents. */
  taken: Set<string>;
  /** True if all prompts are chats: then a provider of promptfoo gets the messages as JSON. */
  isChat: boolean;
  /** Connectors by what is in their files, for models that only judge. */
  connectors: Map<string, string>;
};
