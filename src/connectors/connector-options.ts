// The options of a connector's file, one by one: each is read if it is right and reported if it is not.

import type { Connector } from '../model/connector.ts';
import { isObject } from '../json/is-object.ts';

/** Takes down what is wrong at a path in the file. */
export type Report = (path: string[], message: string, hint?: string) => void;

type Options = Record<string, unknown>;
type Check = { isRight: (value: unknown) => boolean; expected: string };

const NUMBER: Check = { isRight: (value) => typeof value === 'number', expected: 'a number' };
const COUNT: Check = {
  isRight: (value) => Number.isInteger(value) && Number(value) >= 1,
  expected: 'a whole number of at least 1',
};
const WHOLE: Check = { isRight: (value) => Number.isInteger(value), expected: 'a whole number' };
const OBJECT: Check = { isRight: isObject, expected: 'an object' };
const STOP: Check = {
  isRight: (value) =>
    typeof value === 'string' || (Array.isArray(value) && value.every((item) => typeof item === 'string')),
  expected: 'text or a list of texts',
};

/** What every call of the model starts from. */
const CALL_OPTIONS: Record<string, Check> = {
  extra_body: OBJECT,
  frequency_penalty: NUMBER,
  max_completion_tokens: COUNT,
  max_tokens: COUNT,
  presence_penalty: NUMBER,
  response_format: OBJECT,
  seed: WHOLE,
  stop: STOP,
  temperature: NUMBER,
  thinking: OBJECT,
  top_k: NUMBER,
  top_p: NUMBER,
};

/** The defaults of calls, as far as they are given. */
export function readCallOptions(options: Options, report: Report): Options {
  const read: Options = {};
  for (const [name, { isRight, expected }] of Object.entries(CALL_OPTIONS)) {
    const value = options[name];
    if (value === undefined || value === null) continue;
    if (isRight(value)) read[name] = value;
    else report(['options', name], `expected ${expected}`);
  }
  return read;
}

/** A text that may be missing; an empty one counts as missing. */
export function readText(options: Options, name: string, report: Report): string | undefined {
  const value = options[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') return void report(['options', name], 'expected text');
  const text = value.trim();
  return text === '' ? undefined : text;
}

/** Headers to send with every call; services of Azure take the key in one of them. */
export function readHeaders(options: Options, report: Report): Record<string, string> | undefined {
  const { headers = {}, azure, key } = options;
  const isAzure = String(azure) === 'true' && typeof key === 'string';
  const read: Record<string, string> = isAzure ? { 'api-key': key } : {};
  if (!isObject(headers))
    return void report(['options', 'headers'], 'expected an object of names and values');
  for (const [name, value] of Object.entries(headers)) {
    const path = ['options', 'headers', name];
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) report(path, 'is not the name of a header');
    else if (typeof value !== 'string') report(path, 'expected text');
    else if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) report(path, 'has characters that no header may have');
    else read[name] = value;
  }
  return Object.keys(read).length === 0 ? undefined : read;
}

/** How many calls may run at the same time. */
export function readConcurrency(options: Options, report: Report): number | undefined {
  const { concurrency } = options;
  if (concurrency === undefined || concurrency === null) return undefined;
  if (COUNT.isRight(concurrency)) return Number(concurrency);
  return void report(['options', 'concurrency'], `expected ${COUNT.expected}`);
}

/** US dollars per million tokens. */
export function readPrice(options: Options, report: Report): Connector['price'] {
  const { price } = options;
  if (price === undefined || price === null) return undefined;
  if (isObject(price) && isAmount(price['input']) && isAmount(price['output']))
    return { input: price['input'], output: price['output'] };
  const hint = 'write {"input": 2.5, "output": 10}: US dollars per million tokens';
  return void report(['options', 'price'], 'expected two amounts', hint);
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
