// What assertions share that compare the answer with a text and give a score from 0 to 1.

import type { Problem } from '../errors.ts';
import type { Assertion } from '../model/case.ts';
import { quote } from '../text/quote.ts';
import { roundDown } from '../text/round-down.ts';
import type { Judgement, Subject } from './assertion.ts';
import { NO_PROBLEMS } from './assertion.ts';
import { describeDiff } from './diff.ts';
import { answerText } from './output.ts';

/** A longer text may take long to compare, even with a small answer. */
const LONG = 4 * 1024;

/** A list as `value` is one of texts. */
export function checkWanted({ type, value }: Assertion): readonly Problem[] {
  if (!Array.isArray(value)) return NO_PROBLEMS;
  if (value.length === 0) return [{ message: `the list of "${type}" is empty` }];
  const index = value.findIndex((text) => typeof text !== 'string');
  if (index === -1) return NO_PROBLEMS;
  return [{ message: `"${type}" needs a list of texts, not ${quote(value[index])} in it` }];
}

/** The texts to compare with: `value`, else `expected` of the case; of a list of texts, the most similar one counts. */
export function wantedTexts(value: unknown, expected: unknown): string[] {
  const wanted = value === undefined ? expected : value;
  if (wanted === undefined)
    throw new Error('nothing to compare with: the assertion has no "value" and the case no "expected"');
  const isList =
    Array.isArray(wanted) && wanted.length > 0 && wanted.every((text) => typeof text === 'string');
  return isList ? wanted : [answerText(wanted)];
}

/** For comparisons whose time grows with the product of both lengths. */
export function placeOfComparison({ value }: Assertion, expected: unknown): 'apart' | undefined {
  const wanted = value === undefined ? expected : value;
  return answerText(wanted).length > LONG ? 'apart' : undefined;
}

/** Judges by the best score that `compare` gives to one of the wanted texts. */
export function judgeByScore(
  assertion: Assertion,
  { output, expected }: Subject,
  { name, threshold: standard, compare }: ScoreRule,
): Judgement {
  const threshold = typeof assertion['threshold'] === 'number' ? assertion['threshold'] : standard;
  const text = answerText(output);
  const wanted = wantedTexts(assertion.value, expected);
  const scored = wanted.map((one) => ({ one, score: compare(one, text) }));
  const best = scored.reduce((high, next) => (next.score > high.score ? next : high));
  if (best.score >= threshold) return { pass: true, score: best.score };
  return {
    pass: false,
    message: `${name} ${roundDown(best.score)}, wanted at least ${threshold}`,
    expected: assertion.value === undefined ? expected : assertion.value,
    actual: output,
    diff: describeDiff(best.one, text),
    score: best.score,
  };
}

type ScoreRule = {
  /** The score in messages. */
  name: string;
  /** The threshold of an assertion without one. */
  threshold: number;
  compare(wanted: string, text: string): number;
};
