// Names that mean something in a matrix whether or not a type declares a variable of that name.

/** The agent under test. */
export const AGENT_AXIS = 'agent';
export const CONNECTOR_AXIS = 'connector';
/** The variable that chooses the connector. It and the axis are the same thing by two names. */
export const CONNECTOR_VARIABLE = 'AIConfiguration';

/** The names that choose the connector. */
export const CONNECTOR_NAMES: readonly string[] = [CONNECTOR_AXIS, CONNECTOR_VARIABLE];

/** True if the names choose the connector twice. */
export function hasTwoConnectors(names: readonly string[]): boolean {
  return CONNECTOR_NAMES.every((name) => names.includes(name));
}
