import { isCredentialName } from '../secrets/credential-name.ts';

/**
 * The same text for the same variables, whatever their order; empty if there are none. Secrets are left out: a log does not
 * have them, and another key of the same service makes no other attempt.
 */
export function variantOf(variables: Record<string, unknown> | undefined): string {
  const named = Object.entries(variables ?? {})
    .filter(([name]) => !isCredentialName(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return named.length === 0 ? '' : JSON.stringify(named);
}
