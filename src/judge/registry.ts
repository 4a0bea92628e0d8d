// All assertion types by their name in `assert`.

import type { AssertionType } from './assertion.ts';
import { agent } from './assertions/agent.ts';
import { command } from './assertions/command.ts';
import { contains } from './assertions/contains.ts';
import { cost } from './assertions/cost.ts';
import { equals } from './assertions/equals.ts';
import { expression } from './assertions/expression.ts';
import { jsonPath } from './assertions/json-path.ts';
import { latency } from './assertions/latency.ts';
import { notContains } from './assertions/not-contains.ts';
import { regex } from './assertions/regex.ts';
import { schema } from './assertions/schema.ts';
import { script } from './assertions/script.ts';
import { selectBest } from './assertions/select-best.ts';
import { similar } from './assertions/similar.ts';
import { tokens } from './assertions/tokens.ts';
import { toolCalled } from './assertions/tool-called.ts';
import { toolResult } from './assertions/tool-result.ts';
import { trajectory } from './assertions/trajectory.ts';
import { type } from './assertions/type.ts';

export const assertionTypes: Record<string, AssertionType> = {
  agent,
  command,
  contains,
  cost,
  equals,
  expression,
  json_path: jsonPath,
  latency,
  not_contains: notContains,
  regex,
  schema,
  script,
  select_best: selectBest,
  similar,
  tokens,
  tool_called: toolCalled,
  tool_result: toolResult,
  trajectory,
  type,
};

/** Finds an assertion type by name; ignores inherited properties such as `constructor`. */
export function findAssertionType(name: string): AssertionType | undefined {
  return Object.hasOwn(assertionTypes, name) ? assertionTypes[name] : undefined;
}
