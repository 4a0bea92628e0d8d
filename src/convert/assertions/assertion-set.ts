// `assert-set`: all of its assertions, or enough of them, must hold.

import { isObject } from '../../json/is-object.ts';
import type { Source } from '../source/source.ts';
import { items, member } from '../source/source.ts';
import type { AssertionContext, Written } from './given.ts';

/** More combinations are hard to read. */
const MAX_COMBINATIONS = 20;
/** Assertions with a score of their own. Others count 1 or 0, so that a number of them is enough. */
const SCORED = ['agent', 'bleu', 'expression', 'levenshtein', 'rouge', 'script', 'similar'];

export function convertSet(source: Source, context: AssertionContext): Written | undefined {
  const at = source.at();
  const { threshold } = isObject(source.value) ? source.value : {};
  const given = items(member(source, 'assert'));
  const inner = given.map((one) => context.convert(one)).filter((one) => one !== undefined);
  if (inner.length === 0)
    return void context.losses.missing(at, 'assert: assert-set', 'nothing of it could be carried over');
  const isWhole = inner.length === given.length;
  const parts = inner.map((one) => withoutShare(one, at, context));
  if (typeof threshold !== 'number') return { type: 'all_of', value: parts };

  const isCounted =
    isWhole &&
    inner.every(
      (one) =>
        one['weight'] === undefined && one['advisory'] === undefined && !SCORED.includes(String(one['type'])),
    );
  const needed = Math.ceil(threshold * parts.length - 1e-9);
  const combinations = isCounted && needed > 0 ? choose(parts, needed) : undefined;
  if (combinations === undefined)
    return void context.losses.missing(
      at,
      'assert: assert-set: threshold',
      isWhole
        ? 'scores and weights inside of a set have no equivalent'
        : 'some of its assertions could not be carried over',
      'write a case of its own with "weight" and "pass_score" (docs/assertions.md#weight-and-pass_score)',
    );
  if (needed === parts.length) return { type: 'all_of', value: parts };
  if (needed === 1) return { type: 'any_of', value: parts };
  return { type: 'any_of', value: combinations.map((some) => ({ type: 'all_of', value: some })) };
}

/** `weight`, `metric` and `advisory` belong to the set. */
function withoutShare(written: Written, at: string, { losses }: AssertionContext): Written {
  const { weight, metric, advisory, ...rest } = written;
  if (weight !== undefined || metric !== undefined || advisory !== undefined)
    losses.missing(
      at,
      'assert: assert-set: weight or metric of an assertion',
      'an assertion inside of a set has neither',
      'take it out of the set',
    );
  return rest;
}

/** Every choice of `count` parts; undefined if there are too many. */
function choose(parts: readonly Written[], count: number): Written[][] | undefined {
  let found: Written[][] = [[]];
  let next: { some: Written[]; from: number }[] = [{ some: [], from: 0 }];
  for (let size = 0; size < count; size += 1) {
    next = next.flatMap(({ some, from }) =>
      parts.slice(from).map((part, offset) => ({ some: [...some, part], from: from + offset + 1 })),
    );
    if (next.length > MAX_COMBINATIONS * 10) return undefined;
  }
  found = next.map(({ some }) => some);
  return found.length > MAX_COMBINATIONS ? undefined : found;
}
