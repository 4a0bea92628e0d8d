import { isCredentialName } from '../secrets/credential-name.ts';

/**
 * A text that identifies a set of variables, independent of their order; empty without variables. Leaves secrets out:
 * they are not in the log, and another API key does not make another attempt.
 */
export function variablesKey(variables: Record<string, unknown> | undefined): string {
  if (variables === undefined) return '';
  const named = Object.entries(variables)
    .filter(([name]) => !isCredentialName(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return named.length === 0 ? '' : JSON.stringify(named);
}
