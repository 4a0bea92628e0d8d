import { messageOf } from '../errors.ts';

/** What keeps the arguments of a call from being written as JSON, for those that code made. */
export function argumentsProblem(name: string, given: unknown): string | undefined {
  let reason = `a ${typeof given}`;
  try {
    // Undefined for what has no form in JSON, whatever its type says.
    if ((JSON.stringify(given) as string | undefined) !== undefined) return undefined;
  } catch (error) {
    reason = messageOf(error);
  }
  return `the arguments of tool call ${name} cannot be written as JSON: ${reason}`;
}
