// An assertion in a cell of a table: `contains: yes`, `similar(0.8): hello`, or the exact answer.

type Assertion = Record<string, unknown>;

const LISTS = ['contains-all', 'contains-any', 'icontains-all', 'icontains-any'];
/** Types whose number in parentheses has a default. */
const WITH_THRESHOLD: Record<string, number> = {
  'answer-relevance': 0.75,
  bleu: 0.5,
  'context-faithfulness': 0.75,
  'context-recall': 0.75,
  'context-relevance': 0.75,
  levenshtein: 0.75,
  'rouge-n': 0.75,
  similar: 0.8,
};
const CODE = /^file:\/\/.*\.(?:py|[cm]?[jt]s)(?::\w+)?$/;
const TYPES =
  /^(not-)?(answer-relevance|bleu|classifier|contains|contains-all|contains-any|contains-html|contains-json|contains-sql|contains-xml|context-faithfulness|context-recall|context-relevance|cost|equals|factuality|finish-reason|g-eval|gleu|guardrails|icontains|icontains-all|icontains-any|is-html|is-json|is-refusal|is-sql|is-valid-function-call|is-valid-openai-function-call|is-valid-openai-tools-call|is-xml|javascript|latency|levenshtein|llm-rubric|meteor|model-graded-closedqa|model-graded-factuality|moderation|perplexity|perplexity-score|pi|python|regex|rouge-n|ruby|select-best|similar|starts-with|tool-call-f1|webhook|word-count)(?:\((\d+(?:\.\d+)?)\))?(?::([^]*))?$/;

export function assertionFromText(cell: string): Assertion {
  const text = cell.trim();
  const [, short, rest = ''] = /^(javascript|fn|eval|grade|python):([^]*)$/.exec(text) ?? [];
  if (short === 'grade') return { type: 'llm-rubric', value: rest.trim() };
  if (short !== undefined) return { type: short === 'python' ? 'python' : 'javascript', value: rest.trim() };
  if (CODE.test(text)) return { type: /\.py(?::\w+)?$/.test(text) ? 'python' : 'javascript', value: text };

  const [, not = '', type, number, value] = TYPES.exec(text) ?? [];
  if (type === undefined) return { type: 'equals', value: cell };
  const threshold = number === undefined ? WITH_THRESHOLD[type] : Number.parseFloat(number);
  const given = value?.trim();
  return {
    type: `${not}${type}`,
    ...(given !== undefined && { value: LISTS.includes(type) ? splitList(given) : given }),
    ...(threshold !== undefined && { threshold }),
  };
}

/** Texts between commas; one with a comma of its own is in quotes. */
export function splitList(text: string): string[] {
  return [...text.matchAll(/\s*(?:"((?:[^"\\]|\\.|"")*)"|([^,]*))\s*(?:,|$)/g)]
    .map(([, quoted, plain]) => quoted?.replaceAll(/""|\\"/g, '"') ?? (plain ?? '').trim())
    .filter((part) => part !== '');
}
