// Objects of a case file in, cases out: `defaults` of the file are put into each case, `each` makes a case per row.

import path from 'node:path';
import { ConfigError, describeProblem, messageOf } from '../../../errors.ts';
import { isObject } from '../../../json/is-object.ts';
import type { ParsedObject } from '../../../json/jsonl.ts';
import { nameHint } from '../../../schema/shape.ts';
import { quote } from '../../../text/quote.ts';
import { CASE_FIELDS, checkCase } from './case.ts';

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
      const problems = checkDefaults(stated).map((problem) => ({ problem, line: first.line }));
      if (problems.length > 0) yield problems;
      else if (isObject(stated)) defaults = stated;
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
      for (const row of rows) cases.push('problem' in row ? row : { value: rowCase(template, row), line });
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
function checkDefaults(defaults: unknown): string[] {
  if (!isObject(defaults)) return ['"defaults" must be an object with fields of cases'];
  const problems: string[] = [];
  const known = CASE_FIELDS.filter((field) => field !== 'id' && field !== 'each');
  for (const field of Object.keys(defaults)) {
    if (field === 'id' || field === 'each')
      problems.push(`"defaults" cannot have "${field}": it belongs to one case`);
    else if (!known.includes(field))
      problems.push(`unknown field ${quote(field)} in "defaults"; ${nameHint(field, known)}`);
  }
  if (problems.length > 0 || JSON.stringify(defaults).includes('{{')) return problems;
  const checked = checkCase({ input: '', ...defaults, id: 'defaults' });
  if (!('problems' in checked)) return problems;
  return checked.problems.map(
    ({ message, hint }) => `in "defaults": ${message}${hint === undefined ? '' : ` (${hint})`}`,
  );
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
  if (defaults['assert'] !== undefined && own['assert'] !== undefined)
    merged['assert'] = [own['assert'], defaults['assert']].flat();
  return merged;
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
    yield each.map((values: unknown, index) =>
      isObject(values) ? { values, row: index + 1 } : wrong(`"each": row ${index + 1} must be an object`),
    );
    return;
  }
  if (typeof each !== 'string' || each === '') {
    yield [wrong('"each" must be the name of a file, or a list of objects')];
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
