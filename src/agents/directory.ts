// In a worker: agents and connectors by name, found when they are first asked for and kept.

import type { AgentDefinition } from '../model/agent.ts';
import type { Connector } from '../model/connector.ts';
import type { Directory, OpenedAgent } from './adapter.ts';
import { openAgent } from './registry.ts';

export type DirectoryOptions = {
  root: string;
  cwd: string;
  env: Record<string, string | undefined>;
  /** Told what must never be shown, before anything that may hold it is known. */
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
      remember(agents, name, async () => {
        const { resolveAgent } = await import('./resolve.ts');
        const { definition, secrets } = await resolveAgent({ name, from: root, root, cwd, env });
        learn(secrets);
        return open(definition);
      }),
    judge: (connector) =>
      remember(agents, `\0${connector}`, async () => {
        const { judgeDefinition } = await import('./built-in-judge.ts');
        return open(judgeDefinition(connector, root));
      }),
    connector: (id, folder) =>
      remember(connectors, `${folder ?? ''}\0${id}`, async () => {
        const { findConnector } = await import('../connectors/find-connector.ts');
        const { connector, secrets } = await findConnector(id, {
          root,
          env,
          cwd,
          ...(folder !== undefined && { folder }),
        });
        learn(secrets);
        return connector;
      }),
  };
  return directory;
}

/** What could not be found is looked for again the next time. */
function remember<T>(known: Map<string, Promise<T>>, key: string, find: () => Promise<T>): Promise<T> {
  const found = known.get(key);
  if (found !== undefined) return found;
  const finding = find();
  known.set(key, finding);
  finding.catch(() => known.delete(key));
  return finding;
}
