// Keeps secrets out of everything that is written or shown.

import type { Masks, Piece } from './mask-texts.ts';
import { maskTexts } from './mask-texts.ts';
import { SecretSearch } from './secret-search.ts';

const MASK = '***';

export type Redactor = {
  /** Gives an event with all secrets masked, the same one if it has none. Keeps Assay's own field names, states, hashes and counters. */
  redact<Event extends object>(event: Event): Event;
  /** The same for data of users and agents, in which no field is Assay's own. */
  data<Data>(value: Data, masks?: Masks): Data;
  /** Replaces the secrets in a text. */
  text(value: string): string;
  /** Adds secrets: some are known only once an agent runs. */
  learn(secrets: readonly string[]): void;
};

/** A part of an event that Assay builds. */
type Part = {
  /** Fields that are never masked: Assay writes them, or they identify the event. */
  fixed: ReadonlySet<string>;
  /** All fields that Assay writes, if user code may add others. */
  known?: ReadonlySet<string>;
};

const EVENT: Part = {
  fixed: new Set([
    'case_sha',
    'code',
    'judge_sha256',
    'key',
    'kind',
    'reason',
    'run_id',
    'status',
    'timestamp',
    'type',
    'uncounted',
    'version',
  ]),
};
const PLAIN: Part = { fixed: new Set() };
/** All other parts of an event come from users, agents and judges and are masked completely. */
const PARTS: ReadonlyMap<string, Part> = new Map([
  ['checkpoints', PLAIN],
  ['checks', PLAIN],
  ['environment', PLAIN],
  ['flags', PLAIN],
  ['graded', { fixed: new Set(['format', 'run_id']) }],
  ['inputs', { fixed: new Set(['agent_sha256', 'sha256', 'type']) }],
  ['simulation', PLAIN],
  ['subtests', { fixed: new Set(['status']) }],
  [
    'tool_calls',
    { fixed: new Set(), known: new Set(['arguments', 'duration_ms', 'error', 'name', 'result']) },
  ],
  ['usage', PLAIN],
  ['verdicts', { fixed: new Set(['status', 'type']) }],
]);
/** Fields with data of users and agents, in which numbers are masked too. */
const DATA = new Set(['actual', 'arguments', 'expected', 'input', 'output', 'result', 'variables']);

/** Creates a redactor that masks secrets as they are, escaped, encoded, in another case, and cut into pieces. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const search = new SecretSearch();
  search.learn(secrets);

  function masked<T>(value: T, part: Part | undefined, masks: Masks = { mask: MASK, rest: MASK }): T {
    if (search.isEmpty) return value;
    // In a list, so that a text alone has a holder, too.
    const holder = [value];
    const texts = collectTexts(holder, part);
    const changes = maskTexts(texts.spots, search, masks);
    if (changes.size === 0) return value;
    // The cast is safe: only texts and user data change, the shape stays.
    return (applyChanges(texts, changes, masks.mask)[0] ?? value) as T;
  }

  const text = (value: string): string => masked(value, undefined);
  return {
    redact: (event) => (isClean(event, search) ? event : withoutDiffs(event, masked(event, EVENT), text)),
    data: (value, masks) => masked(value, undefined, masks),
    text,
    learn: (more) => search.learn(more),
  };
}

const NO_DIFF = 'left out: the values hold a secret';

/** A diff takes values apart, so that a secret in them is no longer found: leaves out the diffs of values that hold one. */
function withoutDiffs<Event extends object>(
  before: Event,
  after: Event,
  text: (value: string) => string,
): Event {
  const [old, masked] = [fieldsOf(before), fieldsOf(after)];
  const isChanged = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b);
  const isOutput = isChanged(old['output'], masked['output']);
  for (const [index, verdict] of listOf(masked['verdicts']).entries()) {
    const { diff, actual, expected } = fieldsOf(verdict);
    if (typeof diff !== 'string') continue;
    const was = fieldsOf(listOf(old['verdicts'])[index]);
    const plain = diff.replaceAll(/^[-+ ] /gm, '');
    const isTold =
      isOutput ||
      isChanged(was['actual'], actual) ||
      isChanged(was['expected'], expected) ||
      text(plain) !== plain;
    // Masking has copied the event, so that it can be changed.
    if (isTold) fieldsOf(verdict)['diff'] = NO_DIFF;
  }
  return after;
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Cheap test that is true for most events without a secret. Lists of users and agents may hold secrets in pieces. */
function isClean(value: object, search: SecretSearch, depth = 0): boolean {
  if (search.isEmpty) return true;
  if (depth > 5) return false;
  for (const name in value) {
    const field: unknown = Reflect.get(value, name);
    if (typeof field === 'object' && field !== null) {
      const isPieces = Array.isArray(field) && field.length > 1 && !(depth === 0 && PARTS.has(name));
      if (isPieces || !isClean(field, search, depth + 1)) return false;
    } else if (typeof field === 'number') {
      if ((depth > 0 || DATA.has(name)) && search.mayHold(String(field))) return false;
    } else if (typeof field === 'string' && search.mayHold(field)) return false;
    if (depth > 0 && search.mayHold(name)) return false;
  }
  return true;
}

/** A text of a value: a field or item of `holder`, or the name of a field. */
type Spot = Piece & { holder: Container; key: string | number; isName: boolean };
type Container = Record<string | number, unknown>;
/** `copy` may be changed; the original is not. */
type Collected = { copy: unknown[]; spots: Spot[] };
type Visit = { value: object; copy: Container; part: Part | undefined; name: string; depth: number };

/** Copies a value and lists its texts in order. Iterates, because a value may be nested deeply. */
function collectTexts(root: unknown[], part: Part | undefined): Collected {
  const copy = [...root];
  const spots: Spot[] = [];
  // The casts give lists and objects one type: both are read and written by key.
  const stack: Visit[] = [{ value: root, copy: copy as unknown as Container, part, name: '', depth: 0 }];
  for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
    const { value, copy: holder, part: own, name, depth } = visit;
    const isList = Array.isArray(value);
    const inner: Visit[] = [];
    for (const [key, field] of isList ? value.entries() : Object.entries(value)) {
      const { isKept, isCounter, isNameFree, part: fieldPart } = ruleFor(own, key, isList);
      const fieldName = isList ? name : String(key);
      if (isNameFree) spots.push({ holder, key, text: String(key), isName: true });
      if (typeof field === 'string' && !isKept)
        spots.push({ holder, key, text: field, isName: false, stream: `${String(depth)} ${fieldName}` });
      else if (typeof field === 'number' && !isCounter)
        spots.push({ holder, key, text: String(field), isName: false });
      else if (typeof field === 'object' && field !== null) {
        const fieldCopy: unknown = Array.isArray(field) ? [...(field as unknown[])] : { ...field };
        holder[key] = fieldCopy;
        inner.push({
          value: field,
          copy: fieldCopy as Container,
          part: fieldPart,
          name: fieldName,
          depth: depth + 1,
        });
      }
    }
    // The last one pushed is visited first.
    for (const next of inner.reverse()) stack.push(next);
  }
  return { copy, spots };
}

type Rule = {
  /** A text is never masked. */
  isKept?: boolean;
  /** A number is never masked. */
  isCounter?: boolean;
  /** The name of the field comes from users or agents. */
  isNameFree?: boolean;
  /** Which part of the event the field is; undefined for user data. */
  part?: Part | undefined;
};

const DATA_ITEM: Rule = {};
const DATA_FIELD: Rule = { isNameFree: true };

/** The rule for a field of a part, or for an item of a list. */
function ruleFor(part: Part | undefined, key: string | number, isItem: boolean): Rule {
  if (isItem) return part === undefined ? DATA_ITEM : { part };
  const name = String(key);
  if (part === undefined || part.known?.has(name) === false) return DATA_FIELD;
  const inner = PARTS.get(name);
  return { isKept: part.fixed.has(name), isCounter: inner === undefined && !DATA.has(name), part: inner };
}

function applyChanges(
  { copy, spots }: Collected,
  changes: ReadonlyMap<number, string>,
  mask: string,
): unknown[] {
  const renamed = new Map<Container, Map<string, string>>();
  for (const [index, text] of changes) {
    const spot = spots[index];
    if (spot === undefined) continue;
    if (!spot.isName) {
      const isText = typeof spot.holder[spot.key] === 'string';
      spot.holder[spot.key] = isText ? text : mask;
      continue;
    }
    const names = renamed.get(spot.holder) ?? new Map<string, string>();
    renamed.set(spot.holder, names.set(String(spot.key), text));
  }
  for (const [holder, names] of renamed) renameFields(holder, names);
  return copy;
}

/** Renames fields in place and keeps their order. Two fields never get the same name. */
function renameFields(holder: Container, names: ReadonlyMap<string, string>): void {
  const fields = Object.entries(holder);
  for (const [name] of fields) delete holder[name];
  for (const [name, value] of fields) {
    let shown = names.get(name) ?? name;
    while (Object.hasOwn(holder, shown)) shown += '*';
    Object.defineProperty(holder, shown, { value, writable: true, enumerable: true, configurable: true });
  }
}
