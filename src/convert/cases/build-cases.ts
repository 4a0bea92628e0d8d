// Tests and one prompt in, the cases of a file out.

import { isObject } from '../../json/is-object.ts';
import { convertAssertion } from '../assertions/convert-assertion.ts';
import type { AssertionContext, Written } from '../assertions/given.ts';
import { convertTransform } from '../assertions/transform.ts';
import type { Losses } from '../losses.ts';
import { freeName } from '../output/output-files.ts';
import type { Prompt } from '../source/prompts.ts';
import type { Source } from '../source/source.ts';
import { TemplateError } from '../template/expression.ts';
import { fillValue } from './fill.ts';
import { prepareAssertion } from './prepare-assertion.ts';
import type { MergedTest } from './test-options.ts';
import { MODEL_OPTIONS } from './test-options.ts';
import type { Variables } from './variables.ts';

export type Case = Record<string, unknown>;

/** A test with the values of its variables, one set for each case. */
export type ExpandedTest = { test: MergedTest; combinations: Variables[] };

export type CaseOptions = {
  losses: Losses;
  prompt: Prompt;
  tests: readonly ExpandedTest[];
  /** Assertions of the defaults that depend on the case. */
  defaultAssertions: readonly Source[];
  assertionContext(provider: unknown): AssertionContext;
  /** Where a case with a provider of its own goes. */
  targetFields(test: MergedTest): Case;
  /** Code that changes the answers of all providers. */
  transform: string | undefined;
  /** The agent reads the variables as `metadata.vars`. */
  usesVariables: boolean;
};

/** The cases, each with its own input. */
export async function buildCases(options: CaseOptions): Promise<Case[]> {
  const cases: Case[] = [];
  const taken = new Set<string>();
  for (const [index, { test, combinations }] of options.tests.entries()) {
    if (
      test.prompts !== undefined &&
      !test.prompts.some((label) => matchesLabel(label, options.prompt.label))
    )
      continue;
    const name = freeName(caseName(test, index), taken);
    const built = await Promise.all(combinations.map((vars) => buildCase(test, vars, options)));
    const together = asEach(name, built);
    if (together !== undefined) cases.push(together);
    else
      for (const [number, one] of built.entries())
        cases.push({ id: built.length === 1 ? name : freeName(`${name}#${number + 1}`, taken), ...one });
  }
  return cases;
}

/** `group` also stands for `group:…`, and `group:*` too. */
export function matchesLabel(wanted: string, label: string): boolean {
  const prefix = wanted.replace(/:?\*$/, '');
  return (
    wanted === label || label.startsWith(`${prefix}:`) || (wanted.endsWith('*') && label.startsWith(prefix))
  );
}

const MAX_NAME = 80;

function caseName({ description }: MergedTest, index: number): string {
  const isShort = description !== undefined && description.length <= MAX_NAME && !/[\n{]/.test(description);
  return isShort && description.trim() !== '' ? description.trim() : `test-${index + 1}`;
}

async function buildCase(test: MergedTest, vars: Variables, options: CaseOptions): Promise<Case> {
  const { losses, prompt } = options;
  const { description, threshold, metadata, source } = test;
  const names = new Set<string>();
  const input = buildInput(test, vars, options, names);
  const assertions = await buildAssertions(test, vars, options, names);
  const missing = [...names].filter((name) => !Object.hasOwn(vars, name));
  const all: Variables = { ...vars, ...Object.fromEntries(missing.map((name) => [name, ''])) };
  const own = test.options['transform'] ?? test.options['postprocess'];
  const transform =
    own === undefined
      ? options.transform
      : convertTransform(own, source.at('options', 'transform'), 'options: transform', {
          losses,
          folders: options.assertionContext(undefined).folders,
        });
  if (own !== undefined && options.transform !== undefined)
    losses.changed(
      source.at('options', 'transform'),
      'options: transform',
      'it takes the place of the transform of the provider',
    );
  const shared =
    options.usesVariables && Object.keys(vars).length > 0
      ? {
          vars: Object.fromEntries(
            Object.keys(vars).map((name) => [name, /^[A-Za-z_]\w*$/.test(name) ? `{{${name}}}` : vars[name]]),
          ),
        }
      : {};
  const modelOptions = Object.entries(test.options).filter(([name]) => MODEL_OPTIONS.includes(name));
  const target = options.targetFields(test);
  const isBroken = test.isBroken || input === undefined;
  const isLong = description !== undefined && (description.length > MAX_NAME || /[\n{]/.test(description));
  const hasBraces = JSON.stringify([input, assertions]).includes('{{');
  return {
    ...(isLong && { description: description.replaceAll('{{', '{ {') }),
    ...(isBroken && { skip: true }),
    ...((Object.keys(all).length > 0 || hasBraces) && { vars: all }),
    input: input ?? `(promptfoo made this text: ${prompt.label})`,
    ...(transform !== undefined && { transform }),
    ...((modelOptions.length > 0 || isObject(target['options'])) && {
      options: { ...Object.fromEntries(modelOptions), ...(isObject(target['options']) && target['options']) },
    }),
    ...(typeof target['agent'] === 'string' && { agent: target['agent'] }),
    ...(Object.keys({ ...metadata, ...shared }).length > 0 && { metadata: { ...metadata, ...shared } }),
    ...(threshold !== undefined && { pass_score: threshold }),
    ...(assertions.length > 0 && { assert: assertions }),
  };
}

/** The text or the messages; undefined if the template cannot be computed. */
function buildInput(
  { source, options: { prefix, suffix } }: MergedTest,
  vars: Variables,
  { prompt, losses }: CaseOptions,
  names: Set<string>,
): unknown {
  const around = (text: string): string =>
    `${typeof prefix === 'string' ? prefix : ''}${text}${typeof suffix === 'string' ? suffix : ''}`;
  const { content } = prompt;
  try {
    const filled = fillValue(typeof content === 'string' ? around(content) : content, vars);
    for (const name of filled.names) names.add(name);
    if (typeof content !== 'string' && (prefix !== undefined || suffix !== undefined))
      losses.missing(
        source.at('options'),
        'options: prefix or suffix',
        'a chat has no beginning or end to add to',
        'write it into the messages',
      );
    return filled.value;
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return void losses.missing(
      prompt.at,
      'prompts',
      `the template cannot be computed: ${error.message}; the cases are skipped`,
      'write the cases as a module (docs/cases.md#formats), which can build the text',
    );
  }
}

async function buildAssertions(
  test: MergedTest,
  vars: Variables,
  { defaultAssertions, assertionContext, losses }: CaseOptions,
  names: Set<string>,
): Promise<Written[]> {
  const context = assertionContext(test.options['provider']);
  const all = test.hasDefaults ? [...defaultAssertions, ...test.assert] : test.assert;
  const written: Written[] = [];
  for (const source of all) {
    const prepared = await prepareAssertion(source, vars, { losses, folders: context.folders });
    if (prepared === undefined) continue;
    for (const name of prepared.names) names.add(name);
    const converted = convertAssertion(prepared.source, context);
    if (converted !== undefined) written.push(converted);
  }
  return written;
}

/** Cases that differ in their variables only are one case with `each`; undefined for others. */
function asEach(id: string, built: readonly Case[]): Case | undefined {
  const [first] = built;
  if (first === undefined || built.length < 2) return undefined;
  const rest = (one: Case): string => JSON.stringify({ ...one, vars: undefined });
  if (built.some((one) => rest(one) !== rest(first))) return undefined;
  const all = built.map(({ vars }) => (isObject(vars) ? vars : {}));
  const names = Object.keys(all[0] ?? {});
  const values = (name: string): unknown[] => [
    ...new Map(all.map((vars) => [JSON.stringify(vars[name]), vars[name]])).values(),
  ];
  const varied = names.filter((name) => values(name).length > 1);
  const size = varied.reduce((product, name) => product * values(name).length, 1);
  if (size !== built.length) return undefined;
  const fixed = Object.fromEntries(
    names.filter((name) => !varied.includes(name)).map((name) => [name, all[0]?.[name]]),
  );
  const { vars: _vars, ...others } = first;
  return {
    id,
    ...(Object.keys(fixed).length > 0 && { vars: fixed }),
    each: Object.fromEntries(varied.map((name) => [name, values(name)])),
    ...others,
  };
}
