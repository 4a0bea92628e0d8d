// Selects tests by id, by a pattern of ids, or by tag.

import type { TestDefinition } from '../model/definition.ts';
import { nearest } from '../text/nearest.ts';
import { quote } from '../text/quote.ts';
import { matchesWildcard } from '../text/wildcard.ts';

/** The selected tests, and the problem to report if no test matches. */
export type Selected<T> = { tests: T[]; problem: string; hint?: string };

/** `greeting`, `greet*` or `tag:smoke`. */
export function selectTests<T extends Pick<TestDefinition, 'id' | 'tags'>>(
  all: readonly T[],
  wanted: string,
): Selected<T> {
  const tag = wanted.startsWith('tag:') ? wanted.slice('tag:'.length) : undefined;
  if (tag !== undefined) {
    const tests = all.filter(({ tags = [] }) => tags.includes(tag));
    const tags = [...new Set(all.flatMap((test) => test.tags ?? []))];
    return { tests, problem: `no test has the tag ${quote(tag)}`, ...remedy(tag, tags) };
  }
  const tests = all.filter(({ id }) => matchesWildcard(wanted, id));
  const ids = all.map(({ id }) => id);
  return { tests, problem: `no test ${quote(wanted)}`, ...remedy(wanted, ids) };
}

function remedy(wanted: string, names: readonly string[]): { hint?: string } {
  const near = nearest(wanted, names);
  if (near.length > 0) return { hint: `did you mean ${near.join(', ')}?` };
  return names.length === 0 ? {} : { hint: `there is ${names.slice(0, 10).join(', ')}` };
}
