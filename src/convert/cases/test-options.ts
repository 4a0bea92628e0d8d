// A test of promptfoo with the defaults put in.

import { isObject } from '../../json/is-object.ts';
import type { Losses } from '../losses.ts';
import type { Source } from '../source/source.ts';
import { items, member } from '../source/source.ts';
import type { SourceTest } from '../source/tests.ts';

export type MergedTest = {
  source: SourceTest;
  description: string | undefined;
  vars: unknown;
  /** Its own assertions. */
  assert: Source[];
  /** The assertions of the defaults also hold. */
  hasDefaults: boolean;
  threshold: number | undefined;
  options: Record<string, unknown>;
  metadata: Record<string, unknown>;
  provider: unknown;
  /** Labels of the prompts and providers that it is for. */
  prompts: string[] | undefined;
  providers: string[] | undefined;
  /** It cannot run as it is. */
  isBroken: boolean;
};

const FIELDS = [
  'description',
  'vars',
  'assert',
  'threshold',
  'metadata',
  'options',
  'provider',
  'prompts',
  'providers',
];
const OPTIONS = ['transform', 'postprocess', 'prefix', 'suffix', 'provider', 'disableVarExpansion', 'disableConversationVar', 'disableDefaultAsserts', 'rubricPrompt']; // prettier-ignore
/** Options of the model that a case has, too. */
export const MODEL_OPTIONS = [
  'temperature',
  'max_tokens',
  'max_completion_tokens',
  'top_p',
  'seed',
  'stop',
  'response_format',
  'reasoning_effort',
];

const LOST_OPTIONS: Record<string, { why: string; instead?: string; isBroken?: true }> = {
  factuality: {
    why: 'the weights of factuality have no equivalent',
    instead: 'a threshold on the preset "factual"',
  },
  runSerially: { why: 'a single case cannot run alone', instead: '--parallel 1 runs all cases one by one' },
  storeOutputAs: {
    why: 'a case cannot use the answer of another one',
    instead: 'write both as turns of one case (docs/conversations.md)',
    isBroken: true,
  },
  transformVars: {
    why: 'variables are not changed by code',
    instead: 'write the cases as a module (docs/cases.md#formats)',
    isBroken: true,
  },
};

export function mergeTest(source: SourceTest, defaults: SourceTest, losses: Losses): MergedTest {
  const { value } = source;
  const from = <T>(key: string, isRight: (part: unknown) => part is T): T | undefined => {
    const [own, common] = [value[key], defaults.value[key]];
    return isRight(own) ? own : isRight(common) ? common : undefined;
  };
  const both = (key: string): Record<string, unknown> => {
    const [own, common] = [value[key], defaults.value[key]];
    return { ...(isObject(common) && common), ...(isObject(own) && own) };
  };
  const options = both('options');
  const isBroken = reportLost(source, defaults, options, losses);
  const common = defaults.value['vars'];
  return {
    source,
    description: from('description', isText),
    vars:
      isObject(common) && (value['vars'] === undefined || isObject(value['vars']))
        ? both('vars')
        : (value['vars'] ?? common),
    assert: items(member(source, 'assert')),
    hasDefaults: options['disableDefaultAsserts'] !== true,
    threshold: from('threshold', isNumber),
    options,
    metadata: both('metadata'),
    provider: value['provider'] ?? defaults.value['provider'],
    prompts: from('prompts', isTexts),
    providers: from('providers', isTexts),
    isBroken,
  };
}

/** True if the test cannot run without what is lost. */
function reportLost(
  source: SourceTest,
  defaults: SourceTest,
  options: Record<string, unknown>,
  losses: Losses,
): boolean {
  for (const test of [source, defaults])
    for (const field of Object.keys(test.value))
      if (!FIELDS.includes(field))
        losses.missing(
          test.at(field),
          `test: ${field}`,
          field === 'assertScoringFunction'
            ? 'the score of a case is the weighted mean'
            : 'there is no equivalent of this field',
          field === 'assertScoringFunction' ? '"weight" and "pass_score"' : undefined,
        );
  let isBroken = false;
  for (const option of Object.keys(options)) {
    if (OPTIONS.includes(option) || MODEL_OPTIONS.includes(option)) continue;
    const { value: own } = member(source, 'options');
    const owner = isObject(own) && option in own ? source : defaults;
    const known = Object.hasOwn(LOST_OPTIONS, option) ? LOST_OPTIONS[option] : undefined;
    const lost = known ?? { why: 'there is no equivalent of this option' };
    losses.missing(owner.at('options', option), `options: ${option}`, lost.why, lost.instead);
    isBroken ||= lost.isBroken === true;
  }
  return isBroken;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}
