// Assertions on measurements and on distances between texts.

import type { AssertionContext, Converter, GivenAssertion, Written } from './given.ts';

export const MEASURES: Record<string, Converter> = {
  bleu(given, context) {
    context.losses.changed(
      given.at,
      given.name,
      'the score is smoothed here, so that short answers score higher than in promptfoo',
      'run it once and look whether the threshold still fits',
    );
    return reference('bleu', given, context, given.threshold ?? 0.5);
  },
  cost: (given, context) => limit('cost', given, context),
  latency: (given, context) => limit('latency', given, context),
  levenshtein: levenshtein,
  'rouge-n'(given, context) {
    context.losses.changed(
      given.at,
      given.name,
      'promptfoo compares with regard to case and divides by other counts of words; here it is the F1 of shared words',
      'run it once and look whether the threshold still fits',
    );
    const written = reference('rouge', given, context, given.threshold ?? 0.75);
    return written && { ...written, variant: '1' };
  },
};

function limit(
  type: string,
  { threshold, at, name }: GivenAssertion,
  { losses }: AssertionContext,
): Written | undefined {
  if (threshold !== undefined) return { type, value: threshold };
  return void losses.missing(at, name, 'it has no threshold', 'every report has durations and costs anyway');
}

function reference(
  type: string,
  { value, at, name }: GivenAssertion,
  { losses }: AssertionContext,
  threshold: number,
): Written | undefined {
  const isText = typeof value === 'string' || (Array.isArray(value) && value.length > 0);
  if (isText) return { type, value, threshold };
  return void losses.missing(at, name, 'it needs a text as value');
}

function levenshtein(given: GivenAssertion, { losses }: AssertionContext): Written | undefined {
  const { value, threshold = 5, at, name } = given;
  if (typeof value !== 'string') return void losses.missing(at, name, 'it needs a text as value');
  return { type: 'levenshtein', value, max_distance: Math.floor(threshold) };
}
