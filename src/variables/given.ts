// Variable values given by a run, before their data types are known.

import { ConfigError } from '../errors.ts';
import type { Problem } from '../errors.ts';
import type {
  TestTypeVariablesSchema,
  TestVariableDefinition,
  TestVariableValue,
} from '../model/variables.ts';
import { nearest } from '../text/nearest.ts';
import { isCredentialName } from '../secrets/credential-name.ts';
import type { Checked } from './values.ts';
import { checkValue, parseValue } from './values.ts';

/** A text from the command line, to be parsed by the variable's data type, or a value from a file or a program. */
export type Given = { text: string } | { value: unknown };

/** The values given by a run, and the lists of values to combine. */
export type GivenValues = {
  values: Record<string, Given>;
  matrix: Record<string, Given[]>;
};

/** The source of each name, for messages: `--var`, `vars.yml`. */
export type GivenSources = Record<string, string>;

/** Converts a given value to the data type of a variable. */
export function convertGiven({ dataType }: TestVariableDefinition, given: Given): Checked {
  return 'text' in given ? parseValue(given.text, dataType) : checkValue(given.value, dataType);
}

/** Converts the given values that a schema has variables for; ignores the other names. */
export function convertGivenValues(
  schema: TestTypeVariablesSchema,
  given: Record<string, Given>,
): { values: Record<string, TestVariableValue>; problems: { name: string; message: string }[] } {
  const values: Record<string, TestVariableValue> = {};
  const problems: { name: string; message: string }[] = [];
  for (const definition of schema.variables) {
    const { name } = definition;
    const one = Object.hasOwn(given, name) ? given[name] : undefined;
    if (one === undefined) continue;
    const checked = convertGiven(definition, one);
    if ('problem' in checked)
      problems.push({ name, message: `${name}: ${maskProblem(name, checked.problem)}` });
    else values[name] = checked.value;
  }
  return { values, problems };
}

/** Removes the value of a secret from a message. */
function maskProblem(name: string, problem: string): string {
  return isCredentialName(name) ? problem.replace(/, got .*$/s, '') : problem;
}

/** More unknown names are only counted. */
const MAX_UNKNOWN = 50;

/** The variables of the selected tests, and what a matrix can vary in them, if that is more. */
type KnownNames = {
  schemas: readonly TestTypeVariablesSchema[];
  varied?: readonly TestTypeVariablesSchema[];
};

/** Throws a ConfigError for names that no schema has: they are probably typos. */
export function rejectUnknownNames(
  { values, matrix }: GivenValues,
  { schemas, varied = schemas }: KnownNames,
  places: GivenSources,
): void {
  const unknown = [
    ...unknownNames(Object.keys(values), schemas),
    ...unknownNames(Object.keys(matrix), varied),
  ];
  const problems = unknown.slice(0, MAX_UNKNOWN).map(({ name, message, hint }): Problem => {
    const at = places[name];
    return at === undefined ? { message, hint } : { message, hint, at };
  });
  const left = unknown.length - problems.length;
  if (left > 0) problems.push({ message: `and ${left} more unknown variables` });
  if (problems.length > 0) throw ConfigError.of(problems);
}

/** What has a flag of its own, unless a type declares it. */
const FLAGS = new Map([
  ['agent', 'name the agent with -n, or several with --matrix agent=a,b'],
  ['connector', 'name the connector with -c, or several with --matrix connector=a,b'],
]);

/** Lists the names that no schema has, each with a hint. */
export function unknownNames(
  names: readonly string[],
  schemas: readonly TestTypeVariablesSchema[],
): { name: string; message: string; hint: string }[] {
  const known = new Set(schemas.flatMap(({ variables }) => variables.map(({ name }) => name)));
  const all = known.size === 0 ? 'the tests have no variables' : `there is ${[...known].join(', ')}`;
  return names
    .filter((name) => !known.has(name))
    .map((name) => {
      const near = nearest(name, known);
      const hint = FLAGS.get(name) ?? (near.length > 0 ? `did you mean ${near.join(', ')}?` : all);
      return { name, message: `no selected test has a variable ${name}`, hint };
    });
}
