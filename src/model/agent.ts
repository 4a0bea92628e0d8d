// An agent, as plain data: ready to be sent to a worker, everything resolved.

import type { Message } from './case.ts';
import type { ToolServer } from './tool-server.ts';

/** How a module, folder, endpoint or program is run. Environment references are resolved; secrets are inside. */
export type AgentRun =
  /** A function, or an agent of a framework, of the program that started the run. */
  | { type: 'function' }
  /** A file with a default export. */
  | { type: 'module'; file: string }
  /** A function of a Python file. */
  | { type: 'python'; file: string; function: string; interpreter: string }
  | AssistantRun
  | { type: 'http'; http: HttpRun }
  /** An endpoint of the Agent2Agent protocol. */
  | { type: 'a2a'; a2a: A2aRun }
  /** A program: request on stdin, answer on stdout, started in `cwd`. */
  | { type: 'command'; command: string[]; cwd: string; env?: Record<string, string> }
  /** Its answers were recorded earlier, and are judged without running it. */
  | { type: 'recorded' };

/** A message of `prompts.yml`; its variables are filled in when it is used. */
export type Prompt = {
  role: string;
  content: string;
  name?: string;
  /** The problem of a preset with an environment variable that is not set. */
  unset?: string;
};

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
  /** `uses.search` of its package.yao: what searches for its hooks. */
  search?: string;
  /** Its package.yao has a `sandbox`. */
  has_sandbox?: true;
  /** It calls synchronous globals, so that a worker can take only one attempt at a time. */
  is_blocking?: true;
};

/** Protocols of endpoints that expect messages in a form of their own. */
export const HTTP_FORMATS = ['ag-ui', 'ai-sdk-ui'] as const;

export type HttpFormat = (typeof HTTP_FORMATS)[number];

export type HttpRun = {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  /** The protocol of the endpoint: it decides the body, unless there is one. */
  format?: HttpFormat;
  /** Template: `{{messages}}`, `{{input}}`, `{{context.user_id}}` … With a `format`, fields to add. */
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

/** A message that a hook sent to the user, as the user sees it at the end. A text is `{type: 'text', props: {content}}`. */
export type SentMessage = {
  /** `M1`, `M2` … */
  id: string;
  type: string;
  props: Record<string, unknown>;
  block_id?: string;
  [field: string]: unknown;
};

/** A step that a hook traced, with what it traced inside it. */
export type TraceStep = {
  label?: string;
  type?: string;
  icon?: string;
  description?: string;
  status: 'running' | 'completed' | 'failed';
  input?: unknown;
  output?: unknown;
  error?: string;
  metadata?: Record<string, unknown>;
  children?: TraceEntry[];
};

/** A step, or a line of a hook's trace. */
export type TraceEntry = TraceStep | { level: 'info' | 'debug' | 'warn' | 'error'; message: string };

/** Everything an agent did on one attempt; what judges look at. */
export type Transcript = {
  output: unknown;
  tool_calls?: ToolCall[];
  usage?: Usage;
  cost_usd?: number | null;
  /** From the request to the first piece of the model's first answer. */
  first_token_ms?: number;
  messages?: Message[];
  /** What hooks sent to the user, beside the answer. */
  sent_messages?: SentMessage[];
  /** What hooks traced. */
  trace?: TraceEntry[];
  /** The `metadata` that the hook Next returned. */
  answer_metadata?: Record<string, unknown>;
  /** stderr of a command, lines a hook logged. */
  logs?: string[];
};
