// The axes of a matrix that every test of an agent has: the agent itself, and the connector of its model.

import { AGENT_AXIS, CONNECTOR_AXIS, CONNECTOR_VARIABLE } from '../model/axis-names.ts';
import type { TestTypeDefinition } from '../model/definition.ts';
import type { TestTypeVariablesSchema, TestVariableDefinition } from '../model/variables.ts';

const NO_VARIABLES: TestTypeVariablesSchema = { schemaVersion: '1.0', variables: [] };

/** The schema of a test of an agent, with those of the axes that its type does not declare. */
export function withAxes(
  declared: TestTypeVariablesSchema = NO_VARIABLES,
  isWanted: (name: string) => boolean = () => true,
): TestTypeVariablesSchema {
  const axes = [AGENT_AXIS, CONNECTOR_AXIS].filter((name) => isAxis(name, declared) && isWanted(name));
  return axes.length === 0
    ? declared
    : { ...declared, variables: [...declared.variables, ...axes.map(textVariable)] };
}

/** What a matrix can vary in tests of a type. */
export function matrixVariables(type: TestTypeDefinition | undefined): TestTypeVariablesSchema[] {
  if (type?.kind === 'agent-eval') return [withAxes(type.variablesSchema)];
  return type?.variablesSchema === undefined ? [] : [type.variablesSchema];
}

/** A variable that takes any text. */
export function textVariable(name: string): TestVariableDefinition {
  return { name, displayName: name, dataType: 'string', valueSource: 'freeform', required: false };
}

/** True if the name is that of an axis, and not of a variable that the type declares. */
export function isAxis(name: string, declared: TestTypeVariablesSchema | undefined): boolean {
  return (name === AGENT_AXIS || name === CONNECTOR_AXIS) && !declares(declared, name);
}

/**
 * The variable that a name of a matrix means in a test: `connector` means `AIConfiguration` if the type declares that, so that
 * the test can lock or restrict it.
 */
export function dimensionName(name: string, declared: TestTypeVariablesSchema | undefined): string {
  const isMeant = isAxis(name, declared) && declares(declared, CONNECTOR_VARIABLE);
  return isMeant && name === CONNECTOR_AXIS ? CONNECTOR_VARIABLE : name;
}

function declares(schema: TestTypeVariablesSchema | undefined, name: string): boolean {
  return schema?.variables.some((variable) => variable.name === name) === true;
}
