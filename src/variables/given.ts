// Values that a run gives to variables, before it is known which data type they have.

import { ConfigError } from '../errors.ts';
import type { Problem } from '../errors.ts';
import type {
  TestTypeVariablesSchema,
  TestVariableDefinition,
  TestVariableValue,
} from '../model/variables.ts';
import { nearest } from '../platform/nearest.ts';
import { isCredentialName } from '../platform/secrets.ts';
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
  const known = [...new Set(schemas.flatMap(({ variables }) => variables.map(({ name }) => name)))];
  const problems = [...Object.keys(values), ...Object.keys(matrix)]
    .filter((name) => !known.includes(name))
    .map((name) => unknownVariable(name, known, places[name]));
  if (problems.length > 0) throw ConfigError.of(problems);
}

function unknownVariable(name: string, known: readonly string[], at: string | undefined): Problem {
  const near = nearest(name, known);
  const all = known.length === 0 ? 'the tests have no variables' : `there is ${known.join(', ')}`;
  return {
    message: `no test that was chosen has a variable ${name}`,
    hint: near.length > 0 ? `did you mean ${near.join(', ')}?` : all,
    ...(at !== undefined && { at }),
  };
}
