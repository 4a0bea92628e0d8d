// Assertions that a model judges.

import { isObject } from '../../json/is-object.ts';
import type { AssertionContext, Converter, GivenAssertion, Written } from './given.ts';

export const JUDGES: Record<string, Converter> = {
  'agent-rubric': rubric,
  'answer-relevance'(given, context) {
    if (given.threshold !== undefined)
      context.losses.changed(
        given.at,
        `${given.name}: threshold`,
        'promptfoo compares questions by their embeddings; here a judge gives the score',
        'run it once and look whether the threshold still fits',
      );
    return judged(given, context, { preset: 'relevant', ...withThreshold(given) });
  },
  'context-faithfulness': faithful,
  'conversation-relevance': (given, context) =>
    judged(given, context, {
      value: 'Every answer of the assistant is relevant to the conversation so far.',
      ...withThreshold(given),
    }),
  factuality: factual,
  'g-eval': gEval,
  'is-refusal'(given, context) {
    context.losses.changed(
      given.at,
      given.name,
      'promptfoo looks for phrases of refusals; here a judge decides',
    );
    return judged(given, context, { preset: 'refuses' });
  },
  'llm-rubric': rubric,
  'model-graded-closedqa': rubric,
  'model-graded-factuality': factual,
  'select-best': selectBest,
  similar,
  'similar:cosine': similar,
  'trajectory:goal-success': (given, context) =>
    rubric({ ...given, value: isObject(given.value) ? given.value['goal'] : given.value }, context),
};

/** An `agent` assertion with the connector of the judge. */
function judged({ fields, at, name }: GivenAssertion, context: AssertionContext, written: Written): Written {
  if (fields['rubricPrompt'] !== undefined)
    context.losses.missing(
      at,
      `${name}: rubricPrompt`,
      'the built-in judge has its own words',
      'write a judge as an agent and name it with "use" (docs/assertions.md#agent)',
    );
  return { type: 'agent', ...written, connector: context.judge(fields['provider'] ?? context.provider, at) };
}

function withThreshold({ threshold }: GivenAssertion): Written {
  return threshold === undefined ? {} : { threshold };
}

function rubric(given: GivenAssertion, context: AssertionContext): Written | undefined {
  const { value, at, name } = given;
  if (value === undefined || value === '') return void context.losses.missing(at, name, 'it has no criteria');
  return judged(given, context, { value, ...withThreshold(given) });
}

function factual(given: GivenAssertion, context: AssertionContext): Written | undefined {
  const { value, at, name } = given;
  if (typeof value !== 'string') return void context.losses.missing(at, name, 'it needs the facts as value');
  return judged(given, context, { preset: 'factual', value, ...withThreshold(given) });
}

/** promptfoo takes the context from the variable of this name, unless code finds it in the answer. */
function faithful(given: GivenAssertion, context: AssertionContext): Written | undefined {
  const { fields, at, name } = given;
  const transform = fields['contextTransform'];
  const path = typeof transform === 'string' ? /^output(?:\.\w+)+$/.exec(transform)?.[0] : 'vars.context';
  if (path === undefined)
    return void context.losses.missing(
      at,
      name,
      `contextTransform is code: ${String(transform)}`,
      'let the agent put the context into its answer, and name its path in "context"',
    );
  return judged(given, context, { preset: 'faithful', context: path, threshold: given.threshold ?? 0 });
}

function gEval(given: GivenAssertion, context: AssertionContext): Written | undefined {
  const { value, at, name, threshold = 0.7 } = given;
  if (typeof value === 'string') return judged(given, context, { preset: 'g_eval', value, threshold });
  if (!Array.isArray(value)) return void context.losses.missing(at, name, 'it has no criteria');
  context.losses.changed(
    at,
    name,
    'promptfoo grades each criterion by itself and takes the average; here one judge takes them as steps',
  );
  return judged(given, context, { preset: 'g_eval', steps: value, threshold });
}

function selectBest(given: GivenAssertion, context: AssertionContext): Written | undefined {
  const { value, at, name, fields } = given;
  if (!context.hasMatrix)
    return void context.losses.missing(
      at,
      name,
      'it compares the answers of several models, and there is only one here',
      'run it with a matrix of connectors (docs/definitions.md#matrix)',
    );
  context.losses.changed(
    at,
    name,
    'the choice makes no verdict here: reports count how often each model was the best',
  );
  return { type: 'select_best', value, connector: context.judge(fields['provider'] ?? context.provider, at) };
}

/** By the vectors of an embedding model. Of a list, one text must be similar. */
function similar(given: GivenAssertion, context: AssertionContext): Written | undefined {
  const { value, at, name, fields, threshold = 0.75 } = given;
  const texts = [value].flat();
  if (value === undefined || texts.some((text) => typeof text !== 'string'))
    return void context.losses.missing(at, name, 'it needs a text as value');
  const connector = context.embedder(fields['provider'] ?? context.provider, at);
  const all = texts.map((text) => ({ type: 'similar', value: text, threshold, connector }));
  return all.length === 1 ? all[0] : { type: 'any_of', value: all };
}
