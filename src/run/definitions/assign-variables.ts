// `assay test -i … --var … --matrix …`: inputs without a definition get the values of the run, as tests of the built-in types.
// Comes in: inputs and values. Goes out: the inputs with their values, each as often as the matrix has combinations.

import { BUILT_IN_TYPES } from '../../definitions/built-in.ts';
import type { Problem } from '../../errors.ts';
import { ConfigError } from '../../errors.ts';
import type { InputSource } from '../../kinds/registry.ts';
import type { StartEvent } from '../../model/event.ts';
import type { KindId } from '../../model/subject.ts';
import { inputKind } from '../../model/subject.ts';
import type { TestTypeVariablesSchema } from '../../model/variables.ts';
import { quote } from '../../text/quote.ts';
import { isAxis, textVariable, withAxes } from '../../variables/axes.ts';
import type { Given } from '../../variables/given.ts';
import { rejectUnknownNames } from '../../variables/given.ts';
import type { RunValues } from '../inputs/run-variables.ts';
import { isShared } from '../inputs/run-variables.ts';
import type { TestFlags } from '../request.ts';
import { entitiesOf } from './application-definitions.ts';
import type { Combination } from './combinations.ts';
import { combinationsOf } from './combinations.ts';
import { agentNotes, refuseMatrix } from './matrix-rules.ts';

export type AssignedInputs = {
  sources: InputSource[];
  values: RunValues;
  /** The values of each name that varies. */
  matrix?: StartEvent['matrix'];
  notes?: string[];
};

type Options = { root: string; flags: TestFlags };

/** Throws ConfigError for names that no input knows, unless they come from the environment: other runs may use those. */
export async function assignVariables(
  sources: readonly InputSource[],
  values: RunValues,
  { root, flags }: Options,
): Promise<AssignedInputs> {
  const schemas = new Map([...new Set(sources.map(inputKind))].map((kind) => [kind, schemaOf(kind)]));
  const known = new Set([...schemas.values()].flatMap(({ variables }) => variables.map(({ name }) => name)));
  const { given, places } = values;
  const isMeant = (name: string): boolean => known.has(name) || !isShared(places[name]);
  const meant = Object.fromEntries(Object.entries(given.values).filter(([name]) => isMeant(name)));
  const own = { given: { ...given, values: meant }, places };
  // Cases may use names of their own; those are known only when the cases are read.
  const hasCases = sources.some(isOfCases);
  const [common, forCases] = hasCases ? split(meant, known) : [meant, {}];
  const checked = { values: common, matrix: hasCases ? {} : given.matrix };
  rejectUnknownNames(checked, { schemas: [...schemas.values()] }, places);
  refuseNames(Object.keys(given.matrix));
  const { pairwise = false } = flags;
  if (Object.keys({ ...meant, ...given.matrix }).length === 0) {
    refuseMatrix(undefined, { flags, pairwise });
    return { sources: [...sources], values: own };
  }

  const entities = await entitiesOf(root);
  const { combinations, matrix, problems, notes } = combinationsOf({
    declared: givenVariables(schemaOf('agent-eval'), { values: common, matrix: given.matrix }),
    hasAxes: true,
    suite: undefined,
    values: { given: { values: common, matrix: given.matrix }, places },
    pairwise,
    entities,
    isStrict: false,
  });
  if (problems.length > 0) throw ConfigError.of(problems.map((message) => ({ message })));
  const varied = Object.keys(matrix).length === 0 ? undefined : matrix;
  refuseMatrix(varied, { flags, pairwise });
  return {
    sources: crossed(sources, combinations, forCases),
    values: own,
    matrix: varied,
    notes: [...notes, ...agentNotes(given.matrix, flags)],
  };
}

/** Every input of cases with every combination; others have no variables, and are there once. */
function crossed(
  sources: readonly InputSource[],
  combinations: readonly Combination[],
  forCases: Record<string, Given>,
): InputSource[] {
  return combinations.flatMap(({ variables }, index) =>
    sources.flatMap((source): InputSource[] => {
      if (!isOfCases(source)) return index === 0 ? [source] : [];
      const values = Object.keys(variables.resolved.values).length === 0 ? {} : { variables };
      const given = { ...forCases, ...variedForCases(variables) };
      const bound = { ...source, ...values, ...(Object.keys(given).length > 0 && { given }) };
      return [combinations.length === 1 ? bound : { ...bound, original: source }];
    }),
  );
}

/** Names that cases may declare as `vars`, which then decide about the type of the value. */
function variedForCases({ resolved, varied = [] }: Combination['variables']): Record<string, Given> {
  const { variables: known } = withAxes(schemaOf('agent-eval'));
  const free = varied.filter((name) => !known.some((variable) => variable.name === name));
  return Object.fromEntries(free.map((name) => [name, { text: String(resolved.values[name]) }]));
}

/** Only what the run sets counts, without defaults. A name of the matrix that the type does not have takes any text. */
function givenVariables(
  schema: TestTypeVariablesSchema,
  { values, matrix }: { values: Record<string, unknown>; matrix: Record<string, unknown> },
): TestTypeVariablesSchema {
  const isGiven = (name: string): boolean => Object.hasOwn(values, name) || Object.hasOwn(matrix, name);
  const variables = schema.variables
    .filter(({ name }) => isGiven(name))
    .map(({ defaultValue: _default, ...definition }) => definition);
  const isFree = (name: string): boolean =>
    !variables.some((variable) => variable.name === name) && !isAxis(name, schema);
  const free = Object.keys(matrix).filter(isFree).map(textVariable);
  return { ...schema, variables: [...variables, ...free] };
}

/** `{{Name}}` in cases has letters, digits and underscores. */
function refuseNames(names: readonly string[]): void {
  const problems: Problem[] = names
    .filter((name) => !/^[A-Za-z_]\w*$/.test(name))
    .map((name) => ({
      message: `${quote(name)} cannot be the name of a variable`,
      at: '--matrix',
      hint: 'a name has letters, digits and "_", and does not begin with a digit',
    }));
  if (problems.length > 0) throw ConfigError.of(problems);
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
