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
  // The script returns this object, which the expression cannot reach.
  const missed = PRELUDE.runInContext(realm) as Missed;
  const timeout = Math.max(1, Math.min(Math.ceil(timeoutMs), MAX_BUSY_MS));
  let value: unknown;
  try {
    // The script is a call of an async function.
    value = await (script.runInContext(realm, { timeout }) as Promise<unknown>);
  } catch (thrown) {
    if (thrown !== missed.noJson) throw new Error(describe(thrown, timeout), { cause: thrown });
  }
  // The expression may have caught the error, and its value would be a guess.
  if (missed.measurement !== null) throw new Error(`the agent does not report "${missed.measurement}"`);
  if (missed.json) return { no_json: true };
  return value === undefined ? {} : { value: expressible(value) };
}

/** What the expression used and the answer does not have. `noJson` is the error that it got for `json`. */
type Missed = { measurement: string | null; json: boolean; noJson: unknown };

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
 * used: compared with a number, undefined would be a verdict. Gives what will be missed.
 */
const PRELUDE = new Script(`(() => {
  const values = JSON.parse($values);
  delete globalThis.$values;
  const missed = { measurement: null, json: false, noJson: new Error('no JSON found in the answer') };
  const miss = (name) => {
    if (name === 'json') {
      missed.json = true;
      throw missed.noJson;
    }
    missed.measurement ??= name;
    throw new Error('the agent does not report "' + name + '"');
  };
  const context = {};
  for (const name of ${JSON.stringify([...VALUE_NAMES, 'json'])}) {
    const isThere = Object.hasOwn(values, name);
    const isOptional = name !== 'json' && !${JSON.stringify(REPORTED)}.includes(name);
    const property = isThere || isOptional
      ? { value: values[name], writable: true, enumerable: isThere }
      : { get: () => miss(name) };
    Object.defineProperty(globalThis, name, { ...property, configurable: true });
    Object.defineProperty(context, name, { ...property, configurable: true });
  }
  globalThis.context = context;
  return missed;
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
