// Values that a run gives to variables, before it is known which data type they have.

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

/** A text that was typed and means what the variable's data type says, or a value of a file or a program. */
export type Given = { text: string } | { value: unknown };

/** What a run gives: values, and lists of values all combinations of which are wanted. */
export type GivenValues = {
  values: Record<string, Given>;
  matrix: Record<string, Given[]>;
};

/** Where each name comes from, for messages: `--var`, `vars.yml`. */
export type GivenPlaces = Record<string, string>;

/** What a given value means for a variable. */
export function convertGiven({ dataType }: TestVariableDefinition, given: Given): Checked {
  return 'text' in given ? parseValue(given.text, dataType) : checkValue(given.value, dataType);
}

/** The given values as a schema understands them; names that it does not have are left out. */
export function convertAll(
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
      problems.push({ name, message: `${name}: ${toldProblem(name, checked.problem)}` });
    else values[name] = checked.value;
  }
  return { values, problems };
}

/** What is secret is not told, right or wrong. */
function toldProblem(name: string, problem: string): string {
  return isCredentialName(name) ? problem.replace(/, got .*$/s, '') : problem;
}

/** A name that nobody knows is a slip, and not a wish that can be ignored. */
export function refuseUnknown(
  { values, matrix }: GivenValues,
  schemas: readonly TestTypeVariablesSchema[],
  places: GivenPlaces,
): void {
  const problems = unknownNames([...Object.keys(values), ...Object.keys(matrix)], schemas).map(
    ({ name, message, hint }): Problem => {
      const at = places[name];
      return at === undefined ? { message, hint } : { message, hint, at };
    },
  );
  if (problems.length > 0) throw ConfigError.of(problems);
}

/** Names that none of the schemas has, each with a remedy. */
export function unknownNames(
  names: readonly string[],
  schemas: readonly TestTypeVariablesSchema[],
): { name: string; message: string; hint: string }[] {
  const known = [...new Set(schemas.flatMap(({ variables }) => variables.map(({ name }) => name)))];
  const all = known.length === 0 ? 'the tests have no variables' : `there is ${known.join(', ')}`;
  return names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const near = nearest(name, known);
      const hint = near.length > 0 ? `did you mean ${near.join(', ')}?` : all;
      return { name, message: `no test that was chosen has a variable ${name}`, hint };
    });
}
