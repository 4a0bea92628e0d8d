// `assay test -i … --var`: inputs without a definition get the values of the run, as tests of the built-in types.

import { BUILT_IN_TYPES } from '../../definitions/built-in.ts';
import { ConfigError } from '../../errors.ts';
import type { InputSource } from '../../kinds/registry.ts';
import type { KindId } from '../../model/subject.ts';
import { inputKind } from '../../model/subject.ts';
import type { TestTypeVariablesSchema } from '../../model/variables.ts';
import type { Given } from '../../variables/given.ts';
import { rejectUnknownNames } from '../../variables/given.ts';
import { entitiesOf } from './application-definitions.ts';
import { runOnly } from './combinations.ts';
import type { RunValues } from '../inputs/run-variables.ts';
import { isShared } from '../inputs/run-variables.ts';

/** Throws ConfigError for names that no input knows, unless they come from the environment: other runs may use those. */
export async function assignVariables(
  sources: readonly InputSource[],
  values: RunValues,
  root: string,
): Promise<{ sources: InputSource[]; values: RunValues }> {
  const schemas = new Map([...new Set(sources.map(inputKind))].map((kind) => [kind, schemaOf(kind)]));
  const known = new Set([...schemas.values()].flatMap(({ variables }) => variables.map(({ name }) => name)));
  const { given, places } = values;
  const isMeant = (name: string): boolean => known.has(name) || !isShared(places[name]);
  const meant = Object.fromEntries(Object.entries(given.values).filter(([name]) => isMeant(name)));
  const own = { given: { ...given, values: meant }, places };
  // Cases may declare names of their own; those are known only when the cases are read.
  const hasCases = sources.some(isOfCases);
  const [common, forCases] = hasCases ? split(meant, known) : [meant, {}];
  rejectUnknownNames({ ...given, values: common }, [...schemas.values()], places);
  if (Object.keys(meant).length === 0) return { sources: [...sources], values: own };

  const entities = await entitiesOf(root);
  const withValues = sources.map((source): InputSource => {
    const bound =
      isOfCases(source) && Object.keys(forCases).length > 0 ? { ...source, given: forCases } : source;
    const schema = schemas.get(inputKind(source));
    if (schema === undefined || schema.variables.length === 0 || Object.keys(common).length === 0)
      return bound;
    const { variables, problems } = runOnly(
      schema,
      { given: { ...given, values: common }, places },
      entities,
    );
    if (problems.length > 0) throw ConfigError.of(problems.map((message) => ({ message })));
    return { ...bound, variables };
  });
  return { sources: withValues, values: own };
}

function isOfCases(source: InputSource): boolean {
  return inputKind(source) === 'agent-eval';
}

/** The values with a known name, and the others. */
function split(
  values: Record<string, Given>,
  known: ReadonlySet<string>,
): [Record<string, Given>, Record<string, Given>] {
  const entries = Object.entries(values);
  return [
    Object.fromEntries(entries.filter(([name]) => known.has(name))),
    Object.fromEntries(entries.filter(([name]) => !known.has(name))),
  ];
}

function schemaOf(kind: KindId): TestTypeVariablesSchema {
  const type = BUILT_IN_TYPES.find((one) => one.id === kind);
  return type?.variablesSchema ?? { schemaVersion: '1.0', variables: [] };
}
