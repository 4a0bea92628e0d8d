// Names of assertions in promptfoo, DeepEval, Inspect, autoevals and evalite, with what to write here.

const CRITERIA = 'write {"type": "agent", "value": "<the criteria>"}';
const NO_CLASSIFIER = `there is no equivalent; let a judge decide: ${CRITERIA}`;
const NO_EQUIVALENT = 'there is no equivalent; write a "script"';
const NO_RETRIEVAL = 'there is no equivalent: Assay does not see what was retrieved; write a "script"';
const NO_TRACE =
  'there is no equivalent for traces; "tool_called", "tool_result" and "trajectory" judge tool calls';
const NO_RANKING = 'there is no equivalent for one case; assay compare and --against compare whole runs';
const CALLS = 'write {"type": "trajectory"} or {"type": "tool_called"}';

/** The hints, and the names that each is for. */
const HINTS: [hint: string, names: string][] = [
  // texts
  ['write {"type": "equals"}', 'exact, ExactMatch, ExactMatchMetric'],
  ['write {"type": "icontains"}', 'includes'],
  ['write {"type": "contains_any", "ignore_case": true}', 'icontains-any'],
  ['write {"type": "contains_all", "ignore_case": true}', 'icontains-all'],
  ['write {"type": "contains_all"}', 'ListContains'],
  ['write {"type": "ends_with", "ignore_case": true}, or "starts_with"', 'match'],
  ['write {"type": "regex"}', 'pattern, answer, PatternMatchMetric'],
  ['write {"type": "length", "value": {"min": …, "max": …, "unit": "words"}}', 'word-count'],
  // JSON and other formats
  ['write {"type": "is_json"}', 'ValidJSON'],
  ['write {"type": "is_json", "in_text": true}', 'contains-json'],
  ['write {"type": "schema", "value": <a JSON Schema>}', 'JsonCorrectnessMetric, json-schema'],
  ['write {"type": "equals"} or {"type": "json_path"}', 'JSONDiff'],
  [
    NO_EQUIVALENT,
    'is-html, contains-html, is-sql, contains-sql, Sql, is-xml, contains-xml, NumericDiff, math',
  ],
  // scores
  ['write {"type": "rouge", "variant": "1"}', 'rouge-n, f1'],
  ['write {"type": "rouge", "variant": "L"}', 'rouge-l'],
  [
    'there is no equivalent; {"type": "rouge"} and {"type": "bleu"} compare words, too',
    'gleu, meteor, rouge-s',
  ],
  [
    'write {"type": "similar", "connector": "<of an embedding model>"}',
    'similar:cosine, EmbeddingSimilarity, AnswerSimilarity',
  ],
  ['there is no equivalent; {"type": "similar"} compares by the cosine', 'similar:dot, similar:euclidean'],
  [NO_EQUIVALENT, 'perplexity, perplexity-score, finish-reason'],
  // code
  ['write {"type": "expression"}, or {"type": "script"} for a function', 'javascript'],
  ['write {"type": "script", "script": "<file>.py:<function>"}', 'python'],
  ['write {"type": "command"}, which runs a program', 'ruby'],
  ['write {"type": "script"}: a function can send a request', 'webhook'],
  // judges
  [
    CRITERIA,
    'llm-rubric, agent-rubric, model-graded-closedqa, ClosedQA, model_graded_qa, conversation-relevance, Humor, Possible, Security, Summary, Translation, SummarizationMetric, PromptAlignmentMetric, RoleAdherenceMetric, KnowledgeRetentionMetric, ConversationCompletenessMetric, TurnRelevancyMetric, TaskCompletionMetric, trajectory:goal-success, GoalAccuracyMetric, TopicAdherenceMetric, PlanAdherenceMetric, PlanQualityMetric, StepEfficiencyMetric',
  ],
  ['write {"type": "agent", "preset": "g_eval"}', 'g-eval, GEval, ConversationalGEval'],
  [
    'write {"type": "agent", "preset": "factual"}',
    'factuality, model-graded-factuality, model_graded_fact, AnswerCorrectness',
  ],
  [
    'write {"type": "agent", "preset": "relevant"}',
    'answer-relevance, AnswerRelevancy, AnswerRelevancyMetric',
  ],
  [
    'write {"type": "agent", "preset": "faithful"}',
    'context-faithfulness, Faithfulness, FaithfulnessMetric, HallucinationMetric',
  ],
  ['write {"type": "agent", "preset": "refuses"}', 'is-refusal'],
  [
    NO_RETRIEVAL,
    'context-recall, context-relevance, ContextEntityRecall, ContextPrecision, ContextRelevancy, ContextualPrecisionMetric, ContextualRecallMetric, ContextualRelevancyMetric, RagasMetric, noiseSensitivity',
  ],
  [`there is no search in judges; ${CRITERIA}`, 'search-rubric'],
  [
    NO_CLASSIFIER,
    'classifier, moderation, guardrails, pi, BiasMetric, ToxicityMetric, PIILeakageMetric, NonAdviceMetric, MisuseMetric, RoleViolationMetric, DAGMetric',
  ],
  [NO_RANKING, 'max-score, Battle, ArenaGEval'],
  // tools
  ['write {"type": "tool_called"}', 'trajectory:tool-used, trajectory:tool-args-match'],
  ['write {"type": "trajectory"}', 'trajectory:tool-sequence'],
  [CALLS, 'tool-call-f1, ToolCorrectnessMetric, ArgumentCorrectnessMetric, ToolUseMetric, toolCallAccuracy'],
  [NO_EQUIVALENT, 'trajectory:step-count, skill-used, MCPUseMetric, choice'],
  [NO_EQUIVALENT, 'is-valid-function-call, is-valid-openai-function-call, is-valid-openai-tools-call'],
  [NO_TRACE, 'trace-error-spans, trace-span-count, trace-span-duration'],
  // several
  ['write {"type": "all_of"} or {"type": "any_of"}; a case with weights has "pass_score"', 'assert-set'],
  ['there is no equivalent: a person cannot judge during a run', 'human'],
];

const BY_NAME = new Map(
  HINTS.flatMap(([hint, names]) => names.split(', ').map((name) => [plain(name), hint])),
);

/**
 * The hint for the name of an assertion in another tool, or for one of `own` in another spelling; undefined for other names.
 * @example otherNameHint('llm-rubric', own) // 'write {"type": "agent", "value": "<the criteria>"}'
 */
export function otherNameHint(name: string, own: readonly string[]): string | undefined {
  const wanted = plain(name);
  const positive = wanted.startsWith('not') ? wanted.slice('not'.length) : undefined;
  const hint = hintFor(wanted, own);
  if (hint !== undefined || positive === undefined) return hint;
  const same = own.find((type) => plain(type) === positive);
  const turned = same === undefined ? BY_NAME.get(positive) : `write {"type": "${same}"}`;
  return turned?.startsWith('write') === true ? `${turned} with "negate": true` : turned;
}

function hintFor(wanted: string, own: readonly string[]): string | undefined {
  const same = own.find((type) => plain(type) === wanted);
  if (same !== undefined) return `did you mean "${same}"?`;
  return wanted.startsWith('promptfoo:') ? NO_EQUIVALENT : BY_NAME.get(wanted);
}

/** `starts-with`, `startsWith` and `starts_with` are the same name. */
function plain(name: string): string {
  return name
    .slice(0, 200)
    .toLowerCase()
    .replaceAll(/[-_ .]/g, '');
}
