// Checks the runs of all definitions without running anything: agents, cases, scripts, hooks, presets.

import type { SettingSources } from '../../application/settings.ts';
import { typeOf } from '../../definitions/read-definitions.ts';
import type { Problem } from '../../errors.ts';
import { collectProblems } from '../../errors.ts';
import { prepareRun } from '../../run/inputs/prepare.ts';
import type { TestDefinition } from '../../model/definition.ts';
import type { Settings } from '../../application/options/options.ts';
import type { TestTypeVariablesSchema, TestVariableDefinition } from '../../model/variables.ts';
import { nearest } from '../../text/nearest.ts';
import { allowedValues, problemWith } from '../../variables/check-schema.ts';
import type { Given } from '../../variables/given.ts';
import type { ApplicationDefinitions } from '../../run/definitions/application-definitions.ts';
import type { Selection } from '../../run/definitions/select-definitions.ts';
import type { DefinedRun } from '../../run/definitions/definition-run.ts';
import { defineRun } from '../../run/definitions/definition-run.ts';
import { checkRunHooks } from '../../run/optional/hooks.ts';

type CheckOptions = Pick<SettingSources, 'env'> & { root: string; cwd: string; settings: Settings };

/** Values that stand for those that only a run will give. */
const SAMPLES = { string: 'x', number: 1, boolean: true, date: '2026-01-31' } as const;

/** Everything up to the first attempt, of every test and suite that is sound so far. */
export async function checkRuns(
  application: ApplicationDefinitions,
  place: CheckOptions,
): Promise<Problem[]> {
  const { definitions, problems: known } = application;
  const problems: Problem[] = checkPresets(application, place.settings);
  const isSound = (at: string): boolean =>
    !known.some((problem) => problem.at?.startsWith(`${at}:`) === true);
  const add = (found: readonly Problem[], at: string): void => {
    for (const problem of found) {
      // Where definitions are checked, keys of models need not be known.
      if (problem.message.startsWith('environment variable ')) continue;
      const told = { ...problem, at: problem.at ?? at };
      if (!problems.some(({ message, at: other }) => message === told.message && other === told.at))
        problems.push(told);
    }
  };
  for (const test of definitions.tests) {
    const type = typeOf(definitions, test);
    if (!isSound(test.at) || type === undefined || !isSound(type.at)) continue;
    const found: Problem[] = [];
    const selection = { tests: [test.id] };
    const defined = await collectProblems(found, () => define(selection, application, place));
    if (defined !== undefined) await collectProblems(found, () => prepare(defined, place));
    add(found, test.at);
  }
  for (const suite of definitions.suites) {
    if (!isSound(suite.at)) continue;
    const found: Problem[] = [];
    const defined = await collectProblems(found, () => define({ suite: suite.id }, application, place));
    const hasHooks = (suite.setUp ?? suite.tearDown) !== undefined;
    if (defined !== undefined && hasHooks) {
      const prepared = await collectProblems([], () => prepare(defined, place));
      const [target] = prepared?.targets ?? [];
      const { settings } = defined;
      if (target !== undefined)
        await collectProblems(found, () => checkRunHooks(settings, target, { cwd: place.cwd, suite }));
    }
    add(found, suite.at);
  }
  return problems;
}

async function define(
  selection: Selection,
  application: ApplicationDefinitions,
  { root, cwd, env, settings }: CheckOptions,
): Promise<DefinedRun> {
  const own = { ...application, problems: [] };
  const values = { given: { values: samples(selection, application), matrix: {} }, places: {} };
  const options = { root, cwd, env, settings, values, flags: {}, pairwise: false, application: own };
  return defineRun(selection, { ...options, warn: () => undefined });
}

function prepare(
  { settings, sources }: DefinedRun,
  { root, cwd, env }: CheckOptions,
): ReturnType<typeof prepareRun> {
  const { runs } = settings;
  const numbered = { ...settings, runs: runs === 'auto' ? 1 : runs };
  return prepareRun({ settings: numbered, sources, cwd, root, env, select: () => true });
}

/** A value for each variable that is required and has none before a run gives it one. */
function samples(
  selection: Selection,
  { definitions, entities }: ApplicationDefinitions,
): Record<string, Given> {
  const suite =
    'suite' in selection ? definitions.suites.find(({ id }) => id === selection.suite) : undefined;
  const isChosen = ({ id }: TestDefinition): boolean =>
    !('tests' in selection) || selection.tests.includes(id);
  const given: Record<string, Given> = {};
  for (const test of definitions.tests.filter(isChosen)) {
    for (const definition of schemaOf(typeOf(definitions, test)).variables) {
      const { name, required, defaultValue } = definition;
      const { exposed, defaultValue: own, restrictedValues } = test.variables?.variables[name] ?? {};
      const isSet =
        (own ?? defaultValue ?? suite?.variables?.variables[name] ?? suite?.matrix?.[name]) !== undefined;
      if (!required || exposed === false || isSet) continue;
      const [value] = restrictedValues ?? allowedValues(definition, entities) ?? [];
      given[name] = { value: value ?? SAMPLES[definition.dataType] };
    }
  }
  return given;
}

/** A preset with unknown names is a mistake. */
function checkPresets(
  { definitions, entities }: ApplicationDefinitions,
  { presets = {} }: Settings,
): Problem[] {
  const all: TestVariableDefinition[] = definitions.types.flatMap((type) => schemaOf(type).variables);
  const names = [...new Set(all.map(({ name }) => name))];
  return Object.entries(presets).flatMap(([preset, values]) =>
    Object.entries(values).flatMap(([name, value]): Problem[] => {
      const at = `preset ${preset} in assay.config`;
      const meant = all.filter((definition) => definition.name === name);
      const [near] = nearest(name, names);
      if (meant.length === 0)
        return [
          {
            message: `no type has a variable ${name}`,
            at,
            hint: near === undefined ? `there is ${names.join(', ')}` : `did you mean ${near}?`,
          },
        ];
      const found = meant.map((one) => problemWith(one, value, allowedValues(one, entities)));
      const [first] = found;
      return first === undefined || found.includes(undefined) ? [] : [{ message: first, at }];
    }),
  );
}

function schemaOf(type: { variablesSchema?: TestTypeVariablesSchema } | undefined): TestTypeVariablesSchema {
  return type?.variablesSchema ?? { schemaVersion: '1.0', variables: [] };
}
