// An assertion of promptfoo, read; and the surroundings that its conversion needs.

import type { Losses } from '../losses.ts';
import type { Folders } from '../source/files.ts';
import type { Source } from '../source/source.ts';

/** An assertion as a case has it. */
export type Written = Record<string, unknown>;

export type GivenAssertion = {
  /** The type without `not-`. */
  type: string;
  isNegated: boolean;
  /** Templates are rendered, or only have `{{name}}`. */
  value: unknown;
  threshold: number | undefined;
  fields: Record<string, unknown>;
  at: string;
  /** How the configuration calls it, for messages. */
  name: string;
};

export type AssertionContext = {
  losses: Losses;
  folders: Folders;
  /** The connector of the model that judges; the default one if neither the assertion nor the test names a provider. */
  judge(provider: unknown, at: string): string;
  /** The same for a model that computes embeddings. */
  embedder(provider: unknown, at: string): string;
  /** `provider` of the test's options. */
  provider: unknown;
  /** True if the answers may be something else than text. */
  isStructured: boolean;
  /** True if the run compares several models, so that one answer can be the best. */
  hasMatrix: boolean;
  /** Adds code that an assertion calls, and gives the name of its function. */
  addScript(file: Script): string;
  convert(source: Source): Written | undefined;
};

/** Code for an assertion: the file that promptfoo calls, or the text of a Python function. */
export type Script =
  | {
      type: 'javascript';
      path: string;
      function: string | undefined;
      threshold: number | undefined;
      config: unknown;
      isNegated: boolean;
    }
  | {
      type: 'python';
      path: string;
      function: string | undefined;
      threshold: number | undefined;
      config: unknown;
      isNegated: boolean;
    }
  | { type: 'inline-python'; code: string; threshold: number | undefined; isNegated: boolean }
  | { type: 'webhook'; url: string };

export type Converter = (given: GivenAssertion, context: AssertionContext) => Written | undefined;

/** The text of an answer, as promptfoo compares it. */
export const ANSWER_TEXT = "typeof output === 'string' ? output : JSON.stringify(output)";
