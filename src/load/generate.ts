// A generator in, a file of cases out. The file is kept, so that the run can be taken up again with the same cases.

import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, messageOf, RuntimeError } from '../errors.ts';
import { isObject } from '../platform/is-object.ts';
import { findJson } from '../platform/json-in-text.ts';
import type { CaseGenerator, InputSource } from './inputs.ts';

export type GenerateOptions = {
  /** Runs the generator, wherever user code may run, and gives its answer. */
  run(generator: CaseGenerator): Promise<unknown>;
  /** Gives the folder that the cases are kept in. */
  folder(): string;
};

const SHOWN_LENGTH = 200;
const FORMS = 'it gives a list of cases, {"cases": […]}, or text with JSON or JSONL in it';

/** Runs a generator and keeps its cases. A case without an id gets one; all else is checked like any case file. */
export async function generate(
  generator: CaseGenerator,
  { run, folder }: GenerateOptions,
): Promise<InputSource> {
  const { value } = generator;
  let answer: unknown;
  try {
    answer = await run(generator);
  } catch (error) {
    throw new RuntimeError(`the generator ${value} failed: ${messageOf(error)}`, { cause: error });
  }
  const cases = casesIn(answer);
  if (cases === undefined)
    throw new RuntimeError(`the generator ${value} gave no cases but ${shown(answer)}`, { hint: FORMS });
  if (cases.length === 0) throw new ConfigError(`the generator ${value} gave no cases`, { hint: FORMS });
  const path = join(folder(), `${randomUUID()}.jsonl`);
  writeFileSync(
    path,
    withIds(cases)
      .map((testCase) => `${JSON.stringify(testCase)}\n`)
      .join(''),
  );
  return { type: 'file', path, generated: value };
}

/** The cases of an answer, in any of the forms it may have; undefined if there are none to be found. */
export function casesIn(answer: unknown): unknown[] | undefined {
  if (Array.isArray(answer)) return answer;
  if (typeof answer === 'string') return casesInText(answer);
  if (!isObject(answer)) return undefined;
  const list = answer['cases'] ?? answer['test_cases'];
  if (Array.isArray(list)) return list;
  return 'input' in answer || 'turns' in answer ? [answer] : undefined;
}

function casesInText(text: string): unknown[] | undefined {
  const found = findJson(text)?.value;
  // Of JSONL, only the first line is found as JSON.
  const lines = isObject(found) && !isList(found) ? objectLines(text) : [];
  if (lines.length > 1) return lines;
  return typeof found === 'string' ? undefined : casesIn(found);
}

function isList(found: Record<string, unknown>): boolean {
  return Array.isArray(found['cases'] ?? found['test_cases']);
}

function objectLines(text: string): unknown[] {
  return text.split('\n').flatMap((line): unknown[] => {
    if (!line.trimStart().startsWith('{')) return [];
    try {
      return [JSON.parse(line) as unknown];
    } catch {
      return [];
    }
  });
}

/** `G001`, `G002` … by position, past those that are taken. */
function withIds(cases: readonly unknown[]): unknown[] {
  const taken = new Set<unknown>(cases.map((testCase) => (isObject(testCase) ? testCase['id'] : undefined)));
  return cases.map((testCase, index) => {
    if (!isObject(testCase)) return testCase;
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

function shown(answer: unknown): string {
  const text = JSON.stringify(answer) ?? 'nothing';
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}
