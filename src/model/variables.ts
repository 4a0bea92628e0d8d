// Test variables: defined by a test type, exposed by a test, set by a suite or a run, resolved for an execution.

/** Data types supported for test variables; a date is ISO 8601 in files and a Date in code. */
export type TestVariableDataType = 'string' | 'number' | 'boolean' | 'date';

/** How the valid values of a variable are determined. */
export type TestVariableValueSource =
  /** The list in `possibleValues`. */
  | 'static'
  /** Any value of the data type. */
  | 'freeform'
  /** The ids of all connectors, agents or skills of the application. */
  | 'entity';

/** The things of an application that a variable can choose from. */
export type TestVariableEntity = 'connectors' | 'agents' | 'skills';

export type TestVariableValue = string | number | boolean | Date;

/** One value of a static variable. */
export interface TestVariablePossibleValue {
  value: string | number | boolean;
  /** By default the value itself. */
  label?: string;
  description?: string;
}

/** The allowed values depend on the value of another variable. */
export interface TestVariableDependency {
  variable: string;
  /** The allowed values by the text of the other value; a value that is not listed allows everything. */
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
  defaultValue?: TestVariableValue;
  /** The test does not run without a value. */
  required: boolean;
}

/** The variables of the tests of a type. */
export interface TestTypeVariablesSchema {
  schemaVersion: '1.0';
  variables: TestVariableDefinition[];
}

/** A test's settings for one variable of its type. */
export interface TestVariableOverride {
  /** If false, the test does not have the variable. */
  exposed: boolean;
  defaultValue?: TestVariableValue;
  /** Suites and runs cannot change it. */
  locked?: boolean;
  /** A subset of the values of the type. */
  restrictedValues?: (string | number | boolean)[];
}

/** A test's settings for the variables of its type; variables without an entry are exposed. */
export interface TestVariablesConfig {
  variables: { [variableName: string]: TestVariableOverride };
}

/** Values for all tests of a suite. */
export interface TestSuiteVariablesConfig {
  variables: { [variableName: string]: TestVariableValue };
}

export type TestVariableSource = 'run' | 'suite' | 'test' | 'type';

/** The values of an execution, and the source of each. */
export interface ResolvedTestVariables {
  values: { [variableName: string]: TestVariableValue };
  sources: { [variableName: string]: TestVariableSource };
}

/** The resolved variables as stored with a run. */
export type TestRunResolvedVariables = ResolvedTestVariables;
