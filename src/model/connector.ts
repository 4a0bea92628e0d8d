// How an assistant reaches a model, as plain data with its secrets filled in; it never leaves the machine.

export type ConnectorType = 'anthropic' | 'google' | 'module' | 'openai';

export type Connector = {
  /** Dotted path of its file below `connectors/`: `openai.gpt-4o`. */
  id: string;
  type: ConnectorType;
  /** The name the model has at its provider; for a module its id. */
  model: string;
  key?: string;
  /** Base address, without a slash at the end: `https://api.example.com/v1`. */
  url?: string;
  headers?: Record<string, string>;
  /** The file of a module connector, absolute. */
  file?: string;
  /** Defaults of every call: temperature, max_tokens … */
  options?: Record<string, unknown>;
  /** Calls at the same time. */
  concurrency?: number;
  /** US dollars per million tokens, where the price table does not know the model. */
  price?: { input: number; output: number };
};
