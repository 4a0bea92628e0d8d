// In a worker: looks up agents and connectors by name, on first use, and caches them.

import type { AgentDefinition } from '../../model/agent.ts';
import type { Connector } from '../../model/connector.ts';
import type { Directory, OpenedAgent } from '../adapter.ts';
import { openAgent } from '../registry.ts';

export type DirectoryOptions = {
  root: string;
  cwd: string;
  env: Record<string, string | undefined>;
  /** Registers secrets for masking, before any value that may contain them is returned. */
  learn(secrets: string[]): void;
};

/** Opens the directory of an application. */
export function openDirectory({ root, cwd, env, learn }: DirectoryOptions): Directory {
  const agents = new Map<string, Promise<OpenedAgent>>();
  const connectors = new Map<string, Promise<Connector>>();

  const open = async (definition: AgentDefinition): Promise<OpenedAgent> => {
    return { definition, agent: await openAgent(definition, { root, directory }) };
  };
  const directory: Directory = {
    agent: (name) =>
      memoize(agents, name, async () => {
        const { resolveAgent } = await import('./resolve.ts');
        const { definition, secrets } = await resolveAgent({ name, from: root, root, cwd, env });
        learn(secrets);
        return open(definition);
      }),
    judge: (connector) =>
      memoize(agents, `\0${connector}`, async () => {
        const { judgeDefinition } = await import('./built-in-judge.ts');
        return open(judgeDefinition(connector, root));
      }),
    connector: (id, folder) =>
      memoize(connectors, `${folder ?? ''}\0${id}`, async () => {
        const { findConnector } = await import('../../connectors/find-connector.ts');
        const { connector, secrets } = await findConnector(id, {
          root,
          env,
          cwd,
          folder,
        });
        learn(secrets);
        return connector;
      }),
  };
  return directory;
}

/** Caches promises; a failed lookup is not cached. */
function memoize<T>(known: Map<string, Promise<T>>, key: string, find: () => Promise<T>): Promise<T> {
  const found = known.get(key);
  if (found !== undefined) return found;
  const finding = find();
  known.set(key, finding);
  finding.catch(() => known.delete(key));
  return finding;
}
