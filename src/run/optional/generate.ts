// Turns the answer of a generator into a case file. The file is kept, so that the run can be resumed with the same cases.

import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, messageOf, RuntimeError } from '../../errors.ts';
import { scanReplyPieces } from '../../json/model-json.ts';
import { isObject } from '../../json/is-object.ts';
import { findJson } from '../../json/json-in-text.ts';
import type { CaseGenerator } from '../inputs/inputs.ts';
import type { InputSource } from '../../kinds/registry.ts';
import { programName } from '../../platform/how-started.ts';
import { ellipsize } from '../../text/cut-text.ts';
import { quote } from '../../text/quote.ts';

export type GenerateOptions = {
  /** Runs the generator, wherever user code may run, and gives its answer. */
  run(generator: CaseGenerator): Promise<unknown>;
  /** Gives the folder that the cases are kept in. */
  folder(): string;
};

const SHOWN_LENGTH = 200;
export const MODULE_FORMS = 'export default a list of cases, or a function or generator that gives them';
const FORMS = 'it gives a list of cases, {"cases": […]}, or text with JSON or JSONL in it';

/** Runs a generator and keeps its cases. A case without an id gets one; all else is checked like any case file. */
export async function generate(
  generator: CaseGenerator,
  { run, folder }: GenerateOptions,
): Promise<InputSource> {
  const { value, file } = generator;
  const name = file === undefined ? `the generator ${value}` : `the module ${value}`;
  const hint = file === undefined ? FORMS : moduleHint(value);
  let answer: unknown;
  try {
    answer = await run(generator);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new RuntimeError(`${name} failed: ${messageOf(error)}`, {
      cause: error,
      ...(file !== undefined && { hint: moduleHint(value) }),
    });
  }
  const cases = casesOf(name, answer);
  if (cases === undefined) {
    const message = `${name} gave no cases but ${quote(answer)}`;
    // A model may answer anything; what a module exports is written down.
    throw file === undefined ? new RuntimeError(message, { hint }) : new ConfigError(message, { hint });
  }
  if (cases.length === 0) throw new ConfigError(`${name} gave no cases`, { hint });
  const path = join(folder(), `${randomUUID()}.jsonl`);
  writeFileSync(
    path,
    withIds(cases)
      .map((testCase) => `${JSON.stringify(testCase)}\n`)
      .join(''),
  );
  return { type: 'file', path, generated: value };
}

/** A module can be an agent too, and a command line may name nothing else. */
function moduleHint(module: string): string {
  return `${MODULE_FORMS}; if it is the agent, name the cases too: ${programName()} test cases.jsonl ${module}`;
}

function casesOf(generator: string, answer: unknown): unknown[] | undefined {
  try {
    return casesIn(answer);
  } catch (cause) {
    const message = `${generator} gave cases that cannot be read: ${messageOf(cause)}`;
    throw new RuntimeError(message, { cause });
  }
}

/** Reads the cases of an answer in any of its forms; undefined if the answer contains no cases. */
export function casesIn(answer: unknown): unknown[] | undefined {
  if (Array.isArray(answer)) return answer;
  if (typeof answer === 'string') return casesInText(answer);
  if (!isObject(answer)) return undefined;
  const list = answer['cases'] ?? answer['test_cases'];
  if (Array.isArray(list)) return list;
  return isCase(answer) ? [answer] : undefined;
}

/** All cases in a text, which may be written like a case file; throws if any of it cannot be read. */
function casesInText(text: string): unknown[] | undefined {
  const readable = withoutComments(text);
  const said: { value: unknown; beginsLine: boolean }[] = [];
  for (const piece of scanReplyPieces(readable)) {
    const { type, start, end } = piece;
    if (type === 'broken') throw new Error(problemOf(readable, piece));
    if (type !== 'list' && type !== 'object') continue;
    const beginsLine = /(?:^|\n)[^\S\n]*$/.test(readable.slice(Math.max(0, start - 100), start));
    said.push({ value: JSON.parse(readable.slice(start, end)), beginsLine });
  }
  // An object that is no case may be an example beside a list; without one, it is a case with a mistake.
  const hasList = said.some(({ value }) => isList(value));
  const meant = said.filter(
    ({ value, beginsLine }) => isList(value) || isCase(value) || (!hasList && beginsLine && isObject(value)),
  );
  if (meant.length > 1) return meant.flatMap(({ value }) => casesIn(value) ?? [value]);
  const found = meant[0]?.value ?? findJson(readable)?.value;
  return typeof found === 'string' ? undefined : casesIn(found);
}

/** Lines that case files may have; no string runs over a line, so that such a line is a comment wherever it is. */
function withoutComments(text: string): string {
  return text.replaceAll(/^[^\S\n]*(?:\/\/|#).*$/gm, (line) => ' '.repeat(line.length));
}

function problemOf(text: string, { start, at }: { start: number; at: number }): string {
  const isOpen = text.slice(at).trim() === '';
  const place = isOpen ? start : at;
  const before = text.slice(0, place).split('\n');
  const line = text.split('\n', before.length).at(-1) ?? '';
  const what = text.charAt(start) === '{' ? 'object' : 'list';
  const problem = isOpen
    ? `the ${what} that begins on line ${before.length} is not closed`
    : `invalid JSON at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  return `${problem}: ${ellipsize(line.trim(), SHOWN_LENGTH)}`;
}

function isList(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isObject);
  return isObject(value) && Array.isArray(value['cases'] ?? value['test_cases']);
}

function isCase(value: unknown): boolean {
  return isObject(value) && ('input' in value || 'turns' in value);
}

/** `G001`, `G002` … by position, past those that are taken. */
function withIds(cases: readonly unknown[]): unknown[] {
  const taken = new Set<unknown>(cases.map((testCase) => (isObject(testCase) ? testCase['id'] : undefined)));
  return cases.map((testCase, index) => {
    if (!isObject(testCase) || (index === 0 && 'defaults' in testCase)) return testCase;
    const { id } = testCase;
    if (id !== undefined && id !== null && id !== '') return testCase;
    let number = index + 1;
    while (taken.has(named(number))) number += 1;
    taken.add(named(number));
    return { ...testCase, id: named(number) };
  });
}

function named(number: number): string {
  return `G${String(number).padStart(3, '0')}`;
}
