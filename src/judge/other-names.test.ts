import { expect, test } from 'vitest';
import { otherNameHint } from './other-names.ts';
import { TYPE_NAMES } from './registry.ts';

const CRITERIA = 'write {"type": "agent", "value": "<the criteria>"}';

test.each([
  ['llm-rubric', CRITERIA],
  ['model_graded_qa', CRITERIA],
  ['factuality', 'write {"type": "agent", "preset": "factual"}'],
  ['AnswerRelevancyMetric', 'write {"type": "agent", "preset": "relevant"}'],
  ['FaithfulnessMetric', 'write {"type": "agent", "preset": "faithful"}'],
  ['is-refusal', 'write {"type": "agent", "preset": "refuses"}'],
  ['GEval', 'write {"type": "agent", "preset": "g_eval"}'],
  ['javascript', 'write {"type": "expression"}, or {"type": "script"} for a function'],
  ['python', 'write {"type": "script", "script": "<file>.py:<function>"}'],
  ['rouge-n', 'write {"type": "rouge", "variant": "1"}'],
  ['includes', 'write {"type": "icontains"}'],
  ['is-sql', 'there is no equivalent; write a "script"'],
  ['context-recall', 'there is no equivalent: Assay does not see what was retrieved; write a "script"'],
  ['trajectory:tool-used', 'write {"type": "tool_called"}'],
  ['promptfoo:redteam:bola', 'there is no equivalent; write a "script"'],
  // ours in another spelling
  ['starts-with', 'did you mean "starts_with"?'],
  ['startsWith', 'did you mean "starts_with"?'],
  ['is-json', 'did you mean "is_json"?'],
  ['Levenshtein', 'did you mean "levenshtein"?'],
  ['not-contains', 'did you mean "not_contains"?'],
  // negated
  ['not-starts-with', 'write {"type": "starts_with"} with "negate": true'],
  ['not-llm-rubric', `${CRITERIA} with "negate": true`],
  ['not-is-sql', 'there is no equivalent; write a "script"'],
])('%s: %s', (name, hint) => {
  expect(otherNameHint(name, TYPE_NAMES)).toBe(hint);
});

test.each(['equal', 'nothing', 'constructor', '', 'x'.repeat(10_000)])(
  '%s is no name of another tool',
  (name) => {
    expect(otherNameHint(name, TYPE_NAMES)).toBeUndefined();
  },
);

/** The names in promptfoo's list of assertion types that are not names of ours in another spelling. */
const PROMPTFOO =
  `answer-relevance bleu classifier contains contains-all contains-any contains-html contains-json
  contains-sql contains-xml context-faithfulness context-recall context-relevance conversation-relevance cost equals
  factuality finish-reason g-eval gleu guardrails icontains icontains-all icontains-any is-html is-json is-refusal is-sql
  is-valid-function-call is-valid-openai-function-call is-valid-openai-tools-call is-xml javascript latency levenshtein
  llm-rubric agent-rubric meteor model-graded-closedqa model-graded-factuality moderation perplexity perplexity-score pi
  python regex rouge-n rouge-l rouge-s ruby search-rubric similar similar:cosine similar:dot similar:euclidean skill-used
  starts-with tool-call-f1 trace-error-spans trace-span-count trace-span-duration trajectory:goal-success
  trajectory:step-count trajectory:tool-args-match trajectory:tool-sequence trajectory:tool-used webhook word-count
  select-best max-score human assert-set`.split(/\s+/);

test('every assertion type of promptfoo is one of ours or has a hint, and so has its negation', () => {
  const isOurs = (name: string): boolean => TYPE_NAMES.includes(name);
  const unknown = PROMPTFOO.flatMap((name) => [name, `not-${name}`]).filter(
    (name) => !isOurs(name) && otherNameHint(name, TYPE_NAMES) === undefined,
  );
  expect(unknown).toEqual([]);
});
