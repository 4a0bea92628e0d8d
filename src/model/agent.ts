// What can be tested, as plain data: ready to be sent to a worker, everything resolved.

import type { Message } from './case.ts';

/** How a module, folder, endpoint or program is run. Environment references are resolved; secrets are inside. */
export type AgentRun =
  /** A file with a default export. */
  | { type: 'module'; file: string }
  /** An assistant folder; `hooks` is its `src/index.ts`. */
  | { type: 'assistant'; folder: string; hooks: string }
  | { type: 'http'; http: HttpRun }
  /** A program: request on stdin, answer on stdout, started in `cwd`. */
  | { type: 'command'; command: string[]; cwd: string; env?: Record<string, string> };

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

export type AgentDefinition = {
  id: string;
  name?: string;
  description?: string;
  /** The connector asked for by package.yao or `-c`. */
  connector?: string;
  options?: Record<string, unknown>;
  run: AgentRun;
};

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
  messages?: Message[];
  /** stderr of a command, lines a hook logged. */
  logs?: string[];
};
