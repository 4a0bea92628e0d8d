import { expect, test } from 'vitest';
import { otherNameHint } from '../../judge/other-names.ts';
import { TYPE_NAMES } from '../../judge/registry.ts';
import { CONVERTERS } from './convert-assertion.ts';

/** The assertions of promptfoo, as its documentation lists them. */
const TYPES =
  'agent-rubric answer-relevance bleu classifier contains contains-all contains-any contains-html contains-json contains-sql contains-xml context-faithfulness context-recall context-relevance conversation-relevance cost equals factuality finish-reason g-eval gleu guardrails icontains icontains-all icontains-any is-html is-json is-refusal is-sql is-valid-function-call is-valid-openai-function-call is-valid-openai-tools-call is-xml javascript latency levenshtein llm-rubric max-score meteor model-graded-closedqa model-graded-factuality moderation perplexity perplexity-score pi python regex rouge-n ruby search-rubric select-best similar similar:cosine similar:dot similar:euclidean skill-used starts-with tool-call-f1 trace-error-spans trace-span-count trace-span-duration trajectory:goal-success trajectory:step-count trajectory:tool-args-match trajectory:tool-sequence trajectory:tool-used webhook word-count'.split(
    ' ',
  );
/** Assay has something like it, but not the same thing. */
const ONLY_ADVICE = ['ruby'];

test('what has an equivalent in the hints is converted, and nothing else', () => {
  const hinted = TYPES.filter((type) =>
    /^(?:write|did you mean)/.test(otherNameHint(type, TYPE_NAMES) ?? ''),
  );
  expect(hinted.filter((type) => !ONLY_ADVICE.includes(type))).toEqual(
    TYPES.filter((type) => Object.hasOwn(CONVERTERS, type)),
  );
  expect(Object.keys(CONVERTERS).sort()).toEqual(TYPES.filter((type) => Object.hasOwn(CONVERTERS, type)));
});

test('every assertion of promptfoo has a hint', () => {
  expect(TYPES.filter((type) => otherNameHint(type, TYPE_NAMES) === undefined)).toEqual([]);
});
