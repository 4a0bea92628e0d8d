// An agent, as plain data: ready to be sent to a worker, everything resolved.

import type { Message } from './case.ts';
import type { ToolServer } from './tool-server.ts';

/** How a module, folder, endpoint or program is run. Environment references are resolved; secrets are inside. */
export type AgentRun =
  /** A file with a default export. */
  | { type: 'module'; file: string }
  | AssistantRun
  | { type: 'http'; http: HttpRun }
  /** An endpoint of the Agent2Agent protocol. */
  | { type: 'a2a'; a2a: A2aRun }
  /** A program: request on stdin, answer on stdout, started in `cwd`. */
  | { type: 'command'; command: string[]; cwd: string; env?: Record<string, string> };

/** A message of `prompts.yml`; its variables are filled in when it is used. */
export type Prompt = { role: string; content: string; name?: string };

/** An assistant folder. It calls a model if it has prompts or tools. */
export type AssistantRun = {
  type: 'assistant';
  folder: string;
  /** `src/index.ts`. */
  hooks?: string;
  /** Those of the application, which come first unless a hook disables them. */
  global_prompts?: Prompt[];
  prompts?: Prompt[];
  /** Other sets of prompts by name: `chat.friendly`. */
  presets?: Record<string, Prompt[]>;
  servers?: ToolServer[];
  /** Whether results of tools go back to the model, and how often. */
  tool_loop: boolean;
  max_turn: number;
  /** It calls synchronous globals, so that a worker can take only one attempt at a time. */
  is_blocking?: true;
};

export type HttpRun = {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  /** Template: `{{messages}}`, `{{input}}`, `{{context.user_id}}` … */
  body?: unknown;
  /** JSONPath of the output in a JSON answer. */
  output?: string;
  /** JSONPath of the tool calls in a JSON answer. */
  tool_calls?: string;
  /** JSONPath of the token counts in a JSON answer. */
  usage?: string;
};

export type A2aRun = {
  /** Where the agent's card is, or below which it is. */
  url: string;
  headers?: Record<string, string>;
};

export type AgentDefinition = {
  id: string;
  name?: string;
  description?: string;
  /** The connector of package.yao. */
  connector?: string;
  /** The connector of `-c`. Only a hook wins over it. */
  forced_connector?: string;
  /** Choices of variables that the run, suite or test sets. They win over package.yao; the case wins over them. */
  chosen?: ModelChoice;
  /** Defaults of the type's variables. Everything else wins over them, also the connector. */
  defaults?: ModelChoice;
  options?: Record<string, unknown>;
  run: AgentRun;
};

/** The choices of variables for model calls. */
type ModelChoice = { connector?: string; options: Record<string, unknown> };

/** A tool call an agent made. */
export type ToolCall = {
  name: string;
  arguments?: unknown;
  result?: unknown;
  error?: string;
  duration_ms?: number;
};

export type Usage = { input_tokens?: number; output_tokens?: number };

/** Everything an agent did on one attempt; what judges look at. */
export type Transcript = {
  output: unknown;
  tool_calls?: ToolCall[];
  usage?: Usage;
  cost_usd?: number | null;
  /** From the request to the first piece of the model's first answer. */
  first_token_ms?: number;
  messages?: Message[];
  /** stderr of a command, lines a hook logged. */
  logs?: string[];
};
