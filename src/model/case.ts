// What a user writes down to be tested.

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
  [key: string]: unknown;
};

/** One line of a case file. */
export type TestCase = {
  id: string;
  input: CaseInput;
  expected?: unknown;
  assert?: Assertion | Assertion[];
  description?: string;
  tags?: string[];
  user?: string;
  team?: string;
  metadata?: Record<string, unknown>;
  options?: Record<string, unknown>;
  skip?: boolean;
  /** A Go duration: `30s`, `1m`. */
  timeout?: string;
};

/** A case and the place it came from. */
export type LoadedCase = {
  case: TestCase;
  /** The test it belongs to: the case file's path below the application root, or `message`. */
  test_id: string;
  /** Index of its input in the run, which decides the agent. */
  input: number;
  line: number;
};
