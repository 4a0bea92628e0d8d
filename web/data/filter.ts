// Filters and sorts cases by the query of the address.

import type { Status } from '../../src/model/outcome.ts';
import { causeKey } from '../../src/report/fold/causes.ts';
import { readableText } from '../../src/text/untrusted.ts';
import { variableText } from '../../src/report/text/variable-text.ts';
import { instability, caseResult, settledStatus } from './figures.ts';
import type { Case } from './run-data.ts';

export type Filter = {
  /** Words that must all occur. */
  words: string[];
  statuses: Set<string>;
  tag: string | undefined;
  test: string | undefined;
  cause: string | undefined;
  variables: [name: string, value: string][];
  sort: Sort;
  isDescending: boolean;
};

const SORTS = ['log', 'name', 'status', 'duration', 'rate', 'stability', 'cost'] as const;
export type Sort = (typeof SORTS)[number];

export function readFilter(query: URLSearchParams): Filter {
  const sort = query.get('sort') ?? '';
  const name = sort.replace(/^-/, '');
  return {
    words: (query.get('q') ?? '')
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== ''),
    statuses: new Set((query.get('status') ?? '').split(',').filter((word) => word !== '')),
    tag: query.get('tag') ?? undefined,
    test: query.get('test') ?? undefined,
    cause: query.get('cause') ?? undefined,
    variables: [...query]
      .filter(([key, value]) => key.startsWith('var.') && value !== '')
      .map(([key, value]) => [key.slice('var.'.length), value]),
    sort: SORTS.find((one) => one === name) ?? 'log',
    isDescending: sort.startsWith('-'),
  };
}

/** The matching cases in order, and counts per status that ignore the status filter. */
export function filtered(
  cases: readonly Case[],
  filter: Filter,
  nameOf: (one: Case) => string,
): { found: Case[]; counts: Record<Status, number> } {
  const counts: Record<Status, number> = { error: 0, failed: 0, passed: 0, skipped: 0, timeout: 0 };
  const found: Case[] = [];
  for (const one of cases) {
    if (!isWanted(one, filter)) continue;
    const status = settledStatus(one.settled);
    counts[status] += 1;
    if (filter.statuses.size === 0 || filter.statuses.has(status)) found.push(one);
  }
  return { found: sorted(found, filter, nameOf), counts };
}

function isWanted(one: Case, { words, tag, test, cause, variables }: Filter): boolean {
  const [{ light }] = one.attempts;
  if (tag !== undefined && light.tags?.includes(tag) !== true) return false;
  if (test !== undefined && light.test_id !== test) return false;
  for (const [name, value] of variables) if (variableText(light.variables?.[name]) !== value) return false;
  if (cause !== undefined) {
    const result = caseResult(one);
    if (result === undefined || result.status === 'passed' || causeKey(result) !== cause) return false;
  }
  if (words.length === 0) return true;
  const text = textToSearch(one);
  return words.every((word) => text.includes(word));
}

const known = new WeakMap<Case['settled'], string>();

function textToSearch(one: Case): string {
  const before = known.get(one.settled);
  if (before !== undefined) return before;
  const parts = one.attempts.flatMap(({ light }) => [light.error ?? '', light.skip_message ?? '']);
  const [{ light }] = one.attempts;
  const variables = Object.entries(light.variables ?? {}).map(
    ([name, value]) => `${name}=${readableText(value)}`,
  );
  const text = [
    light.id,
    light.test_id,
    light.description ?? '',
    readableText(light.input ?? ''),
    ...(light.tags ?? []),
    ...variables,
    ...new Set(parts),
  ]
    .join('\n')
    .toLowerCase();
  known.set(one.settled, text);
  return text;
}

const ORDER: Record<Status, number> = { failed: 0, error: 1, timeout: 2, passed: 3, skipped: 4 };

function sorted(cases: Case[], { sort, isDescending }: Filter, nameOf: (one: Case) => string): Case[] {
  if (sort !== 'log') {
    const key = sortKey(sort, nameOf);
    const keyed = cases.map((one) => ({ one, key: key(one) }));
    keyed.sort((a, b) => compare(a.key, b.key) || a.one.number - b.one.number);
    for (const [at, { one }] of keyed.entries()) cases[at] = one;
  }
  return isDescending ? cases.reverse() : cases;
}

function sortKey(sort: Sort, nameOf: (one: Case) => string): (one: Case) => number | string {
  switch (sort) {
    case 'name':
      return nameOf;
    case 'status':
      return ({ settled }) => ORDER[settledStatus(settled)];
    case 'duration':
      return (one) => caseResult(one)?.duration_ms ?? -1;
    case 'rate':
      return (one) => caseResult(one)?.pass_rate ?? -1;
    case 'stability':
      return instability;
    case 'cost':
      return (one) => one.attempts.reduce((sum, { light }) => sum + (light.cost_usd ?? 0), 0);
    case 'log':
      return ({ number }) => number;
  }
}

function compare(a: number | string, b: number | string): number {
  if (typeof a === 'string' && typeof b === 'string') return COLLATOR.compare(a, b);
  return Number(a) - Number(b);
}

const COLLATOR = new Intl.Collator('en', { numeric: true });
