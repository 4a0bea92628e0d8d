// What a matrix cannot vary, and what cannot be chosen twice.

import { ConfigError } from '../../errors.ts';
import { AGENT_AXIS, CONNECTOR_NAMES, hasTwoConnectors } from '../../model/axis-names.ts';
import type { StartEvent } from '../../model/event.ts';
import { isCredentialName } from '../../secrets/credential-name.ts';
import { secretsInUrl } from '../../secrets/secrets.ts';

/** The flags that choose what a matrix can vary. */
type MatrixFlags = { name?: string; connector?: string };

/** Throws ConfigError if the command line and the suite choose the same thing in different words. */
export function refuseTwice(
  typed: Record<string, unknown>,
  ofSuite: Record<string, unknown>,
  { name }: MatrixFlags,
): void {
  const names = [...Object.keys(typed), ...Object.keys(ofSuite)];
  if (hasTwoConnectors(names))
    throw new ConfigError(
      `${CONNECTOR_NAMES.join(' and ')} are the same axis, given by --matrix and by the suite`,
      {
        hint: 'use the name of the suite, which --matrix then replaces, or leave one of them out',
      },
    );
  if (name !== undefined && !Object.hasOwn(typed, AGENT_AXIS) && Object.hasOwn(ofSuite, AGENT_AXIS))
    throw new ConfigError('-n and the matrix of the suite both choose the agent', {
      hint: 'leave -n out, or name agents with --matrix agent=a,b, which replaces those of the suite',
    });
}

/** `--matrix agent` decides instead of `-n`. */
export function agentNotes(typed: Record<string, unknown>, { name }: MatrixFlags): string[] {
  return name !== undefined && Object.hasOwn(typed, AGENT_AXIS)
    ? ['-n has no effect: --matrix agent names the agents']
    : [];
}

/** Throws ConfigError: some things cannot be varied, and `--pairwise` needs something that varies. */
export function refuseMatrix(
  matrix: StartEvent['matrix'],
  { flags, pairwise }: { flags: MatrixFlags; pairwise: boolean },
): void {
  if (matrix === undefined && pairwise)
    throw new ConfigError('there is nothing that --pairwise could choose from', {
      hint: 'it needs --matrix Name=a,b, or a suite with a matrix',
    });
  const names = Object.keys(matrix ?? {});
  if (flags.connector !== undefined && names.some((name) => CONNECTOR_NAMES.includes(name)))
    throw new ConfigError('-c and the matrix both choose the connector', { hint: 'leave one of them out' });
  const withSecret = (matrix?.[AGENT_AXIS] ?? []).some((agent) => secretsInUrl(String(agent)).length > 0);
  if (withSecret)
    throw new ConfigError('an address with a secret in it cannot be varied: the log does not hold it', {
      hint: 'give each agent a package.yao with the address and $ENV.NAME in run.http, and name those',
    });
  const secret = names.find((name) => isCredentialName(name));
  if (secret !== undefined)
    throw new ConfigError(
      `${secret} cannot be varied: secrets are not in the log, and nobody could tell the results apart`,
    );
}
