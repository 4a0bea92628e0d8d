// A configuration of promptfoo in; cases, agents, connectors and the list of what is lost out.

import { relative, resolve } from 'node:path';
import { javascriptCheck, inlinePythonCheck, pythonCheck, webhookCheck } from './assertions/check-scripts.ts';
import { convertAssertion } from './assertions/convert-assertion.ts';
import type { AssertionContext, Script, Written } from './assertions/given.ts';
import { convertTransform } from './assertions/transform.ts';
import type { Case, ExpandedTest } from './cases/build-cases.ts';
import { buildCases, matchesLabel } from './cases/build-cases.ts';
import { hasTemplates } from './cases/fill.ts';
import { prepareAssertion } from './cases/prepare-assertion.ts';
import type { MergedTest } from './cases/test-options.ts';
import { mergeTest } from './cases/test-options.ts';
import { readVariables } from './cases/variables.ts';
import { isObject } from '../json/is-object.ts';
import type { Judges } from './judges.ts';
import { openJudges } from './judges.ts';
import type { Loss } from './losses.ts';
import { Losses } from './losses.ts';
import { caseFile } from './output/case-file.ts';
import type { Layout, Provided, WrittenPrompt } from './output/definitions.ts';
import { addDefinitions, planLayout } from './output/definitions.ts';
import { freeName, OutputFiles, slug } from './output/output-files.ts';
import { writeFiles } from './output/write-files.ts';
import { convertProvider, readProviders } from './providers/convert-provider.ts';
import type { ProviderContext } from './providers/provider.ts';
import { convertSettings } from './settings.ts';
import type { PromptfooConfig } from './source/config.ts';
import { readConfig } from './source/config.ts';
import { pathFrom } from './source/files.ts';
import type { Source } from './source/source.ts';
import { items, member } from './source/source.ts';
import type { SourceTest } from './source/tests.ts';

export type Conversion = {
  /** The folder that was written to, relative to `cwd`. */
  folder: string;
  files: string[];
  prompts: number;
  providers: number;
  cases: number;
  /** The words after the name of the program. */
  command: string;
  losses: Loss[];
};

/** Reads everything first, so that nothing is written if something cannot be read. */
export async function convertPromptfoo(
  file: string,
  { cwd, folder, isForced }: { cwd: string; folder: string; isForced: boolean },
): Promise<Conversion> {
  const losses = new Losses();
  const config = await readConfig(resolve(cwd, file), cwd, losses);
  const files = new OutputFiles(resolve(cwd, folder));
  const context: ProviderContext = {
    losses,
    folders: config.folders,
    files,
    taken: new Set(),
    isChat: config.prompts.every(({ content }) => typeof content !== 'string'),
    connectors: new Map(),
  };

  const { tags } = convertSettings(config.source, files, losses);
  const provided = await convertProviders(config, context);
  const name = slug(config.description ?? 'promptfoo', 'promptfoo');
  const layout = planLayout(provided, name, context);
  const tests = await expandTests(config, losses);
  const { prompts, count } = await addCases(config, { tests, tags, layout, provided, context });
  const suite = { id: name, name: config.description ?? 'From promptfoo' };
  const isFor = (labels: string[] | undefined, prompt: string): boolean =>
    labels === undefined || labels.some((label) => matchesLabel(label, prompt));
  const command = addDefinitions(layout, prompts, { files, suite, isFor });

  writeFiles(files, { cwd, isForced });
  return {
    folder: relative(cwd, files.folder) || '.',
    files: files.entries().map(([path]) => path),
    prompts: prompts.length,
    providers: provided.length,
    cases: count,
    command,
    losses: losses.list(),
  };
}

async function convertProviders(
  { providers }: PromptfooConfig,
  context: ProviderContext,
): Promise<Provided[]> {
  const all: Provided[] = [];
  for (const given of await readProviders(providers, context))
    all.push({ given, target: await convertProvider(given, context) });
  if (all.length === 0)
    context.losses.missing(providers.at(), 'providers', 'there are none', 'name an agent with -n');
  return all;
}

/** Every test with the values of its variables. Without tests, promptfoo sends each prompt once. */
async function expandTests(
  { tests, defaults, source, folders }: PromptfooConfig,
  losses: Losses,
): Promise<ExpandedTest[]> {
  const given: SourceTest[] = tests.length > 0 ? tests : [{ ...source, value: {} }];
  return Promise.all(
    given.map(async (one) => {
      const test = mergeTest(one, defaults, losses);
      const isWhole = test.options['disableVarExpansion'] === true;
      const read = await readVariables(test.vars, { at: one.at('vars'), folders, losses, isWhole });
      return { test: { ...test, isBroken: test.isBroken || read.isBroken }, combinations: read.combinations };
    }),
  );
}

type CaseParts = {
  tests: ExpandedTest[];
  tags: string[];
  layout: Layout;
  provided: Provided[];
  context: ProviderContext;
};

/** One case file for each prompt. */
async function addCases(
  config: PromptfooConfig,
  { tests, tags, layout, provided, context }: CaseParts,
): Promise<{ prompts: WrittenPrompt[]; count: number }> {
  const { losses, files } = context;
  const judges = openJudges(context);
  const assertionContext = openContext(judges, layout, provided, context);
  const { shared, special } = await splitDefaults(config, tests, assertionContext, losses);
  const transform = sharedTransform(provided, losses, config);
  const usesVariables = provided.some(({ target }) => target.type === 'agent' && target.usesVariables);
  // With several agents, the definitions name them.
  const only =
    layout.agents.length === 1 && layout.matrix === undefined ? layout.agents[0]?.agent : undefined;
  const written: WrittenPrompt[] = [];
  const taken = new Set<string>();
  let count = 0;
  for (const prompt of config.prompts) {
    const cases = await buildCases({
      losses,
      prompt,
      tests,
      defaultAssertions: special,
      assertionContext,
      targetFields: (test) => targetFields(test, provided, layout, losses),
      transform,
      usesVariables,
    });
    if (cases.length === 0) continue;
    count += cases.reduce((sum, one) => sum + rows(one), 0);
    const defaults: Case = {
      ...(only !== undefined && { agent: only }),
      ...(tags.length > 0 && { tags }),
      ...(shared.length > 0 && { assert: shared }),
    };
    const { ending, text } = caseFile(cases, defaults);
    const name = config.prompts.length === 1 ? 'cases' : freeName(slug(prompt.label, 'prompt'), taken);
    const file = files.add(`cases/${name}.${ending}`, text);
    written.push({ label: prompt.label, file });
  }
  return { prompts: written, count };
}

function rows({ each }: Case): number {
  return isObject(each)
    ? Object.values(each).reduce<number>((product, list) => product * [list].flat().length, 1)
    : 1;
}

/** Assertions of the defaults that are the same for all cases, and those that depend on the variables of a case. */
async function splitDefaults(
  { defaults, folders }: PromptfooConfig,
  tests: readonly ExpandedTest[],
  assertionContext: (provider: unknown) => AssertionContext,
  losses: Losses,
): Promise<{ shared: Written[]; special: Source[] }> {
  const options = isObject(defaults.value['options']) ? defaults.value['options'] : {};
  const isForAll = tests.every(
    ({ test }) => test.hasDefaults && test.options['provider'] === options['provider'],
  );
  const shared: Written[] = [];
  const special: Source[] = [];
  for (const source of items(member(defaults, 'assert'))) {
    if (!isForAll || !isShared(source, tests)) special.push(source);
    else {
      const prepared = await prepareAssertion(source, tests[0]?.combinations[0] ?? {}, { losses, folders });
      const written = prepared && convertAssertion(prepared.source, assertionContext(options['provider']));
      if (written !== undefined) shared.push(written);
    }
  }
  return { shared, special };
}

/** True without templates, or if each is a name that every case has as a text. */
function isShared({ value }: Source, tests: readonly ExpandedTest[]): boolean {
  if (!hasTemplates(value)) return true;
  const type = isObject(value) ? String(value['type']).replace(/^not-/, '') : '';
  if (['javascript', 'python', 'regex', 'word-count'].includes(type)) return false;
  const text = JSON.stringify(value);
  const names = [...text.matchAll(/\{\{\s*([A-Za-z_]\w*)\s*\}\}/g)].map(([, name = '']) => name);
  if (/\{%|\{#/.test(text) || text.split('{{').length - 1 !== names.length) return false;
  return tests.every(({ combinations }) =>
    combinations.every((vars) => names.every((name) => typeof vars[name] === 'string' && vars[name] !== '')),
  );
}

function openContext(
  judges: Judges,
  layout: Layout,
  provided: readonly Provided[],
  { losses, folders, files }: ProviderContext,
): (provider: unknown) => AssertionContext {
  const isStructured = provided.some(({ target }) =>
    target.type === 'agent' ? target.isStructured : target.tools.length > 0,
  );
  return (provider) => {
    const context: AssertionContext = {
      losses,
      folders,
      ...judges,
      provider,
      isStructured,
      hasMatrix: layout.matrix !== undefined,
      addScript: (script) => addScript(script, files),
      convert: (source) => convertAssertion(source, context),
    };
    return context;
  };
}

/** Writes a script and gives the name of its function. */
function addScript(script: Script, files: OutputFiles): string {
  if (script.type === 'javascript' || script.type === 'webhook') {
    const folder = files.absolute('scripts/promptfoo');
    const path = script.type === 'webhook' ? script.url : script.path;
    const base = slug(
      path.replace(/^.*\//, '').replace(/\.\w+$/, '') +
        (script.type === 'javascript' && script.function !== undefined ? `-${script.function}` : ''),
      'check',
    );
    const text =
      script.type === 'webhook'
        ? webhookCheck(script)
        : javascriptCheck({ ...script, path: pathFrom(folder, script.path) });
    const file = files.add(`scripts/promptfoo/${base.replaceAll('-', '_')}.ts`, text);
    return `${file.replace(/\.ts$/, '').replaceAll('/', '.')}.Check`;
  }
  const isFile = script.type === 'python';
  const base = isFile
    ? slug(
        script.path.replace(/^.*\//, '').replace(/\.\w+$/, '') +
          (script.function === undefined ? '' : `-${script.function}`),
        'check',
      )
    : 'inline';
  const text = isFile
    ? pythonCheck({ ...script, path: pathFrom(files.absolute('checks'), script.path) })
    : inlinePythonCheck(script);
  return `${files.add(`checks/${base.replaceAll('-', '_')}.py`, text)}:check`;
}

/** The transform of the providers, if all have the same. */
function sharedTransform(
  provided: readonly Provided[],
  losses: Losses,
  { folders }: PromptfooConfig,
): string | undefined {
  const all = [...new Set(provided.map(({ given }) => JSON.stringify(given.transform)))];
  const first = provided[0]?.given;
  if (all.length === 1 && first?.transform !== undefined)
    return convertTransform(first.transform, first.at, `providers: ${first.id}: transform`, {
      losses,
      folders,
    });
  for (const { given } of provided)
    if (given.transform !== undefined)
      losses.missing(
        given.at,
        `providers: ${given.id}: transform`,
        'a single provider among several cannot change its answers',
        'let the agent itself change its answer, or write "transform" into the cases',
      );
  return undefined;
}

/** A case with a provider of its own names its connector or its agent. */
function targetFields(
  { provider, providers, source }: MergedTest,
  provided: readonly Provided[],
  layout: Layout,
  losses: Losses,
): Case {
  const wanted = provider === undefined && providers?.length === 1 ? providers[0] : provider;
  if (wanted === undefined) {
    if (providers !== undefined)
      losses.missing(
        source.at('providers'),
        'test: providers',
        'a case is for one provider or for all',
        'select cases with --tag or --run',
      );
    return {};
  }
  const id = isObject(wanted) ? wanted['id'] : wanted;
  const found = provided.find(({ given }) => given.label === id || given.id === id)?.target;
  if (found === undefined || layout.agents.length > 1 || layout.matrix !== undefined) {
    losses.missing(
      source.at(provider === undefined ? 'providers' : 'provider'),
      'test: provider',
      found === undefined ? `${String(id)} is not among the providers` : 'the run is on all providers',
      'write "options": {"connector": …} or "agent" into the case',
    );
    return {};
  }
  return found.type === 'connector' ? { options: { connector: found.connector } } : { agent: found.agent };
}
