// rouge, bleu: the answer has the words of the expected text.

import { bleuScore, rougeScore } from '../../text/word-overlap.ts';
import type { RougeVariant } from '../../text/word-overlap.ts';
import { optional } from '../../schema/object.ts';
import { oneOf } from '../../schema/values.ts';
import type { AssertionType } from '../assertion.ts';
import { THRESHOLD, VALUE } from '../fields.ts';
import { checkWanted, judgeByScore, placeOfComparison } from '../text-score.ts';

const ROUGE_THRESHOLD = 0.75;
const BLEU_THRESHOLD = 0.5;
const VARIANT = oneOf<RougeVariant>('1', '2', 'L');

/** F1 of ROUGE: shared words (1), shared pairs of words (2), or the longest common subsequence of words (L, the default). */
export const rouge: AssertionType = {
  fields: {
    threshold: THRESHOLD,
    value: VALUE,
    variant: optional(VARIANT, '1, 2 or L (the default), for rouge'),
  },
  check: checkWanted,
  place: placeOfComparison,
  judge(assertion, subject) {
    // The check before the run allows nothing else.
    const variant = (assertion['variant'] ?? 'L') as RougeVariant;
    const compare = (wanted: string, text: string): number => rougeScore(wanted, text, variant);
    return judgeByScore(assertion, subject, {
      name: `ROUGE-${variant}`,
      threshold: ROUGE_THRESHOLD,
      compare,
    });
  },
};

/** BLEU of one answer, with up to four words in a row. */
export const bleu: AssertionType = {
  fields: { threshold: THRESHOLD, value: VALUE },
  check: checkWanted,
  place: placeOfComparison,
  judge: (assertion, subject) =>
    judgeByScore(assertion, subject, { name: 'BLEU', threshold: BLEU_THRESHOLD, compare: bleuScore }),
};
