// All assertion types by their name in `assert`.

import type { AssertionType, Combinator } from './assertion.ts';
import { agent } from './assertions/agent.ts';
import { allOf, anyOf } from './assertions/combinators.ts';
import { containsAll, containsAny } from './assertions/contains-several.ts';
import { contains, icontains, notContains } from './assertions/contains.ts';
import { cost } from './assertions/cost.ts';
import { equals } from './assertions/equals.ts';
import { isJson } from './assertions/is-json.ts';
import { command } from './assertions/command.ts';
import { expression } from './assertions/expression.ts';
import { jsonPath } from './assertions/json-path.ts';
import { language } from './assertions/language.ts';
import { latency } from './assertions/latency.ts';
import { length } from './assertions/length.ts';
import { levenshtein } from './assertions/levenshtein.ts';
import { regex } from './assertions/regex.ts';
import { schema } from './assertions/schema.ts';
import { script } from './assertions/script.ts';
import { selectBest } from './assertions/select-best.ts';
import { similar } from './assertions/similar.ts';
import { endsWith, startsWith } from './assertions/starts-with.ts';
import { tokens } from './assertions/tokens.ts';
import { toolCalled } from './assertions/tool-called.ts';
import { toolResult } from './assertions/tool-result.ts';
import { trajectory } from './assertions/trajectory.ts';
import { type } from './assertions/type.ts';
import { bleu, rouge } from './assertions/word-overlap.ts';

export const assertionTypes: Record<string, AssertionType> = {
  agent,
  bleu,
  command,
  contains,
  contains_all: containsAll,
  contains_any: containsAny,
  cost,
  ends_with: endsWith,
  equals,
  expression,
  icontains,
  is_json: isJson,
  json_path: jsonPath,
  language,
  latency,
  length,
  levenshtein,
  not_contains: notContains,
  regex,
  rouge,
  schema,
  script,
  select_best: selectBest,
  similar,
  starts_with: startsWith,
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

/** Types that combine other assertions. */
const combinators: Record<string, Combinator> = { all_of: allOf, any_of: anyOf };

export function findCombinator(name: string): Combinator | undefined {
  return Object.hasOwn(combinators, name) ? combinators[name] : undefined;
}

/** The names of all types, in alphabetical order. */
export const TYPE_NAMES: readonly string[] = [
  ...Object.keys(assertionTypes),
  ...Object.keys(combinators),
].sort();
