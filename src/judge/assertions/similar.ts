// similar: the answer is similar to an expected text.

import type { Spending } from '../../model/spending.ts';
import { raceSignal } from '../../platform/race.ts';
import { cosineSimilarity, textSimilarity } from '../../text/similarity.ts';
import type { AssertionType, JudgeDeps, Judgement } from '../assertion.ts';
import { describeDiff } from '../diff.ts';
import { answerText } from '../output.ts';
import { connectorName } from '../connector-name.ts';
import { NO_PROBLEMS } from '../assertion.ts';
import { roundDown } from '../../text/round-down.ts';
import { CONNECTOR, THRESHOLD, VALUE } from '../fields.ts';

const DEFAULT_THRESHOLD = 0.8;

/**
 * Compares the answer with the value, or with `expected` of the case if there is no value: by characters, or, with a
 * connector, by the vectors of an embedding model.
 */
export const similar: AssertionType = {
  fields: { connector: CONNECTOR, threshold: THRESHOLD, value: VALUE },
  check: () => NO_PROBLEMS,
  place: (assertion) => (connectorName(assertion) === undefined ? undefined : 'here'),
  judge(assertion, { output, expected }, deps) {
    const wanted = assertion.value === undefined ? expected : assertion.value;
    if (wanted === undefined)
      throw new Error('nothing to compare with: the assertion has no "value" and the case no "expected"');
    const threshold = typeof assertion['threshold'] === 'number' ? assertion['threshold'] : DEFAULT_THRESHOLD;
    const texts = [answerText(wanted), answerText(output)] as const;
    const connector = connectorName(assertion);
    // Embedding models reject empty texts.
    const isEmpty = texts.some((text) => text.trim() === '');
    if (connector === undefined || isEmpty) return decide(textSimilarity(...texts));
    return embeddedSimilarity(connector, texts, deps).then(({ score, ...spent }) => {
      return { ...decide(score), ...spent };
    });

    function decide(score: number): Judgement {
      if (score >= threshold) return { pass: true, score };
      const way = connector === undefined ? ' of the spelling' : '';
      const message = `similarity${way} ${roundDown(score)}, wanted at least ${threshold}`;
      return { pass: false, message, expected: wanted, actual: output, diff: describeDiff(...texts), score };
    }
  },
};

async function embeddedSimilarity(
  connector: string,
  texts: readonly [string, string],
  deps: JudgeDeps,
): Promise<Spending & { score: number }> {
  const { vectors, ...spent } = await raceSignal(deps.embed(connector, [...texts]), deps.signal);
  const [first, second] = vectors;
  if (first === undefined || second === undefined || vectors.length !== texts.length)
    throw new Error(`connector "${connector}" gave ${vectors.length} vectors for ${texts.length} texts`);
  return { score: cosineSimilarity(first, second), ...spent };
}
