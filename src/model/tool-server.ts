// The tool servers of an assistant, as plain data.

/** A function of an assistant that is offered as a tool. */
export type ProcessTool = {
  name: string;
  /** `agents.calc.tools.Add` or `scripts.math.Add`. */
  process: string;
  description?: string;
  /** JSON Schema of its arguments. */
  parameters: Record<string, unknown>;
  /** The arguments to pass: `:arguments` is the whole object, `$args.field` one of them; anything else is passed as it is. */
  args: unknown[];
};

/** The connection to the server. */
export type ToolTransport =
  | { transport: 'process'; functions: ProcessTool[] }
  | { transport: 'stdio'; command: string; arguments: string[]; env: Record<string, string>; cwd: string }
  | { transport: 'http'; url: string; headers: Record<string, string> };

export type ToolServer = {
  /** `agents.calc.math`, or `math` for a server of the application. */
  id: string;
  /** The only tools to offer; all of them if it is missing. */
  only?: string[];
} & ToolTransport;
