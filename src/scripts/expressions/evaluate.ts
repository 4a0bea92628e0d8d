// In the process that runs users' judging code: an expression and the values it may use in, its value out. Each expression gets a
// realm of its own, so that one cannot change built-ins that another one uses.

import { createContext, Script } from 'node:vm';
import { messageOf } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import { findJson } from '../../json/json-in-text.ts';
import { memoize } from '../../platform/memoize.ts';
import { formatGoDuration } from '../../text/duration.ts';
import { parseExpression } from './parse-expression.ts';
import type { AnswerValues } from '../../model/answer-values.ts';
import { REPORTED, VALUE_NAMES } from '../../model/answer-values.ts';

/** `no_json`: the expression used `json`, but the answer holds none. Without a `value`, the expression gave undefined. */
export type Evaluated = { value?: unknown } | { no_json: true };

/** The longest time that an expression may compute without a pause: meanwhile its process does nothing else. */
const MAX_BUSY_MS = 5000;

/** Evaluates an expression; throws if it throws, does not end or gives something that JSON cannot express. */
export async function evaluate(
  code: string,
  values: AnswerValues,
  { timeoutMs }: { timeoutMs: number },
): Promise<Evaluated> {
  const script = compile(code);
  const json = /\bjson\b/.test(code) ? answerJson(values.output) : undefined;
  const sandbox: object = Object.assign(Object.create(null), {
    $values: JSON.stringify({ ...values, ...json }),
  });
  const realm = createContext(sandbox);
  const noJson: unknown = PRELUDE.runInContext(realm);
  const timeout = Math.max(1, Math.min(Math.ceil(timeoutMs), MAX_BUSY_MS));
  let value: unknown;
  try {
    // The script is a call of an async function.
    value = await (script.runInContext(realm, { timeout }) as Promise<unknown>);
  } catch (thrown) {
    if (thrown === noJson) return { no_json: true };
    throw new Error(describe(thrown, timeout), { cause: thrown });
  }
  return value === undefined ? {} : { value: expressible(value) };
}

const compile = memoize(
  (code: string) => {
    const parsed = parseExpression(code);
    if ('problem' in parsed) throw new Error(`invalid JavaScript: ${parsed.problem}`);
    const body = parsed.type === 'body' ? parsed.code : `return (${parsed.code}\n);`;
    return new Script(`(async () => {${body}\n})()`, { filename: 'expression' });
  },
  { size: 500 },
);

/**
 * Makes the values global variables, with objects of the realm itself. A value that the agent does not report is an error when it is
 * used: compared with a number, undefined would be a verdict. Gives the error that means "no JSON".
 */
const PRELUDE = new Script(`(() => {
  const values = JSON.parse($values);
  delete globalThis.$values;
  const noJson = new Error('no JSON found in the answer');
  const context = {};
  for (const name of ${JSON.stringify([...VALUE_NAMES, 'json'])}) {
    const isThere = Object.hasOwn(values, name);
    const isOptional = name !== 'json' && !${JSON.stringify(REPORTED)}.includes(name);
    const property = isThere || isOptional
      ? { value: values[name], writable: true, enumerable: isThere }
      : { get() { throw name === 'json' ? noJson : new Error('the agent does not report "' + name + '"'); } };
    Object.defineProperty(globalThis, name, { ...property, configurable: true });
    Object.defineProperty(context, name, { ...property, configurable: true });
  }
  globalThis.context = context;
  return noJson;
})()`);

function answerJson(output: unknown): { json: unknown } | undefined {
  if (typeof output !== 'string') return { json: output ?? null };
  const found = findJson(output);
  return found === undefined ? undefined : { json: found.value };
}

function expressible(value: unknown): unknown {
  const isNumber = typeof value === 'number';
  if (isNumber ? Number.isFinite(value) : !['function', 'symbol', 'bigint'].includes(typeof value))
    return value;
  throw new Error(`it gave ${isNumber ? String(value) : `a ${typeof value}`}, which JSON cannot express`);
}

/** The thrown value is of another realm, so it is no instance of Error here; as text it has its name. */
function describe(thrown: unknown, timeoutMs: number): string {
  const isLate = isObject(thrown) && thrown['code'] === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
  return isLate ? `it has not ended after ${formatGoDuration(timeoutMs)}` : messageOf(thrown);
}
