// Test variables: what a type of tests offers, what a test exposes, what a suite or a run sets, and what comes out of it.

/** Data types supported for test variables; a date is ISO 8601 in files and a Date in code. */
export type TestVariableDataType = 'string' | 'number' | 'boolean' | 'date';

/** How the valid values of a variable are determined. */
export type TestVariableValueSource =
  /** The list in `possibleValues`. */
  | 'static'
  /** Any value of the data type. */
  | 'freeform'
  /** What the application has of an `entity`. */
  | 'entity';

/** What an application has that a variable can choose from. */
export type TestVariableEntity = 'connectors' | 'agents' | 'skills';

export type TestVariableValue = string | number | boolean | Date;

/** One value of a static variable. */
export interface TestVariablePossibleValue {
  value: string | number | boolean;
  /** The value itself unless said otherwise. */
  label?: string;
  description?: string;
}

/** Which values are allowed depends on the value of another variable. */
export interface TestVariableDependency {
  variable: string;
  /** By the text of the other's value; a value that is not listed allows everything. */
  values: { [value: string]: (string | number | boolean)[] };
}

/** Definition of a single test variable. */
export interface TestVariableDefinition {
  name: string;
  displayName: string;
  description?: string;
  dataType: TestVariableDataType;
  valueSource: TestVariableValueSource;
  /** For `static`. */
  possibleValues?: TestVariablePossibleValue[];
  /** For `entity`. */
  entity?: TestVariableEntity;
  dependsOn?: TestVariableDependency;
  /** Of the data type. */
  defaultValue?: TestVariableValue;
  /** Without a value, nothing runs. */
  required: boolean;
}

/** The variables that tests of a type have. */
export interface TestTypeVariablesSchema {
  schemaVersion: '1.0';
  variables: TestVariableDefinition[];
}

/** What a test says about one variable of its type. */
export interface TestVariableOverride {
  /** If false, the test does not have the variable. */
  exposed: boolean;
  defaultValue?: TestVariableValue;
  /** Suites and runs cannot change it. */
  locked?: boolean;
  /** A subset of the values of the type. */
  restrictedValues?: (string | number | boolean)[];
}

/** What a test says about the variables of its type; those it does not mention are exposed. */
export interface TestVariablesConfig {
  variables: { [variableName: string]: TestVariableOverride };
}

/** Values for all tests of a suite. */
export interface TestSuiteVariablesConfig {
  variables: { [variableName: string]: TestVariableValue };
}

export type TestVariableSource = 'run' | 'suite' | 'test' | 'type';

/** The values of an execution, and where each comes from. */
export interface ResolvedTestVariables {
  values: { [variableName: string]: TestVariableValue };
  sources: { [variableName: string]: TestVariableSource };
}

/** The same as it is kept. */
export type TestRunResolvedVariables = ResolvedTestVariables;
