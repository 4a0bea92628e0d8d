// `ctx.memory.user`, `team`, `chat` and `context`: values by key, with counters, lists and sets.

import { plainCopy } from './plain-copy.ts';
import { strict } from './strict.ts';

/** The values of one memory; `until` is a time in milliseconds. */
export type Store = Map<string, { value: unknown; until?: number }>;

export type Namespace = {
  Get(key: string): unknown;
  Set(key: string, value: unknown, ttlSeconds?: number): void;
  Has(key: string): boolean;
  Del(key: string): void;
  GetDel(key: string): unknown;
  Keys(): string[];
  Len(): number;
  Clear(): void;
  Incr(key: string, by?: number): number;
  Decr(key: string, by?: number): number;
  Push(key: string, items: unknown): number;
  Pop(key: string): unknown;
  Pull(key: string, count: number): unknown[];
  PullAll(key: string): unknown[];
  AddToSet(key: string, items: unknown): number;
  ArrayLen(key: string): number;
  ArrayGet(key: string, index: number): unknown;
  ArraySet(key: string, index: number, value: unknown): void;
  ArraySlice(key: string, from: number, to?: number): unknown[];
  ArrayPage(key: string, page: number, size: number): unknown[];
  ArrayAll(key: string): unknown[];
};

/** `label` is for messages: `ctx.memory.user`. */
export function createNamespace(store: Store, label: string): Namespace {
  return strict(label, namespaceMembers(store, label));
}

export function namespaceMembers(store: Store, label: string): Namespace {
  const values = new Values(store, label);
  return { ...keyMembers(values), ...listMembers(values), ...arrayMembers(values) };
}

/** Copies values in and out, as a store outside the process does. */
class Values {
  readonly store: Store;
  readonly #label: string;

  constructor(store: Store, label: string) {
    this.store = store;
    this.#label = label;
  }

  read(key: string): unknown {
    const entry = this.store.get(key);
    if (entry?.until === undefined || entry.until > Date.now()) return entry?.value;
    this.store.delete(key);
    return undefined;
  }

  /** Keeps the time to live of the key. */
  write(key: string, value: unknown): void {
    const until = this.store.get(key)?.until;
    this.store.set(key, until === undefined ? { value } : { value, until });
  }

  copy(value: unknown): unknown {
    return plainCopy(value, this.#label);
  }

  items(value: unknown): unknown[] {
    const copied = this.copy(value);
    return Array.isArray(copied) ? (copied as unknown[]) : [copied];
  }

  list(key: string, member: string): unknown[] {
    const value = this.read(key) ?? [];
    if (Array.isArray(value)) return value as unknown[];
    throw this.error(key, member, 'the value is not a list');
  }

  /** Appends to a list; returns its length. */
  append(key: string, more: unknown[], member: string): number {
    const list = [...this.list(key, member), ...more];
    this.write(key, list);
    return list.length;
  }

  /** Removes and returns the first elements of a list. */
  pull(key: string, count: number, member: string): unknown[] {
    const list = this.list(key, member);
    this.write(key, list.slice(count));
    return list.slice(0, count);
  }

  count(key: string, by: number, member: string): number {
    const before = this.read(key) ?? 0;
    if (typeof before !== 'number' || !Number.isFinite(by))
      throw this.error(key, member, 'the value is not a number');
    this.write(key, before + by);
    return before + by;
  }

  keys(): string[] {
    return [...this.store.keys()].filter((key) => this.read(key) !== undefined);
  }

  error(key: string, member: string, problem: string): TypeError {
    return new TypeError(`${this.#label}.${member}("${key}"): ${problem}`);
  }
}

type KeyMember = 'Get' | 'Set' | 'Has' | 'Del' | 'GetDel' | 'Keys' | 'Len' | 'Clear' | 'Incr' | 'Decr';

function keyMembers(values: Values): Pick<Namespace, KeyMember> {
  const { store } = values;
  return {
    Get: (key) => values.copy(values.read(key)),
    Set(key, value, ttlSeconds) {
      const entry = { value: values.copy(value) };
      const isLimited = typeof ttlSeconds === 'number' && ttlSeconds > 0;
      store.set(key, isLimited ? { ...entry, until: Date.now() + ttlSeconds * 1000 } : entry);
    },
    Has: (key) => values.read(key) !== undefined,
    Del: (key) => void store.delete(key),
    GetDel(key) {
      const value = values.copy(values.read(key));
      store.delete(key);
      return value;
    },
    Keys: () => values.keys(),
    Len: () => values.keys().length,
    Clear: () => store.clear(),
    Incr: (key, by = 1) => values.count(key, by, 'Incr'),
    Decr: (key, by = 1) => values.count(key, -by, 'Decr'),
  };
}

function listMembers(values: Values): Pick<Namespace, 'Push' | 'Pop' | 'Pull' | 'PullAll' | 'AddToSet'> {
  return {
    Push: (key, items) => values.append(key, values.items(items), 'Push'),
    Pop(key) {
      const list = values.list(key, 'Pop');
      values.write(key, list.slice(0, -1));
      return values.copy(list.at(-1));
    },
    Pull: (key, count) => values.pull(key, count, 'Pull'),
    PullAll: (key) => values.pull(key, Infinity, 'PullAll'),
    AddToSet(key, items) {
      const known = new Set(values.list(key, 'AddToSet').map((item) => JSON.stringify(item)));
      const isNew = (item: unknown): boolean => known.size < known.add(JSON.stringify(item)).size;
      return values.append(key, values.items(items).filter(isNew), 'AddToSet');
    },
  };
}

type ArrayMember = 'ArrayLen' | 'ArrayGet' | 'ArraySet' | 'ArraySlice' | 'ArrayPage' | 'ArrayAll';

function arrayMembers(values: Values): Pick<Namespace, ArrayMember> {
  return {
    ArrayLen: (key) => values.list(key, 'ArrayLen').length,
    ArrayGet: (key, index) => values.copy(values.list(key, 'ArrayGet').at(index)),
    ArraySet(key, index, value) {
      const list = [...values.list(key, 'ArraySet')];
      const at = index < 0 ? list.length + index : index;
      if (!Number.isInteger(at) || at < 0 || at >= list.length)
        throw values.error(key, 'ArraySet', `the list has no element ${String(index)}`);
      list[at] = values.copy(value);
      values.write(key, list);
    },
    ArraySlice: (key, from, to) => values.items(values.list(key, 'ArraySlice').slice(from, to)),
    ArrayPage: (key, page, size) =>
      values.items(values.list(key, 'ArrayPage').slice((page - 1) * size, page * size)),
    ArrayAll: (key) => values.items(values.list(key, 'ArrayAll')),
  };
}
