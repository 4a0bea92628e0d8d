// `assay test -i … --var`: inputs without a definition get the values of the run, as tests of the built-in types.

import { BUILT_IN_TYPES } from '../../definitions/built-in.ts';
import { ConfigError } from '../../errors.ts';
import type { InputSource } from '../../kinds/registry.ts';
import type { KindId } from '../../model/subject.ts';
import { inputKind } from '../../model/subject.ts';
import type { TestTypeVariablesSchema } from '../../model/variables.ts';
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
  rejectUnknownNames(own.given, [...schemas.values()], places);
  if (Object.keys(meant).length === 0) return { sources: [...sources], values: own };
  const entities = await entitiesOf(root);
  const withValues = sources.map((source) => {
    const schema = schemas.get(inputKind(source));
    if (schema === undefined || schema.variables.length === 0) return source;
    const { variables, problems } = runOnly(schema, own, entities);
    if (problems.length > 0) throw ConfigError.of(problems.map((message) => ({ message })));
    return { ...source, variables };
  });
  return { sources: withValues, values: own };
}

function schemaOf(kind: KindId): TestTypeVariablesSchema {
  const type = BUILT_IN_TYPES.find((one) => one.id === kind);
  return type?.variablesSchema ?? { schemaVersion: '1.0', variables: [] };
}
