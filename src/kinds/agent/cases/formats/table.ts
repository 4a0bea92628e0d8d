// Rows of a table in, cases out: the names of the columns say which field of the case a cell is.

import { quote } from '../../../../text/quote.ts';
import { nameHint } from '../../../../schema/shape.ts';
import { editsBetween } from '../../../../text/nearest.ts';
import type { ParsedObject } from '../../../../json/jsonl.ts';

/** What `--map` says: the field of a case, or a name such as `metadata.topic`, by the name of a column. */
export type ColumnMap = ReadonlyMap<string, string>;

/** Fields of a case that are texts. */
const TEXTS = [
  'id',
  'input',
  'expected',
  'description',
  'user',
  'team',
  'timeout',
  'before',
  'after',
  'agent',
];
/** Fields of a case whose cells are JSON. */
const STRUCTURED = [
  'assert',
  'turns',
  'checkpoints',
  'simulator',
  'mocks',
  'max_turns',
  'pass_score',
  'transform',
];
const GROUPS = ['metadata', 'options', 'vars'];

/** Assertions whose value is a text, also if it looks like a number. */
const OF_TEXT = new Set([
  'agent',
  'contains',
  'ends_with',
  'equals',
  'expression',
  'icontains',
  'language',
  'levenshtein',
  'not_contains',
  'regex',
  'rouge',
  'script',
  'similar',
  'starts_with',
]);

const NAMES = [...TEXTS, 'tags', 'skip', ...STRUCTURED, ...GROUPS];
const MAX_COLUMNS = 10_000;
const NO_MAP: ColumnMap = new Map();

type Draft = Record<string, unknown>;
type Assertion = Record<string, unknown> & { type: string };
/** Puts the cell of a column into the case. */
type Put = (draft: Draft, cell: unknown) => void;

/** The columns of a table, or what is wrong with their names. */
export type Columns = {
  put: Put[];
  names: string[];
  problems: string[];
  /** Said once for the whole table, if none of its rows can be a case. */
  noInput?: string;
};

/** Reads the names of the columns. */
export function readColumns(header: readonly string[], map: ColumnMap): Columns {
  const problems: string[] = [];
  const seen = new Set<string>();
  if (header.length > MAX_COLUMNS)
    return {
      put: [],
      names: [],
      problems: [`the table has ${header.length} columns, at most ${MAX_COLUMNS} are read`],
    };
  const names = header.map((name, index) => {
    const trimmed = name.trim();
    return trimmed === '' ? `column_${index + 1}` : trimmed;
  });
  const put = names.map((name) => {
    const field = map.get(name) ?? name;
    const near = map.has(name) ? undefined : misspelt(field);
    if (field.startsWith('__') && !map.has(name)) problems.push(foreignColumn(name));
    else if (near !== undefined)
      problems.push(
        `column ${quote(name)}: did you mean ${quote(near)}? To keep it as metadata: --map ${quote(`${name}=metadata.${name}`)}`,
      );
    const target = isKnown(field) ? field : `metadata.${field}`;
    if (seen.has(target)) problems.push(`two columns are ${quote(target)}`);
    seen.add(target);
    return putter(field, problems);
  });
  for (const [column] of map) {
    if (!names.includes(column))
      problems.push(`--map ${column}=…: there is no column ${quote(column)}; ${nameHint(column, names)}`);
  }
  const hasInput = seen.has('input') || seen.has('turns');
  return { put, names, problems, ...(!hasInput && problems.length === 0 && { noInput: noInput(names) }) };
}

function noInput(names: readonly string[]): string {
  const example = names.find((name) => !isKnown(name)) ?? '<column>';
  return `there is no column "input"; the columns are ${names.map(quote).join(', ')}. Say which one it is: --map ${quote(`${example}=input`)}`;
}

function isKnown(field: string): boolean {
  const [group = ''] = field.split('.');
  return NAMES.includes(field) || ((group === 'assert' || GROUPS.includes(group)) && field.includes('.'));
}

/** The name that a column of nearly that name is meant to have: it would be lost as metadata. */
function misspelt(field: string): string | undefined {
  if (isKnown(field)) return undefined;
  const lower = field.toLowerCase();
  if (/^assert(?:ion)?s?$/.test(lower)) return 'assert';
  const [first = '', ...rest] = lower.split(/[._-]/);
  if (rest.length > 0 && editsBetween(first, 'assert') <= (first.length > 4 ? 1 : 0))
    return `assert.${rest.join('_')}`;
  return NAMES.find((name) => lower === name || (name.length > 4 && editsBetween(lower, name) === 1));
}

/** Columns of promptfoo have a meaning there that would be lost as metadata. */
function foreignColumn(name: string): string {
  const base = /^__expected\d*$/.test(name)
    ? `for exact answers add --map ${name}=expected; for others call it assert.<type>, such as assert.contains`
    : name === '__threshold'
      ? 'call it pass_score'
      : name === '__description'
        ? 'call it description'
        : `call it metadata.${name.replace(/^_+/, '') || 'x'} to keep it`;
  return `column ${quote(name)} has no meaning here: ${base}`;
}

/** A row as a case. Empty cells leave their field out; a row without `id` is known by its number. */
export function rowToCase({ put }: Columns, cells: readonly unknown[], row: number): Draft {
  const draft: Draft = {};
  for (let index = 0; index < put.length; index += 1) {
    const cell = cells[index];
    if (cell !== undefined && cell !== null && cell !== '') put[index]?.(draft, cell);
  }
  return draft['id'] === undefined ? { id: `row-${row}`, ...draft } : draft;
}

/** An object of a file that has other names than cases have, with `--map`. */
export function mapObject(parsed: ParsedObject, map: ColumnMap, row: number): ParsedObject {
  if ('problem' in parsed || typeof parsed.value !== 'object' || parsed.value === null) return parsed;
  const { value, line } = parsed;
  if (Array.isArray(value) || Object.hasOwn(value, 'defaults')) return parsed;
  const mapped = readColumns(
    Object.keys(value).map((name) => map.get(name) ?? name),
    NO_MAP,
  );
  const [problem] = mapped.problems;
  if (problem !== undefined) return { problem, line };
  return { value: rowToCase(mapped, Object.values(value), row), line };
}

function putter(field: string, problems: string[]): Put {
  if (TEXTS.includes(field)) return (draft, cell) => void (draft[field] = textField(field, cell));
  if (field === 'tags') return (draft, cell) => void (draft['tags'] = tagsOf(cell));
  if (field === 'skip') return (draft, cell) => void (draft['skip'] = parsed(cell));
  if (field === 'assert') return (draft, cell) => addAssertions(draft, parsed(cell));
  if (GROUPS.includes(field)) return (draft, cell) => putGroup(draft, field, parsed(cell));
  if (STRUCTURED.includes(field)) return (draft, cell) => void (draft[field] = parsed(cell));
  const [group = '', ...rest] = field.split('.');
  if (rest.length === 0 || rest.includes('')) return intoGroup('metadata', field);
  if (group === 'assert') return assertionPutter(rest, field, problems);
  return GROUPS.includes(group) ? intoGroup(group, rest.join('.')) : intoGroup('metadata', field);
}

/** A cell with a whole object. The check of the case says what is wrong with anything else. */
function putGroup(draft: Draft, group: string, value: unknown): void {
  const isFields = typeof value === 'object' && value !== null && !Array.isArray(value);
  draft[group] = isFields ? { ...(draft[group] as object | undefined), ...value } : value;
}

/** Options are settings of models, so a number is one; all other texts stay texts. */
function intoGroup(group: string, name: string): Put {
  const read = group === 'options' ? scalar : (cell: unknown) => cell;
  return (draft, cell) => {
    const fields = (draft[group] ??= {}) as Draft;
    Object.defineProperty(fields, name, {
      value: read(cell),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  };
}

/** `assert.contains` is the value of an assertion, `assert.similar.threshold` another of its fields. */
function assertionPutter([type = '', name, ...deeper]: string[], field: string, problems: string[]): Put {
  if (deeper.length > 0)
    problems.push(`column ${quote(field)}: write assert.<type> or assert.<type>.<field>`);
  const key = name ?? (type === 'script' ? 'script' : 'value');
  const isText = name === undefined && OF_TEXT.has(type);
  return (draft, cell) => {
    const own = assertionsOf(draft);
    // Those of a column `assert` are others.
    let assertion = own.find((one) => one.type === type && ofColumns.has(one));
    if (assertion === undefined) {
      assertion = { type };
      own.push(assertion);
      ofColumns.add(assertion);
    }
    assertion[key] = isText ? cell : parsed(cell);
  };
}

/** Assertions that columns such as `assert.contains` made. */
const ofColumns = new WeakSet<Assertion>();

function assertionsOf(draft: Draft): Assertion[] {
  return (draft['assert'] ??= []) as Assertion[];
}

function addAssertions(draft: Draft, value: unknown): void {
  const own = assertionsOf(draft);
  // The check of the case says what is wrong with them.
  for (const one of [value].flat()) own.push(one as Assertion);
}

/** Ids and texts may come as numbers from typed tables. `expected` keeps its type there. */
function textField(field: string, cell: unknown): unknown {
  if (field === 'expected') return cell;
  return typeof cell === 'number' || typeof cell === 'boolean' ? String(cell) : cell;
}

/** `smoke; slow`, `smoke, slow` or a JSON list. */
function tagsOf(cell: unknown): unknown {
  if (typeof cell !== 'string') return cell;
  if (cell.trimStart().startsWith('[')) return parsed(cell);
  return cell
    .split(/[;,]/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

/** JSON if the cell is JSON, else the text itself. */
function parsed(cell: unknown): unknown {
  if (typeof cell !== 'string') return cell;
  try {
    return JSON.parse(cell);
  } catch {
    return /^(?:true|false)$/i.test(cell.trim()) ? /^true$/i.test(cell.trim()) : cell;
  }
}

function scalar(cell: unknown): unknown {
  const value = parsed(cell);
  return typeof value === 'object' ? cell : value;
}
