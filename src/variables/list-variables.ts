// The variables of a test for display: allowed values, defaults and where they come from.

import type {
  TestTypeVariablesSchema,
  TestVariableDataType,
  TestVariablesConfig,
  TestVariableSource,
} from '../model/variables.ts';
import type { Entities } from './check-schema.ts';
import { allowedValues } from './check-schema.ts';
import { valueText } from './values.ts';

export type ListedVariable = {
  name: string;
  displayName: string;
  description?: string;
  dataType: TestVariableDataType;
  /** The allowed values; undefined if every value of the data type is allowed. */
  allowed?: (string | number | boolean)[];
  /** The default value, which a suite or a run may replace; a date is text. */
  value?: string | number | boolean;
  /** Where the default comes from. */
  source?: TestVariableSource;
  required: boolean;
  locked: boolean;
};

/** Lists the variables of a test, or of its type if there is no test. */
export function listVariables(
  schema: TestTypeVariablesSchema,
  test: TestVariablesConfig | undefined,
  entities: Entities,
): ListedVariable[] {
  return schema.variables.flatMap((definition) => {
    const { name, displayName, description, dataType, required, defaultValue } = definition;
    const override = test?.variables[name];
    if (override?.exposed === false) return [];
    const allowed = override?.restrictedValues ?? allowedValues(definition, entities);
    const value = override?.defaultValue ?? defaultValue;
    const source = override?.defaultValue === undefined ? 'type' : 'test';
    return [
      {
        name,
        displayName,
        description,
        dataType,
        allowed: allowed === undefined ? undefined : [...allowed],
        ...(value !== undefined && { value: value instanceof Date ? valueText(value) : value, source }),
        required,
        locked: override?.locked === true,
      } satisfies ListedVariable,
    ];
  });
}
