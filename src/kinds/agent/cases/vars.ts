// The `vars` of a case: names that only this case has. The run may set them; all else of the case may use them.

import type { Given } from '../../../variables/given.ts';
import { isObject } from '../../../json/is-object.ts';
import { substitute } from '../../../variables/substitute.ts';
import { nearest } from '../../../text/nearest.ts';
import { quote } from '../../../text/quote.ts';
import type { SourceVariables } from '../../test-binding.ts';
import { fillCase } from '../../test-binding.ts';
import type { CaseProblem } from './case.ts';

export type FillOptions = {
  /** The variables of the input, which all of its cases have. */
  variables?: SourceVariables | undefined;
  /** What the run sets, for names that cases declare. */
  given?: Readonly<Record<string, Given>> | undefined;
};

type Filled = { value: unknown; problems: readonly CaseProblem[] };

const NONE: readonly CaseProblem[] = [];

/** A case with every `{{name}}` filled in. Cases without variables are returned as they are. */
export function fillVariables(value: unknown, { variables, given }: FillOptions): Filled {
  const vars = isObject(value) ? value['vars'] : undefined;
  if (isObject(value) && isObject(vars)) return fillOwn(value, vars, { variables, given });
  return variables === undefined ? { value, problems: NONE } : fillCase(value, variables);
}

/** False for most cases, which are used as they are. */
export function needsFilling(value: unknown, { variables }: FillOptions): boolean {
  return variables !== undefined || (isObject(value) && value['vars'] !== undefined);
}

/** The run wins over the case, the case over the test and its type. */
function fillOwn(
  value: Record<string, unknown>,
  vars: Record<string, unknown>,
  { variables, given = {} }: FillOptions,
): Filled {
  const problems: CaseProblem[] = [];
  const { values: common = {}, sources = {} } = variables?.resolved ?? {};
  const own = new Map<string, unknown>();
  for (const [name, declared] of Object.entries(vars)) {
    const set = Object.hasOwn(given, name) ? given[name] : undefined;
    if (set !== undefined) own.set(name, convert(name, set, declared, problems));
    else own.set(name, sources[name] === 'run' ? common[name] : declared);
  }
  const final = Object.fromEntries(own);
  const values = { ...common, ...final };

  const { id, vars: _vars, ...rest } = value;
  for (const message of new Set(templateProblems(rest, values))) problems.push({ message });
  for (const [name, one] of Object.entries(final)) {
    if (typeof one === 'string' && one.startsWith('file://'))
      problems.push({ message: `vars.${name}: a variable is a value; the file ${quote(one)} is not read` });
  }
  const { value: filled, problems: missing } = substitute(rest, { values, isStrict: true });
  for (const name of new Set(missing.map((one) => one.name)))
    problems.push(unknownName(name, Object.keys(values)));
  // What is only a placeholder becomes the value itself; the input of a case is text.
  const { input } = filled as { input?: unknown };
  const text = typeof input === 'number' || typeof input === 'boolean' ? { input: String(input) } : {};
  return { value: { id, ...(filled as object), ...text, vars: final }, problems };
}

/** Only `{{name}}` is replaced; what other tools know besides would be sent as text. */
const FOREIGN = /(?<!\\)\{\{(?!\s*[A-Za-z_]\w*\s*\}\})[^{}]*\}\}|\{%.*?%\}/g;
const NAMES = /(?<!\\)\{\{\s*([A-Za-z_]\w*)\s*\}\}/g;

/** The check of the case refuses what is nested deeper. */
const MAX_DEPTH = 500;

function* templateProblems(value: unknown, values: Record<string, unknown>, depth = 0): Generator<string> {
  if (typeof value === 'string') {
    for (const [found] of value.matchAll(FOREIGN))
      yield `${found} is no variable: only {{name}} is replaced, and \\{{ is a literal brace pair`;
    for (const [whole, name = ''] of value.matchAll(NAMES)) {
      if (Array.isArray(values[name]) && value.trim() !== whole)
        yield `{{${name}}} is a list inside of a text: "each" makes one case for each value`;
    }
  } else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH) {
    for (const inner of Object.values(value)) yield* templateProblems(inner, values, depth + 1);
  }
}

/** The value of `--var` in the type that the case declares. */
function convert(name: string, given: Given, declared: unknown, problems: CaseProblem[]): unknown {
  if (!('text' in given)) return given.value;
  const { text } = given;
  if (typeof declared === 'string' || declared === null) return text;
  const parsed = parse(text);
  const isFitting =
    typeof declared === 'object' ? typeof parsed === 'object' : typeof parsed === typeof declared;
  if (isFitting) return parsed;
  const wanted = Array.isArray(declared)
    ? 'a list'
    : typeof declared === 'object'
      ? 'an object'
      : typeof declared;
  problems.push({ message: `--var ${name}: expected ${wanted}, as in "vars", got ${quote(text)}` });
  return declared;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unknownName(name: string, known: readonly string[]): CaseProblem {
  const [near] = nearest(name, known);
  return {
    message: `{{${name}}}: the case has no such variable`,
    hint:
      near === undefined
        ? `add it to "vars"; \\{{${name}}} is the text itself`
        : `did you mean {{${near}}}? \\{{ is a literal brace pair`,
  };
}
