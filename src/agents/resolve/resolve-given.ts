// In the coordinator: an agent that a program gives by value in, a checked definition out. Runs no user code.

import { sha256 } from '../../compile/bundle-cache.ts';
import { ConfigError } from '../../errors.ts';
import { fillYaoValue, findUnset } from '../../json/yao-file.ts';
import type { AgentDefinition } from '../../model/agent.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { ResolvedAgent, ResolveOptions } from './resolve.ts';
import { isUsed, readDetails, resolveRun } from './resolve.ts';

/** A function of the program, by its name and a fingerprint; or a definition, which has the fields of a package.yao. */
export type GivenAgent =
  | { type: 'function'; id: string; sha256: string }
  | { type: 'definition'; id: string; value: Record<string, unknown> };

const FIELDS = ['id', 'name', 'description', 'connector', 'options', 'run'];

/** Throws one ConfigError with all problems. */
export async function resolveGivenAgent(
  given: GivenAgent,
  { root, cwd, env, connector }: Pick<ResolveOptions, 'connector' | 'cwd' | 'env' | 'root'>,
): Promise<ResolvedAgent> {
  const { id } = given;
  const chosen = connector === undefined ? {} : { forced_connector: connector };
  if (given.type === 'function') {
    const definition: AgentDefinition = { id, ...chosen, run: { type: 'function' } };
    return { definition, files: [], sha256: given.sha256, secrets: [], root };
  }

  const at = (path: readonly string[]): string => ['agent', ...path].join('.');
  const file = fillYaoValue(given.value, { env, at });
  for (const key of Object.keys(given.value))
    if (!FIELDS.includes(key))
      file.problems.push({
        message: `unknown field "${key}"`,
        at: 'agent',
        hint: didYouMean(key, FIELDS) ?? `the fields are ${FIELDS.join(', ')}`,
      });
  const details = readDetails(file);
  const read = await resolveRun(file, { folder: cwd, agentId: id, root, cwd, env });
  file.problems.unshift(...findUnset(file, ([key]) => isUsed(key, read?.run, connector !== undefined)));
  if (read === undefined || file.problems.length > 0) throw ConfigError.of(file.problems);
  return {
    definition: { id, ...details, ...chosen, run: read.run },
    files: read.files,
    // As it was written: without values of environment variables.
    sha256: sha256(JSON.stringify(given.value)),
    secrets: [...file.secrets, ...read.secrets],
    root,
  };
}
