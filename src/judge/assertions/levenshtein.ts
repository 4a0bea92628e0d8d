// levenshtein: few edits turn the answer into the expected text.

import { countEdits } from '../../text/edit-distance.ts';
import { optional } from '../../schema/object.ts';
import { integer, that } from '../../schema/values.ts';
import type { AssertionType } from '../assertion.ts';
import { describeDiff } from '../diff.ts';
import { IGNORE_CASE, isShare, VALUE } from '../fields.ts';
import { answerText } from '../output.ts';
import { checkWanted, judgeByScore, placeOfComparison, wantedTexts } from '../text-score.ts';

const DEFAULT_THRESHOLD = 0.8;

/** The similarity is 1 − edits / length of the longer text; with `max_distance`, the number of edits decides. */
export const levenshtein: AssertionType = {
  fields: {
    ignore_case: IGNORE_CASE,
    max_distance: optional(
      integer('a whole number from 0', { minimum: 0 }),
      'The most edits that pass, for levenshtein',
    ),
    threshold: optional(
      that<number>(
        'a number from 0 to 1',
        { type: 'number', minimum: 0, maximum: 1 },
        isShare,
        'for a number of edits, write "max_distance"',
      ),
    ),
    value: VALUE,
  },
  check(assertion) {
    const { max_distance, threshold } = assertion;
    const problems = checkWanted(assertion);
    if (max_distance === undefined || threshold === undefined) return problems;
    return [...problems, { message: '"levenshtein" has "threshold" and "max_distance": use one of them' }];
  },
  place: placeOfComparison,
  judge(assertion, subject) {
    const { ignore_case, max_distance: limit } = assertion;
    const fold = (text: string): string => (ignore_case === true ? text.toLowerCase() : text);
    if (typeof limit !== 'number') {
      const compare = (wanted: string, text: string): number =>
        countEdits(fold(wanted), fold(text)).similarity;
      return judgeByScore(assertion, subject, { name: 'similarity', threshold: DEFAULT_THRESHOLD, compare });
    }

    const text = answerText(subject.output);
    const compared = wantedTexts(assertion.value, subject.expected).map((wanted) => {
      return { wanted, found: countEdits(fold(wanted), fold(text)) };
    });
    const best = compared.reduce((low, next) => (next.found.edits < low.found.edits ? next : low));
    const { edits, similarity: score } = best.found;
    if (edits <= limit) return { pass: true, score };
    const { value: expected = subject.expected } = assertion;
    const message = `${edits} edits away from the expected text, wanted at most ${limit}`;
    return {
      pass: false,
      message,
      expected,
      actual: subject.output,
      diff: describeDiff(best.wanted, text),
      score,
    };
  },
};
