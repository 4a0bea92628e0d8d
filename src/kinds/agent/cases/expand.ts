// Objects of a case file in, cases out: `defaults` of the file are put into each case, `each` makes a case per row.

import path from 'node:path';
import { ConfigError, describeProblem, messageOf } from '../../../errors.ts';
import { isObject } from '../../../json/is-object.ts';
import type { ParsedObject } from '../../../json/jsonl.ts';
import { nameHint } from '../../../schema/shape.ts';
import { quote } from '../../../text/quote.ts';
import { usesExpected } from '../../../judge/expected.ts';
import type { Assertion } from '../../../model/case.ts';
import { CASE_FIELDS, findFieldProblems } from './case.ts';

export type ExpandOptions = {
  /** The folder that files of `each` are relative to. */
  base: string;
  cwd: string;
  /** Learns of every file of `each`, and of its bytes. */
  onFile?: ((file: string) => void) | undefined;
  onBytes?: ((bytes: Buffer) => void) | undefined;
};

type Case = Record<string, unknown>;

const BATCH = 1000;
const GROUPS = ['metadata', 'options', 'vars'] as const;

/** Leaves batches without `defaults` and `each` as they are: a million cases go through here. */
export async function* expandCases(
  batches: AsyncIterable<ParsedObject[]>,
  options: ExpandOptions,
): AsyncGenerator<ParsedObject[]> {
  let defaults: Case | undefined;
  let isFirst = true;
  for await (const batch of batches) {
    const first = isFirst ? batch[0] : undefined;
    isFirst = false;
    const stated = defaultsOf(first);
    let cases = batch;
    if (first !== undefined && stated !== undefined) {
      const { problems, usable } = checkDefaults(stated);
      if (problems.length > 0) yield problems.map((problem) => ({ problem, line: first.line }));
      defaults = usable;
      cases = batch.slice(1);
    }
    if (cases.length === 0) continue;
    if (defaults === undefined && !cases.some(isSpecial)) yield cases;
    else yield* expandBatch(cases, defaults, options);
  }
}

async function* expandBatch(
  batch: readonly ParsedObject[],
  defaults: Case | undefined,
  options: ExpandOptions,
): AsyncGenerator<ParsedObject[]> {
  let cases: ParsedObject[] = [];
  for (const parsed of batch) {
    const { line } = parsed;
    if ('problem' in parsed || !isObject(parsed.value)) {
      cases.push(parsed);
      continue;
    }
    if (defaultsOf(parsed) !== undefined) {
      cases.push({ problem: '"defaults" must be the first object of its file', line });
      continue;
    }
    const value = defaults === undefined ? parsed.value : withDefaults(parsed.value, defaults);
    const { each, ...template } = value;
    if (each === undefined) {
      cases.push({ value, line });
      continue;
    }
    for await (const rows of rowsOf(each, line, options)) {
      for (const row of rows)
        cases.push('problem' in row ? row : { value: rowCase(template, row), line, row: row.row });
      if (cases.length < BATCH) continue;
      yield cases;
      cases = [];
    }
  }
  if (cases.length > 0) yield cases;
}

function isSpecial(parsed: ParsedObject): boolean {
  return (
    'value' in parsed && isObject(parsed.value) && ('each' in parsed.value || 'defaults' in parsed.value)
  );
}

/** The defaults that an object states, which is no case then. */
function defaultsOf(parsed: ParsedObject | undefined): unknown {
  if (parsed === undefined || 'problem' in parsed || !isObject(parsed.value)) return undefined;
  return 'defaults' in parsed.value && !('id' in parsed.value) ? parsed.value['defaults'] : undefined;
}

/** Each mistake once, at the defaults, and not in every case. Values with `{{…}}` are checked in the cases. */
function checkDefaults(defaults: unknown): { problems: string[]; usable: Case | undefined } {
  if (!isObject(defaults))
    return { problems: ['"defaults" must be an object with fields of cases'], usable: undefined };
  const problems: string[] = [];
  const usable: Case = {};
  const known = CASE_FIELDS.filter((field) => field !== 'id' && field !== 'each');
  for (const [field, value] of Object.entries(defaults)) {
    if (field === 'id' || field === 'each') {
      problems.push(`"defaults" cannot have "${field}": it belongs to one case`);
      continue;
    }
    if (!known.includes(field)) {
      problems.push(`unknown field ${quote(field)} in "defaults"; ${nameHint(field, known)}`);
      continue;
    }
    const isFilled = JSON.stringify(value).includes('{{');
    const flaws = isFilled ? [] : findFieldProblems(field, value);
    if (flaws.length === 0) usable[field] = value;
    for (const { message, hint } of flaws)
      problems.push(`in "defaults": ${message}${hint === undefined ? '' : ` (${hint})`}`);
  }
  return { problems, usable };
}

/** The case wins; assertions of both hold, and metadata, options, variables and tags are put together. */
function withDefaults(own: Case, defaults: Case): Case {
  const merged: Case = { ...defaults, ...own };
  for (const group of GROUPS) {
    const [common, special] = [defaults[group], own[group]];
    if (isObject(common) && isObject(special)) merged[group] = { ...common, ...special };
  }
  if (defaults['tags'] !== undefined && own['tags'] !== undefined)
    merged['tags'] = [...new Set([defaults['tags'], own['tags']].flat())];
  const assertions = ownAssertions(own, defaults);
  if (defaults['assert'] !== undefined && assertions !== undefined)
    merged['assert'] = [assertions, defaults['assert']].flat();
  return merged;
}

/** What a case asserts by itself: `expected` is one of these, unless an assertion of the defaults compares with it. */
function ownAssertions({ assert, expected }: Case, { assert: common }: Case): unknown {
  if (assert !== undefined || expected === undefined || common === undefined) return assert;
  const defaults = [common].flat().filter(isObject) as Assertion[];
  return usesExpected(defaults) ? undefined : { type: 'equals', value: expected };
}

type Row = { values: Case; row: number };

/** The rows of `each`: a list of objects, or a file of a format that case files have. */
async function* rowsOf(
  each: unknown,
  line: number,
  { base, cwd, onFile, onBytes }: ExpandOptions,
): AsyncGenerator<(Row | { problem: string; line: number })[]> {
  const wrong = (problem: string): { problem: string; line: number } => ({ problem, line });
  if (Array.isArray(each)) {
    if (each.length === 0) yield [wrong('"each" is an empty list, so that the case never runs')];
    yield each.map((values: unknown, index) =>
      isObject(values) ? { values, row: index + 1 } : wrong(`"each": row ${index + 1} must be an object`),
    );
    return;
  }
  if (isObject(each)) {
    const problem = gridProblem(each);
    if (problem === undefined) yield* gridRows(each);
    else yield [wrong(problem)];
    return;
  }
  if (typeof each !== 'string' || each === '') {
    yield [wrong('"each" must be the name of a file, a list of objects, or lists of values by name')];
    return;
  }
  if (/\.[cm]?[jt]s$/.test(each)) {
    yield [wrong('"each" cannot be a module: let a module make the cases, and name it with -i')];
    return;
  }
  const file = path.resolve(base, each);
  onFile?.(file);
  const { readFileObjects } = await import('./formats/read-file.ts');
  let row = 0;
  try {
    for await (const batch of readFileObjects(file, {
      name: path.relative(cwd, file),
      onBytes,
      isPlain: true,
    })) {
      yield batch.map((parsed) => {
        if ('problem' in parsed) return wrong(`${each}:${parsed.line}: ${parsed.problem}`);
        row += 1;
        if (isObject(parsed.value)) return { values: parsed.value, row };
        return wrong(`${each}:${parsed.line}: a row must be an object`);
      });
    }
  } catch (error) {
    if (!(error instanceof ConfigError) && !(error instanceof Error && 'syscall' in error)) throw error;
    const reason = error instanceof ConfigError ? describeProblem(error) : messageOf(error);
    yield [wrong(`"each": ${quote(each)} cannot be read: ${reason}`)];
    return;
  }
  if (row === 0) yield [wrong(`"each": ${quote(each)} has no rows`)];
}

/** More combinations than this are a mistake. */
const MAX_ROWS = 100_000;

/** What is wrong with lists of values by name, which are combined. */
function gridProblem(lists: Case): string | undefined {
  let count = 1;
  for (const [name, values] of Object.entries(lists)) {
    if (!Array.isArray(values) || values.length === 0)
      return `"each": ${quote(name)} must be a list of values that is not empty`;
    count *= values.length;
  }
  return count > MAX_ROWS ? `"each" makes ${count} cases, at most ${MAX_ROWS} are possible` : undefined;
}

/** Every combination of the values; the last name varies fastest. */
function* gridRows(lists: Case): Generator<Row[]> {
  const names = Object.keys(lists);
  let combinations: Case[] = [{}];
  for (const name of names) {
    // `gridProblem` has made sure that it is a list.
    const values = lists[name] as unknown[];
    combinations = combinations.flatMap((one) =>
      values.map((value) => Object.assign({}, one, { [name]: value })),
    );
  }
  yield combinations.map((values, index) => ({ values, row: index + 1 }));
}

/** A row has its own id in the column `id`; otherwise its number tells it from the others. */
function rowCase(template: Case, { values, row }: Row): Case {
  const { id } = values;
  const own = typeof id === 'number' ? String(id) : id;
  const vars = isObject(template['vars']) ? { ...template['vars'], ...values } : values;
  return {
    ...template,
    id: own === undefined || own === '' || own === null ? `${String(template['id'])}#${row}` : own,
    vars,
  };
}
