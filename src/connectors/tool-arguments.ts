import { messageOf } from '../errors.ts';

/** The message for arguments that cannot be serialised as JSON; undefined if they can. */
export function argumentsProblem(name: string, given: unknown): string | undefined {
  let reason = `a ${typeof given}`;
  try {
    // JSON.stringify returns undefined for functions and symbols, unlike its type.
    if ((JSON.stringify(given) as string | undefined) !== undefined) return undefined;
  } catch (error) {
    reason = messageOf(error);
  }
  return `the arguments of tool call ${name} cannot be written as JSON: ${reason}`;
}
