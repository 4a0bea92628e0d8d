// Test cases as users write them.

/** A piece of a message. A part may name a local file in `source` (`file://…`). */
export type ContentPart = { type: string; source?: unknown; [key: string]: unknown };

export type Message = {
  role: string;
  content: string | ContentPart[] | null;
  name?: string;
  [key: string]: unknown;
};

/** The forms `input` may take: text, a message, a conversation, or the content parts of one message. */
export type CaseInput = string | Message | ContentPart | Message[] | ContentPart[];

export type Assertion = {
  type: string;
  value?: unknown;
  path?: string;
  script?: string;
  message?: string;
  negate?: boolean;
  /** Judges what hooks sent to the user instead of the answer. */
  of?: 'messages';
  /** How much it counts for the score of the case; 1 by default. */
  weight?: number;
  /** The name of its score. */
  metric?: string;
  /** Reported only: it decides nothing. */
  advisory?: boolean;
  /** An expression or the name of a function; its value is judged instead of the answer. */
  transform?: string;
  [key: string]: unknown;
};

/** A user played by an agent. */
type Simulator = {
  /** `agents:<id>`. */
  use: string;
  options?: { connector?: string; metadata?: Record<string, unknown>; [key: string]: unknown };
};

/** Something a conversation has to reach. */
export type Checkpoint = {
  id: string;
  description?: string;
  assert: Assertion | Assertion[];
  /** Checkpoints that must be reached before. */
  after?: string[];
  /** True by default. */
  required?: boolean;
};

/** One turn of a scripted conversation. */
export type Turn = { input: CaseInput; assert?: Assertion | Assertion[] };

/** One line of a case file. */
export type TestCase = {
  id: string;
  /** An empty list if the case has turns only. */
  input: CaseInput;
  expected?: unknown;
  assert?: Assertion | Assertion[];
  /** The weighted score of its assertions, from 0 to 1, that is enough to pass. Without it, all of them must hold. */
  pass_score?: number;
  /** An expression or the name of a function; all assertions of the case judge its value instead of the answer. */
  transform?: string;
  description?: string;
  tags?: string[];
  user?: string;
  team?: string;
  metadata?: Record<string, unknown>;
  options?: Record<string, unknown>;
  skip?: boolean;
  /** A Go duration: `30s`, `1m`. */
  timeout?: string;
  simulator?: Simulator;
  checkpoints?: Checkpoint[];
  max_turns?: number;
  turns?: Turn[];
  /** Functions to call before and after: `env_test.Before` is in the assistant's `src/env_test.ts`. */
  before?: string;
  after?: string;
  /** Answers in place of members of the context, by name: `search.Web`. */
  mocks?: Record<string, unknown>;
  /** The agent that the case is for, as `-n` takes it. */
  agent?: string;
  /** Values of `{{name}}` in the case. When the case runs, they are those that were used. */
  vars?: Record<string, unknown>;
};

/** True if the case has several turns, scripted or played by a simulated user. */
export function isConversation({ turns, simulator }: TestCase): boolean {
  return turns !== undefined || simulator !== undefined;
}

/** A case, its input file and its line. */
export type LoadedCase = {
  case: TestCase;
  /** The test it belongs to: the case file's path below the application root, or `message`. */
  test_id: string;
  /** Index of its input in the run, which decides the agent. */
  input: number;
  line: number;
  /** Its place in the order of the files, from 1, if cases run in another order. */
  position?: number;
  /** The hash of its content, once it was needed. */
  sha?: string;
};
