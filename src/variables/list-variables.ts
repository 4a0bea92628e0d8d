// The variables of a test as people look at them: what they may be, what they are unless somebody says otherwise.

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
  /** Undefined if every value of the data type is. */
  allowed?: (string | number | boolean)[];
  /** Unless a suite or a run sets another one; a date is text. */
  value?: string | number | boolean;
  /** Where that value comes from. */
  source?: TestVariableSource;
  required: boolean;
  locked: boolean;
};

/** The variables that a test of this type has; without a test, those of the type. */
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
        ...(description !== undefined && { description }),
        dataType,
        ...(allowed !== undefined && { allowed: [...allowed] }),
        ...(value !== undefined && { value: value instanceof Date ? valueText(value) : value, source }),
        required,
        locked: override?.locked === true,
      } satisfies ListedVariable,
    ];
  });
}
